import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Resolves after everything that is ready has run, and what that made ready: promises, ticks, streams in memory. The
 * rest waits for a timer or for something outside this process.
 */
export async function turns(count = 5): Promise<void> {
  for (let turn = 0; turn < count; turn++) await nextTurn()
}
