interface Entry<T> {
  readonly value: T
  /** Running exchanges. */
  busy: number
  timer: NodeJS.Timeout | undefined
}

export interface IdleTableOptions<T> {
  readonly idleMs: number
  readonly maxEntries: number
  close(value: T): Promise<void>
}

/** HTTP clients seldom disconnect explicitly. */
export class IdleTable<T> {
  readonly #options: IdleTableOptions<T>
  readonly #entries = new Map<string, Entry<T>>()
  readonly #closing = new Set<Promise<void>>()

  constructor(options: IdleTableOptions<T>) {
    this.#options = options
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: string): T | undefined {
    return this.#entries.get(key)?.value
  }

  add(key: string, value: T): boolean {
    if (this.#entries.size >= this.#options.maxEntries) {
      const idle = [...this.#entries].find(([, { busy }]) => busy === 0)
      if (!idle) return false
      this.remove(idle[0])
    }
    const entry: Entry<T> = { value, busy: 0, timer: undefined }
    this.#entries.set(key, entry)
    this.#rest(key, entry)
    return true
  }

  use(key: string): () => void {
    const entry = this.#entries.get(key)
    if (!entry) return () => {}
    clearTimeout(entry.timer)
    entry.busy++
    const state = { used: true }
    return () => {
      if (!state.used) return
      state.used = false
      entry.busy--
      if (entry.busy > 0 || this.#entries.get(key) !== entry) return
      this.#entries.delete(key)
      this.#entries.set(key, entry)
      this.#rest(key, entry)
    }
  }

  remove(key: string): void {
    const entry = this.#entries.get(key)
    if (!entry) return
    this.#entries.delete(key)
    clearTimeout(entry.timer)
    const closing = this.#options.close(entry.value).finally(() => this.#closing.delete(closing))
    this.#closing.add(closing)
  }

  async closeAll(): Promise<void> {
    for (const key of this.#entries.keys()) this.remove(key)
    await Promise.allSettled(this.#closing)
  }

  #rest(key: string, entry: Entry<T>): void {
    entry.timer = setTimeout(() => this.remove(key), this.#options.idleMs)
    entry.timer.unref()
  }
}
