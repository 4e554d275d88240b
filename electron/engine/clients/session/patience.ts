import { Grace } from './grace.ts'

/** A common limit. Late servers aren't awaited again until they arrive, which calls `onLate`. */
export class Patience<Owner> {
  readonly #onLate: () => void
  readonly #startGrace: () => Grace
  readonly #overdue = new Map<Owner, Set<string>>()

  constructor(onLate: () => void, startGrace: () => Grace = () => new Grace()) {
    this.#onLate = onLate
    this.#startGrace = startGrace
  }

  isOverdue(owner: Owner | undefined, what: string): boolean {
    return owner !== undefined && (this.#overdue.get(owner)?.has(what) ?? false)
  }

  /** Undefined if late. `doing` must not reject. */
  async all<T>(
    owners: readonly Owner[],
    what: string,
    doing: (owner: Owner) => Promise<T>,
  ): Promise<(T | undefined)[]> {
    const grace = this.#startGrace()
    try {
      return await Promise.all(owners.map((owner) => this.#one(owner, what, doing(owner), grace)))
    } finally {
      grace.stop()
    }
  }

  async #one<T>(owner: Owner, what: string, doing: Promise<T>, grace: Grace): Promise<T | undefined> {
    const wasOverdue = this.isOverdue(owner, what)
    const done = doing.then((value) => {
      if (this.#forget(owner, what) && value !== undefined) this.#onLate()
      // Late arrivals of an earlier list show no progress.
      if (!wasOverdue) grace.arrived()
      return value
    })
    const late = async (): Promise<undefined> => {
      // Collects those already finished.
      await (wasOverdue ? new Promise((resolve) => setImmediate(resolve)) : grace.over)
      return undefined
    }
    let isHere = false
    const arrive = (): void => void (isHere = true)
    done.then(arrive, arrive)
    const first = await Promise.race([done, late()])
    if (!isHere) this.#remember(owner, what)
    return first
  }

  #remember(owner: Owner, what: string): void {
    const known = this.#overdue.get(owner) ?? new Set()
    this.#overdue.set(owner, known.add(what))
  }

  #forget(owner: Owner, what: string): boolean {
    const known = this.#overdue.get(owner)
    if (!known?.delete(what)) return false
    if (known.size === 0) this.#overdue.delete(owner)
    return true
  }
}
