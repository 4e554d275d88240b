import { ownError, type SluiceError } from '../ground/errors.ts'
import type { ClientHello, ServerHello } from '../protocol/era.ts'
import { RpcError, RpcErrorCode } from '../protocol/json-rpc.ts'
import type { RpcPeer } from '../protocol/peer.ts'
import { envelopeOf } from './upstream/envelope.ts'

export interface WatchHealthOptions {
  readonly serverId: string
  readonly peer: Pick<RpcPeer, 'request' | 'notify'>
  readonly hello: ServerHello
  readonly client: ClientHello
  /** It may be too busy to answer. */
  readonly isProcess: boolean
  /** Called once. */
  readonly onDead: (error: SluiceError) => void
  /** For a server to respond. */
  readonly checkMs?: number
}

const CHECK_MS = 10_000

/** After a timeout or sleep. A restarted server that doesn't know the session may look alive. */
export function watchHealth(options: WatchHealthOptions) {
  const { serverId, peer, hello, client, isProcess, onDead, checkMs = CHECK_MS } = options
  const state = { inFlight: 0, isDead: false }
  let checking: Promise<void> | undefined

  const ask = (): Promise<unknown> =>
    hello.era === 'legacy'
      ? peer.request('ping', undefined, { timeoutMs: checkMs })
      : peer.request('server/discover', { _meta: envelopeOf(client) }, { timeoutMs: checkMs })

  const look = async (): Promise<void> => {
    try {
      await ask()
    } catch (error) {
      // A refusal is an answer; transport failures are reported per request.
      if (!isTimeout(error) || state.isDead || (isProcess && state.inFlight > 0)) return
      state.isDead = true
      onDead(
        ownError(
          'SERVER_LOST',
          `Server "${serverId}" answers nothing any more, not even within ${checkMs / 1000} s whether it is there. It is reconnected on the next use; look whether the last call was carried out before repeating it.`,
        ),
      )
    }
  }
  const check = (): Promise<void> => (checking ??= look().finally(() => (checking = undefined)))

  const watched: Pick<RpcPeer, 'request' | 'notify'> = {
    request: async (...request) => {
      state.inFlight++
      try {
        return await peer.request(...request)
      } catch (error) {
        if (isTimeout(error)) queueMicrotask(() => void check())
        throw error
      } finally {
        state.inFlight--
      }
    },
    notify: (...notification) => peer.notify(...notification),
  }
  return { peer: watched, check }
}

const isTimeout = (error: unknown): boolean =>
  error instanceof RpcError && error.code === RpcErrorCode.requestTimeout
