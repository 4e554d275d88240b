/**
 * Waits for what one of several servers does, but not for ever: a server that does not answer must not hold up the
 * others. What was waited for in vain is not waited for again until it is there; then `onLate` is told.
 */
export class Patience {
  readonly #ms: number
  readonly #onLate: () => void
  readonly #overdue = new WeakMap<object, Set<string>>()

  constructor(ms: number, onLate: () => void) {
    this.#ms = ms
    this.#onLate = onLate
  }

  /** The result, or undefined where it takes too long. Rejects as `doing` does. `what` tells the waits of one owner apart. */
  async with<T>(owner: object, what: string, doing: Promise<T>): Promise<T | undefined> {
    const overdue = this.#overdue.get(owner) ?? new Set()
    this.#overdue.set(owner, overdue)
    const settle = (): void => {
      if (overdue.delete(what)) this.#onLate()
    }
    doing.then(settle, settle)
    let timer: NodeJS.Timeout | undefined
    const outOfPatience = new Promise<undefined>((resolve) => {
      const onTime = (): void => {
        overdue.add(what)
        resolve(undefined)
      }
      timer = setTimeout(onTime, overdue.has(what) ? 0 : this.#ms)
    })
    return Promise.race([doing, outOfPatience]).finally(() => clearTimeout(timer))
  }
}
