import type { ServerSettings } from '../../../shared/settings.ts'
import type { ComparedOffer } from '../approvals/review-offer.ts'
import type { OpenApprovals } from '../approvals/approvals.ts'
import type { Offer } from '../approvals/pinned-item.ts'
import { messageOf, SluiceError } from '../ground/errors.ts'
import { withPlace } from '../ground/secrets/moved-values.ts'
import { LATEST_LEGACY_VERSION, type ClientHello } from '../protocol/era.ts'
import { EVERY_CAPABILITY } from '../protocol/every-capability.ts'
import { RpcError, RpcErrorCode, type JsonObject } from '../protocol/json-rpc.ts'
import type { OpenLink, UpstreamLink } from '../protocol/link.ts'

/** Times in milliseconds. */
export type LookedAt = { readonly serverId: string; readonly ms: number } & (
  | {
      readonly outcome: 'offers'
      readonly offered: ComparedOffer
      readonly server: { readonly name: string; readonly version: string }
      /** Variables unknown here, started with placeholder values. */
      readonly placeholders: readonly string[]
    }
  | { readonly outcome: 'failed'; readonly problem: string }
  | { readonly outcome: 'off' }
)

export interface LookOptions {
  readonly signal?: AbortSignal
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

export interface Launch {
  readonly settings: ServerSettings
  /** Only the app has their values. */
  readonly appVariables?: readonly string[]
}

/** Once, outside sessions. Records and pins nothing. */
export type LookAtServer = (serverId: string, launch: Launch, options?: LookOptions) => Promise<LookedAt>

export interface LookAtServerOptions {
  readonly openLink: OpenLink
  readonly approvals: Pick<OpenApprovals, 'compare'>
  readonly readOffer: (link: UpstreamLink) => Promise<Offer>
  readonly version: string
  /** Default for servers. */
  readonly env: Readonly<Record<string, string>>
  readonly tempDir: string
  /** For listing, once connected. */
  readonly listMs?: number
}

const LIST_MS = 30_000
/** Some servers add tools right after start, with a notification. */
const SETTLE_MS = 400
const MOST_READINGS = 3

export function createLookAtServer(deps: LookAtServerOptions): LookAtServer {
  const client: ClientHello = {
    era: 'legacy',
    protocolVersion: LATEST_LEGACY_VERSION,
    capabilities: EVERY_CAPABILITY,
    clientInfo: { name: 'sluice', title: 'Sluice, looking before you approve', version: deps.version },
  }
  return async (serverId, { settings, appVariables = [] }, { signal, cwd, env = deps.env } = {}) => {
    if (settings.disabled) return { serverId, ms: 0, outcome: 'off' }
    const started = performance.now()
    const unknown = unknownVariables(settings, appVariables, env)
    let isStale = false
    const look = async (): Promise<Extract<LookedAt, { outcome: 'offers' }>> => {
      const link = await deps.openLink({
        serverId,
        settings: { ...settings, shared: undefined },
        client,
        ...(cwd === undefined ? {} : { cwd }),
        env: { ...env, ...placeholdersFor(unknown, deps.tempDir) },
        ...(signal === undefined ? {} : { signal }),
        events: {
          onNotification: (method) => {
            if (method.endsWith('/list_changed')) isStale = true
          },
          onRequest: (method) => answer(method),
          onLost: () => {},
        },
      })
      const onAbort = (): void => void link.close()
      signal?.addEventListener('abort', onAbort, { once: true })
      try {
        signal?.throwIfAborted()
        const offer = await withinTime(deps.listMs ?? LIST_MS, serverId, async () => {
          for (let reading = 1; ; reading++) {
            isStale = false
            const read = await deps.readOffer(link)
            const unread = read.unread?.get('tool')
            if (unread !== undefined) throw unread
            await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
            if (!isStale || reading === MOST_READINGS) return read
          }
        })
        const { name, version } = link.hello.serverInfo
        return {
          serverId,
          ms: performance.now() - started,
          outcome: 'offers',
          offered: deps.approvals.compare(serverId, settings, offer),
          server: { name, version },
          placeholders: unknown,
        }
      } finally {
        signal?.removeEventListener('abort', onAbort)
        await link.close()
      }
    }
    const failed = (problem: string): LookedAt => ({
      serverId,
      ms: performance.now() - started,
      outcome: 'failed',
      problem,
    })
    const values = `${unknown.map(withPlace).join(', ')} ${unknown.length === 1 ? 'has a value that is' : 'have values that are'} not known here`
    // Don't send placeholder credentials to a remote machine.
    if (settings.url !== undefined && unknown.length > 0) {
      return failed(`${values}, so Sluice can't ask this server by itself: the app has to start it first.`)
    }
    try {
      return await look()
    } catch (error) {
      // Damage of the record isn't the server's fault and affects all.
      if (error instanceof SluiceError && error.code === 'DATABASE_DAMAGED') throw error
      signal?.throwIfAborted()
      const reason = messageOf(error)
      return failed(
        unknown.length === 0 ? reason : `${values}, so it was started with placeholders. ${reason}`,
      )
    }
  }
}

/** Names that a launch needs and `env` lacks. */
export function unknownVariables(
  settings: ServerSettings,
  appVariables: readonly string[],
  env: Readonly<Record<string, string>>,
): string[] {
  const { command, args, cwd, url, headers, env: own } = settings
  const text = JSON.stringify([command, args, cwd, url, headers, own])
  const named = [...text.matchAll(/\$\{env:([^}]*)\}/g)].map(([, name]) => name ?? '')
  return [...new Set([...named, ...appVariables])].filter((name) => !Object.hasOwn(env, name))
}

/**
 * Most servers list without valid credentials. Placeholder arguments and folders exist, because many servers check
 * them.
 */
const placeholdersFor = (names: readonly string[], tempDir: string): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, /^SLUICE_(?:ARG|CWD)/.test(name) ? tempDir : 'stand-in']))

/** Limits parallel `npx` downloads. */
const AT_ONCE = 4

export async function lookAtAll(
  look: LookAtServer,
  launches: ReadonlyMap<string, Launch>,
  options: LookOptions & {
    readonly onStart?: (serverId: string) => void
    readonly onDone?: (looked: LookedAt) => void
  } = {},
): Promise<LookedAt[]> {
  const { onStart, onDone, ...lookOptions } = options
  const waiting = [...launches]
  const done = new Map<string, LookedAt>()
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [serverId, launch] = next
      onStart?.(serverId)
      try {
        const looked = await look(serverId, launch, lookOptions)
        done.set(serverId, looked)
        onDone?.(looked)
      } catch (error) {
        waiting.length = 0
        throw error
      }
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, work))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return [...launches.keys()].flatMap((id) => done.get(id) ?? [])
}

function answer(method: string): Promise<JsonObject> {
  if (method === 'roots/list') return Promise.resolve({ roots: [] })
  return Promise.reject(
    new RpcError(
      RpcErrorCode.methodNotFound,
      `${method} is not answered while Sluice only looks at what you offer.`,
    ),
  )
}

async function withinTime<Value>(ms: number, serverId: string, work: () => Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const why = `Server "${serverId}" was started, but did not say within ${ms / 1000} s what it offers.`
    timer = setTimeout(() => reject(new SluiceError('SERVER_UNAVAILABLE', why)), ms)
  })
  return Promise.race([work(), late]).finally(() => clearTimeout(timer))
}
