import { setImmediate } from 'node:timers/promises'

/** Work on much, in parts: at each `yield` others may have their turn. */
export type Steps<Result> = Generator<undefined, Result, undefined>

/** How long such work goes on before others have their turn. */
const TURN_MS = 5
const ITEMS_OF_STEP = 100

export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** What takes no longer than one turn is done at once, too. */
export async function inSteps<Result>(steps: Steps<Result>): Promise<Result> {
  const turn = new Turn()
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (turn.isOver) await turn.next()
  }
}

/** For each item of a list; none takes long. */
export function* each<Made>(
  list: readonly unknown[],
  make: (item: unknown, index: number) => Made,
): Steps<Made[]> {
  const made: Made[] = []
  for (const [index, item] of list.entries()) {
    made.push(make(item, index))
    if (made.length % ITEMS_OF_STEP === 0) yield
  }
  return made
}

/** One of the turns that work and others have on a thread. */
export class Turn {
  #began = performance.now()

  get isOver(): boolean {
    return performance.now() - this.#began >= TURN_MS
  }

  /** Resolves when others had theirs. */
  async next(): Promise<void> {
    await setImmediate()
    this.#began = performance.now()
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
