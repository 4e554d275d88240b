import { setTimeout as wait } from 'node:timers/promises'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import { RpcError } from '../../protocol/json-rpc.ts'
import type { UpstreamLink } from '../../protocol/link.ts'

export interface KeepListeningOptions {
  /** Of `subscriptions/listen`. */
  readonly params: JsonObject
  readonly signal: AbortSignal
  readonly onRelated: (method: string, params: JsonObject | undefined) => void
}

const FIRST_PAUSE_MS = 200
const LAST_PAUSE_MS = 60_000
/** The retry pause grows after streams shorter than this. */
const USEFUL_MS = 10_000

/**
 * While the connection has listeners: over HTTP it is a separate stream, which networks and restarts may end
 * unnoticed. Rejects with the server's or connection's error.
 */
export async function keepListening(link: UpstreamLink, options: KeepListeningOptions): Promise<void> {
  const { params, signal, onRelated } = options
  let tries = 0
  while (!signal.aborted) {
    const begun = performance.now()
    try {
      await link.request('subscriptions/listen', params, { signal, onRelated })
    } catch (error) {
      if (signal.aborted || error instanceof RpcError || !link.isOpen()) throw error
    }
    // Over a pipe, the server ended it on purpose.
    if (link.pid !== undefined || !link.isOpen()) return
    tries = performance.now() - begun < USEFUL_MS ? tries + 1 : 0
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** tries, LAST_PAUSE_MS)
    await wait(pause, undefined, { signal, ref: false })
  }
}
