import { setImmediate } from 'node:timers/promises'

/** Work on much, in parts: at each `yield` others may have their turn. */
export type Steps<Result> = Generator<undefined, Result, undefined>

/** How long such work goes on before others have their turn. */
const TURN_MS = 5

export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** What takes no longer than one turn is done at once, too. */
export async function inSteps<Result>(steps: Steps<Result>): Promise<Result> {
  let began = performance.now()
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (performance.now() - began < TURN_MS) continue
    await setImmediate()
    began = performance.now()
  }
}

/** `work` for each item in order; others have their turn in between where it takes long. */
export const inTurns = <Item, Result>(
  items: Iterable<Item>,
  work: (item: Item) => Result,
): Promise<Result[]> => inSteps(eachOf(items, work))

function* eachOf<Item, Result>(items: Iterable<Item>, work: (item: Item) => Result): Steps<Result[]> {
  const results: Result[] = []
  for (const item of items) {
    results.push(work(item))
    yield
  }
  return results
}
