/** Highest rank first; ties by number. Few are read of many, which are not sorted. */
export class Heap {
  readonly #ranks: number[] = []
  readonly #items: number[] = []

  get size(): number {
    return this.#items.length
  }

  get topRank(): number {
    return this.#ranks[0] ?? -Infinity
  }

  push(rank: number, item: number): void {
    let at = this.#items.length
    this.#ranks.push(rank)
    this.#items.push(item)
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.#isBefore(rank, item, parent)) break
      this.#move(parent, at)
      at = parent
    }
    this.#ranks[at] = rank
    this.#items[at] = item
  }

  pop(): number {
    const top = this.#items[0] ?? 0
    const rank = this.#ranks.pop() ?? 0
    const item = this.#items.pop() ?? 0
    const size = this.#items.length
    if (size === 0) return top
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= size) break
      if (child + 1 < size && this.#isBefore(this.#ranks[child + 1] ?? 0, this.#items[child + 1] ?? 0, child))
        child++
      if (this.#isBefore(rank, item, child)) break
      this.#move(child, at)
      at = child
    }
    this.#ranks[at] = rank
    this.#items[at] = item
    return top
  }

  #isBefore(rank: number, item: number, place: number): boolean {
    const other = this.#ranks[place] ?? 0
    return rank > other || (rank === other && item < (this.#items[place] ?? 0))
  }

  #move(from: number, to: number): void {
    this.#ranks[to] = this.#ranks[from] ?? 0
    this.#items[to] = this.#items[from] ?? 0
  }
}
