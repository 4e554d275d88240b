/** How long everybody may take … */
const PATIENCE_MS = 10_000
/** … and how much longer than the last of the others somebody may. */
const GRACE_MS = 2000

/**
 * A common deadline: a hanging server delays a list only while others arrive, plus a short time; longer if none
 * arrives.
 */
export class Grace {
  /** Resolves when who has not arrived is not waited for any more. */
  readonly over: Promise<void>
  readonly #graceMs: number
  readonly #end: () => void
  readonly #patience: NodeJS.Timeout
  #timer: NodeJS.Timeout | undefined

  constructor(patienceMs = PATIENCE_MS, graceMs = GRACE_MS) {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.over = promise
    this.#graceMs = graceMs
    this.#end = resolve
    this.#patience = setTimeout(resolve, patienceMs)
  }

  /** One of those that are waited for is there. */
  arrived(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#end, this.#graceMs)
  }

  /** Nobody waits any more. */
  stop(): void {
    clearTimeout(this.#patience)
    clearTimeout(this.#timer)
    this.#end()
  }
}
