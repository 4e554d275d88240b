/** Seeded pseudo-random numbers (mulberry32). */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** In [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    const a = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    const b = (a + Math.imul(a ^ (a >>> 7), 61 | a)) ^ a
    return ((b ^ (b >>> 14)) >>> 0) / 2 ** 32
  }

  /** An integer, both ends included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  pick<T>(values: readonly T[]): T | undefined {
    return values[Math.floor(this.next() * values.length)]
  }

  /** A key, chosen by weight. */
  weighted<Key extends string>(weights: Readonly<Record<Key, number>>): Key {
    const entries = Object.entries(weights) as [Key, number][]
    const total = entries.reduce((sum, [, weight]) => sum + weight, 0)
    let left = this.next() * total
    const found = entries.find(([, weight]) => (left -= weight) < 0)
    return (found ?? entries[0] ?? [Object.keys(weights)[0] as Key])[0]
  }

  /** An independent generator: draws of one part do not affect others. */
  fork(): Random {
    return new Random(Math.floor(this.next() * 2 ** 32))
  }
}
