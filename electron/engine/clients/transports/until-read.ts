import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { waitForDrain } from '../../protocol/wait-for-drain.ts'

/**
 * Waits for the readers of HTTP responses. What the SDK still has to write follows at once when a response takes more, so one
 * that takes all of it for a whole turn has nothing left to write.
 */
export function createUntilRead(): (response: ServerResponse | undefined) => Promise<void> {
  const waiting = new WeakMap<ServerResponse, Promise<void>>()
  const flow = async (response: ServerResponse): Promise<void> => {
    const drained = waitForDrain(response)
    while (response.writableNeedDrain && !response.destroyed) {
      // Whoever went away reads nothing any more; the session says so to whom it concerns.
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
