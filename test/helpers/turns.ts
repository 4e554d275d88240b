import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Resolves when all that is ready has run, and what that made ready: promises, ticks, streams in memory. What has not happened
 * after this waits for a timer or for something outside of this process.
 */
export async function turns(count = 5): Promise<void> {
  for (let turn = 0; turn < count; turn++) await nextTurn()
}
