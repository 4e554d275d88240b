import { messageOf } from './errors.ts'
import type { Events } from './events.ts'
import type { OpenLink } from './upstream/link.ts'

export interface ServerState {
  /** Connections that sessions hold now. */
  readonly open: number
  /** Why the last start failed; undefined after one that worked. */
  readonly failure: string | undefined
}

/** The true state of each server, as its connections come and go, and an event for each change. */
export interface ServerStates {
  of(serverId: string): ServerState
  /** The same opener, watched. */
  watch(openLink: OpenLink): OpenLink
}

export function createServerStates(events: Events): ServerStates {
  const states = new Map<string, ServerState>()
  const of = (serverId: string): ServerState => states.get(serverId) ?? { open: 0, failure: undefined }
  const count = (serverId: string, change: number): void => {
    const { open, failure } = of(serverId)
    states.set(serverId, { open: Math.max(0, open + change), failure })
  }
  return {
    of,
    watch: (openLink) => async (options) => {
      const { serverId } = options
      const started = performance.now()
      const tell = (state: 'starting' | 'ready' | 'failed' | 'stopped', more: object = {}): void =>
        events.emit('server-state', { serverId, sessionId: undefined, state, ...more })
      tell('starting')
      let ended = false
      const end = (): void => {
        if (ended) return
        ended = true
        count(serverId, -1)
        tell('stopped')
      }
      const onLost = (error: Error): void => {
        states.set(serverId, { ...of(serverId), failure: error.message })
        end()
        options.events.onLost(error)
      }
      try {
        const link = await openLink({ ...options, events: { ...options.events, onLost } })
        states.set(serverId, { open: of(serverId).open + 1, failure: undefined })
        tell('ready', { ms: performance.now() - started })
        return {
          serverId: link.serverId,
          hello: link.hello,
          pid: link.pid,
          request: (method, params, requestOptions) => link.request(method, params, requestOptions),
          notify: (method, params) => link.notify(method, params),
          close: () => link.close().finally(end),
        }
      } catch (error) {
        states.set(serverId, { ...of(serverId), failure: messageOf(error) })
        tell('failed', { reason: messageOf(error) })
        throw error
      }
    },
  }
}
