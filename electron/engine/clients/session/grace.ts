/** Limit until the first arrives … */
const PATIENCE_MS = 10_000
/** … and after the latest arrival. */
const GRACE_MS = 2000

export interface GraceOptions {
  /** Of each listing of all servers. Default: the limits above. */
  readonly startGrace?: (() => Grace) | undefined
}

/** A hanging server delays a list only briefly after the others; longer if none arrives. */
export class Grace {
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

  arrived(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#end, this.#graceMs)
  }

  stop(): void {
    clearTimeout(this.#patience)
    clearTimeout(this.#timer)
    this.#end()
  }
}
