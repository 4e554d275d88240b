import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { waitForDrain } from '../../protocol/wait-for-drain.ts'

/** The SDK writes the rest on drain, so a response that stays drained for a turn has nothing left. */
export function createUntilRead(): (response: ServerResponse | undefined) => Promise<void> {
  const waiting = new WeakMap<ServerResponse, Promise<void>>()
  const flow = async (response: ServerResponse): Promise<void> => {
    const drained = waitForDrain(response)
    while (response.writableNeedDrain && !response.destroyed) {
      // Disconnected; the session reports it.
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
