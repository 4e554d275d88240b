import { messageOf, SluiceError, unquotedMessage } from '../ground/errors.ts'
import type { OpenLink, OpenLinkOptions } from '../protocol/link.ts'

export interface BackOffOptions {
  /** Monotonic milliseconds. */
  readonly clock: () => number
  /** From 0 to below 1. */
  readonly random: () => number
}

interface Failures {
  count: number
  /** Last failure, by the clock. */
  at: number
  /** No attempt before, by the clock. */
  until: number
  last: unknown
}

/** After the second consecutive failure; doubles with each. */
const FIRST_MS = 1_000
const LONGEST_MS = 60_000
/** A shorter connection counts as failed, because servers also die on their first request. */
const SHORT_LIVED_MS = 1_000
/** Longest wait for a caller; otherwise the request fails at once. */
const WAITED_MS = 1_500

/** Growing, randomised pauses: clients of a recovered remote server don't all connect at once. */
export function createBackOff({ clock, random }: BackOffOptions) {
  const servers = new Map<string, Failures>()

  const failed = (key: string, reason: unknown, startedAt: number): void => {
    const known = servers.get(key) ?? { count: 0, at: -Infinity, until: 0, last: undefined }
    known.last = reason
    // Sessions start it in parallel: a common failure counts once.
    if (startedAt < known.at) return
    known.count++
    known.at = clock()
    const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** (known.count - 2))
    known.until = known.count < 2 ? 0 : clock() + longest * (0.5 + random() / 2)
    servers.set(key, known)
  }

  const watch =
    (openLink: OpenLink): OpenLink =>
    async (options) => {
      const key = keyOf(options)
      await pause(servers.get(key), options, clock)
      const startedAt = clock()
      const state: { openedAt: number; settled?: NodeJS.Timeout } = { openedAt: 0 }
      const onLost = (error: Error): void => {
        clearTimeout(state.settled)
        if (clock() - state.openedAt < SHORT_LIVED_MS) failed(key, error, startedAt)
        options.events.onLost(error)
      }
      try {
        const link = await openLink({ ...options, events: { ...options.events, onLost } })
        state.openedAt = clock()
        state.settled = setTimeout(() => servers.delete(key), SHORT_LIVED_MS)
        state.settled.unref()
        return {
          ...link,
          close: () => {
            clearTimeout(state.settled)
            return link.close()
          },
        }
      } catch (error) {
        // The caller left, or the user must act: not the server's failure.
        const isNoFailure =
          options.signal?.aborted || (error instanceof SluiceError && error.code === 'SIGN_IN_NEEDED')
        if (!isNoFailure) failed(key, error, startedAt)
        throw error
      }
    }

  return {
    watch,
    forget: (serverId?: string): void => {
      for (const key of servers.keys())
        if (serverId === undefined || key.startsWith(`${JSON.stringify(serverId)} `)) servers.delete(key)
    },
    /** Milliseconds; undefined if allowed now. */
    pauseOf: (serverId: string): number | undefined => {
      const until = Math.max(
        0,
        ...[...servers].flatMap(([key, failures]) =>
          key.startsWith(`${JSON.stringify(serverId)} `) ? [failures.until] : [],
        ),
      )
      return until > clock() ? until - clock() : undefined
    },
  }
}

async function pause(
  known: Failures | undefined,
  { serverId, signal }: OpenLinkOptions,
  clock: () => number,
): Promise<void> {
  const left = known ? known.until - clock() : 0
  if (!known || left <= 0) return
  if (left > WAITED_MS) {
    const message = `Server "${serverId}" failed ${known.count} times in a row and is not tried again for ${Math.ceil(left / 1000)} s. The last time: `
    const unquoted = message + unquotedMessage(known.last)
    throw new SluiceError('SERVER_UNAVAILABLE', message + messageOf(known.last), { data: { unquoted } })
  }
  const { setTimeout: wait } = await import('node:timers/promises')
  await wait(left, undefined, { ref: false, ...(signal ? { signal } : {}) })
}

/** A changed launch is another server. */
const keyOf = ({ serverId, settings }: OpenLinkOptions): string => {
  const { command, args, env, cwd, url, headers, type } = settings
  return `${JSON.stringify(serverId)} ${JSON.stringify([command, args, env, cwd, url, headers, type])}`
}
