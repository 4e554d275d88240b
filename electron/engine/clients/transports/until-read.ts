import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { waitForDrain } from '../../protocol/wait-for-drain.ts'

/**
 * Waits for HTTP response readers. The SDK writes the rest when a response drains, so one that stays drained for a
 * turn has nothing left.
 */
export function createUntilRead(): (response: ServerResponse | undefined) => Promise<void> {
  const waiting = new WeakMap<ServerResponse, Promise<void>>()
  const flow = async (response: ServerResponse): Promise<void> => {
    const drained = waitForDrain(response)
    while (response.writableNeedDrain && !response.destroyed) {
      // A disconnected reader; the session reports it.
      await drained().catch(() => {})
      await nextTurn()
    }
    waiting.delete(response)
  }
  return async (response) => {
    if (!response?.writableNeedDrain) return
    const known = waiting.get(response) ?? flow(response)
    waiting.set(response, known)
    await known
  }
}
