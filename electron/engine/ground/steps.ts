import { setImmediate } from 'node:timers/promises'

/** Other work may run at each `yield`. */
export type Steps<Result> = Generator<undefined, Result, undefined>

/** Work before yielding. */
const TURN_MS = 5
const ITEMS_OF_STEP = 100

export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Without a pause within one turn; at once where there is one step. */
export function inSteps<Result>(steps: Steps<Result>): Result | Promise<Result> {
  const step = steps.next()
  return step.done ? step.value : inTurnsOf(steps)
}

async function inTurnsOf<Result>(steps: Steps<Result>): Promise<Result> {
  const turn = new Turn()
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (turn.isOver) await turn.next()
  }
}

/** Each call must be short. */
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

export class Turn {
  #began = performance.now()

  get isOver(): boolean {
    return performance.now() - this.#began >= TURN_MS
  }

  async next(): Promise<void> {
    await setImmediate()
    this.#began = performance.now()
  }
}

/** In order; yields during long work. */
export const inTurns = <Item, Result>(
  items: Iterable<Item>,
  work: (item: Item) => Result,
): Result[] | Promise<Result[]> => inSteps(eachOf(items, work))

function* eachOf<Item, Result>(items: Iterable<Item>, work: (item: Item) => Result): Steps<Result[]> {
  const results: Result[] = []
  for (const item of items) {
    results.push(work(item))
    yield
  }
  return results
}
