import { messageOf, SluiceError } from '../ground/errors.ts'
import type { Events } from '../ground/events.ts'
import type { ServerHello } from '../protocol/era.ts'
import type { OpenLink } from '../protocol/link.ts'

declare module '../ground/events.ts' {
  interface EngineEvents {
    'server-state': {
      serverId: string
      /** Undefined for a shared process. */
      sessionId: string | undefined
      state: 'starting' | 'ready' | 'failed' | 'stopped'
      reason?: string
      /** From start to ready. */
      ms?: number
    }
  }
}

/** A session's. */
export interface OpenConnection {
  readonly pid: number | undefined
  readonly hello: ServerHello
}

interface ServerState {
  readonly state: 'idle' | 'starting' | 'ready' | 'failed'
  /** Unix milliseconds; undefined while unused. */
  readonly since: number | undefined
  /** Connections held by sessions. */
  readonly open: number
  readonly connections: readonly OpenConnection[]
  /** Undefined after success. */
  readonly failure: string | undefined
  readonly wantsSignIn: boolean
  readonly retryAt: number | undefined
  /** Last introduction. */
  readonly hello: ServerHello | undefined
}

export interface ServerStates {
  of(serverId: string): ServerState
  watch(openLink: OpenLink): OpenLink
}

interface Known {
  starting: number
  readonly connections: Set<OpenConnection>
  failure: string | undefined
  /** Unreachable now; connections wait for it. */
  isAway: boolean
  wantsSignIn: boolean
  hello: ServerHello | undefined
  since: number | undefined
}

const nothing = (): Known => ({
  starting: 0,
  connections: new Set(),
  failure: undefined,
  isAway: false,
  wantsSignIn: false,
  hello: undefined,
  since: undefined,
})

export function createServerStates({
  events,
  now,
  pauseOf,
}: {
  readonly events: Events
  /** Unix milliseconds. */
  readonly now: () => number
  /** Milliseconds, after repeated failures. */
  readonly pauseOf: (serverId: string) => number | undefined
}): ServerStates {
  const servers = new Map<string, Known>()
  const knownOf = (serverId: string): Known => {
    const known = servers.get(serverId) ?? nothing()
    servers.set(serverId, known)
    return known
  }
  /** Reports a new state. */
  const change = (serverId: string, make: (known: Known) => void): void => {
    const known = knownOf(serverId)
    const before = stateOf(known)
    make(known)
    if (stateOf(known) !== before || known.since === undefined) known.since = now()
  }
  return {
    of: (serverId) => {
      const known = servers.get(serverId) ?? nothing()
      const { connections, failure, wantsSignIn, hello, since } = known
      const pause = connections.size > 0 ? undefined : pauseOf(serverId)
      return {
        state: stateOf(known),
        retryAt: pause === undefined ? undefined : Math.round(now() + pause),
        since,
        open: connections.size,
        connections: [...connections],
        failure,
        wantsSignIn,
        hello,
      }
    },
    watch: (openLink) => async (options) => {
      const { serverId } = options
      const started = performance.now()
      const tell = (state: 'starting' | 'ready' | 'failed' | 'stopped', more: object = {}): void =>
        events.emit('server-state', { serverId, sessionId: undefined, state, ...more })
      change(serverId, (known) => known.starting++)
      tell('starting')
      let connection: OpenConnection | undefined
      const end = (failure?: string): void => {
        const ended = connection
        connection = undefined
        if (!ended) return
        change(serverId, (known) => {
          known.connections.delete(ended)
          if (failure !== undefined) known.failure = failure
        })
        tell('stopped')
      }
      const onLost = (error: Error): void => {
        end(error.message)
        options.events.onLost(error)
      }
      const onReach = (failure: string | undefined): void => {
        change(serverId, (known) => {
          known.isAway = failure !== undefined
          known.failure = failure
        })
        if (failure === undefined) tell('ready')
        else tell('failed', { reason: failure })
        options.events.onReach?.(failure)
      }
      try {
        const link = await openLink({ ...options, events: { ...options.events, onLost, onReach } })
        const opened = { pid: link.pid, hello: link.hello }
        connection = opened
        change(serverId, (known) => {
          known.starting--
          known.connections.add(opened)
          known.failure = undefined
          known.isAway = false
          known.wantsSignIn = false
          known.hello = link.hello
        })
        tell('ready', { ms: performance.now() - started })
        return {
          serverId: link.serverId,
          hello: link.hello,
          announced: link.announced,
          folder: link.folder,
          isOpen: () => link.isOpen(),
          pid: link.pid,
          request: (method, params, requestOptions) => link.request(method, params, requestOptions),
          notify: (method, params) => link.notify(method, params),
          close: () => link.close().finally(() => end()),
        }
      } catch (error) {
        const isAborted = options.signal?.aborted === true
        change(serverId, (known) => {
          known.starting--
          if (isAborted) return
          known.failure = messageOf(error)
          known.wantsSignIn = error instanceof SluiceError && error.code === 'SIGN_IN_NEEDED'
        })
        tell(isAborted ? 'stopped' : 'failed', isAborted ? {} : { reason: messageOf(error) })
        throw error
      }
    },
  }
}

/** Sessions may share processes. */
export const processesOf = (connections: readonly OpenConnection[]): number[] => [
  ...new Set(connections.flatMap(({ pid }) => pid ?? [])),
]

function stateOf({ starting, connections, failure, isAway }: Known): ServerState['state'] {
  if (connections.size > 0) return isAway ? 'failed' : 'ready'
  if (starting > 0) return 'starting'
  return failure === undefined ? 'idle' : 'failed'
}
