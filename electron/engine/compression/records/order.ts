import { endOf, isContainer, parentOf } from '../../text/tree/json-document.ts'
import { isEmpty, leavesOf, pathOf, type JsonLeaves } from '../../text/tree/find-leaves.ts'
import { bestFirst } from './best-first.ts'
import { itemLength } from './features.ts'
import { isPiece, type Items } from './items.ts'
import { looksOpaque } from './opaque.ts'
import type { Naming } from './naming.ts'

/** Characters of values and names up to which a record is shown whole; a table's row. */
const WHOLE = 110
const WHOLE_ROW = 330
/** Off the score per doubling or so of length. */
const COST = 1

const SHORT = 80
const MOST_FIELDS = 40
const DROP = 5

export interface Step {
  /** Items, the best first. */
  readonly items: readonly number[]
}

export interface OrderInput {
  readonly items: Items
  readonly naming: Naming
  /** By item. */
  readonly scores: Float64Array
  /** Rows of tables print cheaply. */
  readonly isTable: boolean
  /** Off the score for a path's earlier values. */
  readonly repeat: number
  /** The same for names of records. */
  readonly repeatName: number
}

/**
 * One order for every budget: by score, less for each earlier value of the same path. A value comes with what names
 * the records above it, and with its whole record when that is short.
 */
export function* orderItems({
  items,
  naming,
  scores,
  isTable,
  repeat,
  repeatName,
}: OrderInput): Generator<Step> {
  const { leaves } = items
  const { document } = leaves
  const ranks = new Float64Array(items.count)
  for (let item = 0; item < items.count; item++)
    ranks[item] = (scores[item] ?? 0) - COST * costs[Math.min(LONGEST, itemLength(items, item))]!
  const uses = new Uint32Array(leaves.pathCount)
  const taken = new Uint8Array(items.count)
  const heap = new Heap()
  const sorted = bestFirst(ranks)[Symbol.iterator]()
  let next = sorted.next()
  const now = (item: number): number =>
    (ranks[item] ?? 0) - repeatOf(item) * Math.log(1 + (uses[pathOf(leaves, items.leafOf[item] ?? 0)] ?? 0))
  /** An inventory of names is no repetition. */
  const repeatOf = (item: number): number => {
    const leaf = items.leafOf[item] ?? 0
    const outer = leaves.outerRecords[leaves.nodes[leaf] ?? 0] ?? -1
    return outer >= 0 && naming[outer] === leaf ? repeatName : repeat
  }

  /** Short fields of a record that is shown come before many second records. */
  function liftSiblings(node: number, inner: number, rank: number): void {
    const container = inner >= 0 ? inner : parentOf(document, node)
    if (container <= document.root) return
    const [first, end] = leavesOf(leaves, container)
    for (let leaf = first; leaf < Math.min(end, first + MOST_FIELDS); leaf++) {
      const other = items.firstOf[leaf] ?? 0
      if (taken[other] === 1 || isPiece(items, other) || itemLength(items, other) > SHORT) continue
      const lifted = rank - DROP - COST * costs[itemLength(items, other)]!
      if (lifted <= (ranks[other] ?? 0) || isEmpty(leaves, leaf)) continue
      const sibling = leaves.nodes[leaf] ?? 0
      if (looksOpaque(document.text, document.starts[sibling] ?? 0, document.stops[sibling] ?? 0)) continue
      ranks[other] = lifted
      heap.push(now(other), other)
    }
  }

  for (;;) {
    while (next.done !== true && (heap.size === 0 || (ranks[next.value] ?? 0) >= heap.topRank)) {
      if (taken[next.value] === 0) heap.push(now(next.value), next.value)
      next = sorted.next()
    }
    if (heap.size === 0) return
    const rank = heap.topRank
    const item = heap.pop()
    if (taken[item] === 1) continue
    const current = now(item)
    if (current < rank - 1e-9) {
      heap.push(current, item)
      continue
    }
    const step: number[] = []
    const take = (other: number): void => {
      if (taken[other] === 1) return
      taken[other] = 1
      step.push(other)
    }
    take(item)
    const leaf = items.leafOf[item] ?? 0
    uses[pathOf(leaves, leaf)]!++
    const node = leaves.nodes[leaf] ?? 0
    const inner = leaves.innerRecords[node] ?? -1
    if (inner >= 0 && isShort(leaves, inner, isTable ? WHOLE_ROW : WHOLE)) takeAll(inner)
    else {
      const parent = parentOf(document, node)
      if (parent > document.root && parent !== inner && isShort(leaves, parent, WHOLE)) takeAll(parent)
    }
    for (let record = inner; record >= 0; record = above(leaves, record)) {
      const name = naming[record] ?? -1
      if (name >= 0 && !isPiece(items, items.firstOf[name] ?? 0)) take(items.firstOf[name] ?? 0)
      for (const header of leaves.tables.get(parentOf(document, record)) ?? [])
        take(items.firstOf[leaves.before[header] ?? 0] ?? 0)
    }
    liftSiblings(node, inner, current)
    yield { items: step }

    function takeAll(container: number): void {
      const [first, end] = leavesOf(leaves, container)
      for (let other = items.firstOf[first] ?? 0; other < (items.firstOf[end] ?? 0); other++)
        if (!isEmpty(leaves, items.leafOf[other] ?? 0)) take(other)
    }
  }
}

const above = (leaves: JsonLeaves, record: number): number => {
  const parent = parentOf(leaves.document, record)
  return parent < 0 ? -1 : (leaves.innerRecords[parent] ?? -1)
}

/** Adds up sources of values and their names; stops early. */
function isShort({ document, paths, pathLabels }: JsonLeaves, container: number, most: number): boolean {
  let length = 0
  for (let node = container + 1; node < endOf(document, container); node++) {
    if (!isContainer(document, node)) length += (document.stops[node] ?? 0) - (document.starts[node] ?? 0)
    length += (pathLabels[paths[node] ?? 0] ?? '').length
    if (length > most) return false
  }
  return true
}

const LONGEST = 5000
const costs = Float64Array.from({ length: LONGEST + 1 }, (_, length) => Math.log(1 + length / 40))

/** Highest rank first; ties by item. */
class Heap {
  #ranks: number[] = []
  #items: number[] = []

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
