/** One listener per signal, because Node walks all of them on every add or remove. */
export class AbortWatch<Waiting> {
  readonly #waiting = new Map<AbortSignal, { readonly all: Set<Waiting>; readonly end: () => void }>()
  readonly #onAbort: (waiting: Waiting, reason: unknown) => void

  constructor(onAbort: (waiting: Waiting, reason: unknown) => void) {
    this.#onAbort = onAbort
  }

  add(signal: AbortSignal, waiting: Waiting): void {
    const known = this.#waiting.get(signal)
    if (known) {
      known.all.add(waiting)
      return
    }
    const all = new Set([waiting])
    const onAbort = (): void => {
      this.#waiting.delete(signal)
      for (const each of all) this.#onAbort(each, signal.reason)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    this.#waiting.set(signal, { all, end: () => signal.removeEventListener('abort', onAbort) })
  }

  remove(signal: AbortSignal, waiting: Waiting): void {
    const known = this.#waiting.get(signal)
    if (!known?.all.delete(waiting) || known.all.size > 0) return
    known.end()
    this.#waiting.delete(signal)
  }
}
