import { setImmediate } from 'node:timers/promises'

/** How long work on many things holds the main thread, before everybody else has a turn. */
const TURN_MS = 10

/** `work` for each item in order; others have a turn in between where it takes long. */
export async function inTurns<Item, Result>(
  items: Iterable<Item>,
  work: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  let began = performance.now()
  for (const item of items) {
    results.push(work(item))
    if (performance.now() - began < TURN_MS) continue
    await setImmediate()
    began = performance.now()
  }
  return results
}
