import type { Columns } from '../../text/tree/columns.ts'
import { leavesOf, pathOf } from '../../text/tree/find-leaves.ts'
import { itemLength } from './features.ts'
import { Heap } from '../../ground/heap.ts'
import { isPiece, type Items } from './items.ts'
import { costOf } from './length-cost.ts'
import type { Oddities } from './oddities.ts'
import { looksOpaque } from './opaque.ts'
import { saysNone } from './says-none.ts'
import { MOST_FIELDS } from './title.ts'

export interface QueueInput {
  readonly items: Items
  readonly columns: Columns
  readonly oddities: Pick<Oddities, 'isConstant'>
  /** By item, less what its length costs. */
  readonly scores: Float64Array
  /** Off the score for a path's earlier values. */
  readonly repeat: number
}

/** Off a record's values at each doubling of those shown beyond the first few; in steps, so that few are ranked again. */
const REPEAT_RECORD = 0.55
const FREE = 6
const SHORT = 80
/** Off a longer value that is shown already. */
const REPEAT_TEXT = 2.5
const SAME_FROM = 30
const SAME_UP_TO = 160
/** Siblings of what is shown rank so much below it. */
const DROP = 5

/** Items by score less what earlier values of their path take: an order a path, and the paths by their first items. */
export class Queue {
  readonly #input: QueueInput
  /** By path: its best open item; -1 when none is left. */
  readonly #heads: Int32Array
  /** By path, once its second item is wanted. */
  readonly #orders: Heap[] = []
  readonly #uses: Uint32Array
  readonly #taken: Uint8Array
  readonly #paths = new Heap()
  /** By path: the rank it has in the heap, or -Infinity. */
  readonly #ranks: Float64Array
  readonly #lifted = new Heap()
  #rank = 0
  /** By outermost record: values taken for themselves. */
  readonly #usesOfRecord = new Map<number, number>()
  readonly #texts = new Set<string>()
  /** By item: what its record's values take off its rank. */
  readonly #deferred = new Map<number, number>()

  constructor(input: QueueInput) {
    this.#input = input
    const { items, scores } = input
    const { pathCount } = items.leaves
    this.#heads = new Int32Array(pathCount).fill(-1)
    this.#uses = new Uint32Array(pathCount)
    this.#ranks = new Float64Array(pathCount).fill(-Infinity)
    this.#taken = new Uint8Array(items.count)
    for (let item = 0; item < items.count; item++) {
      const path = this.#pathOf(item)
      const head = this.#heads[path]!
      if (head < 0 || scores[item]! > scores[head]!) this.#heads[path] = item
    }
    for (let path = 0; path < pathCount; path++) this.#enter(path)
  }

  /** The best item that isn't taken; -1 when none is left. */
  take(): number {
    for (;;) {
      const isLifted = this.#lifted.size > 0 && this.#lifted.topRank > this.#paths.topRank
      if (!isLifted && this.#paths.size === 0) return -1
      const rank = isLifted ? this.#lifted.topRank : this.#paths.topRank
      const item = isLifted ? this.#lifted.pop() : this.#popPath(rank)
      if (item < 0 || this.#taken[item] === 1 || this.#isDeferred(item, rank)) continue
      this.#taken[item] = 1
      const path = this.#pathOf(item)
      this.#uses[path]!++
      this.#enter(path)
      this.#rank = rank
      return item
    }
  }

  /** Puts off an item whose record has shown more values since the item was ranked. */
  #isDeferred(item: number, rank: number): boolean {
    const { leaves } = this.#input.items
    const outer = leaves.outerRecords[leaves.nodes[this.#input.items.leafOf[item] ?? 0] ?? 0] ?? -1
    const uses = this.#usesOfRecord.get(outer) ?? 0
    const text = this.#textOf(item)
    const off =
      REPEAT_RECORD * Math.floor(Math.log2(1 + Math.max(0, uses - FREE))) +
      (text !== '' && this.#texts.has(text) ? REPEAT_TEXT : 0)
    const known = this.#deferred.get(item) ?? 0
    if (off <= known) {
      if (text !== '') this.#texts.add(text)
      this.#usesOfRecord.set(outer, uses + 1)
      return false
    }
    this.#deferred.set(item, off)
    this.#lifted.push(rank - off + known, item)
    const path = this.#pathOf(item)
    if (this.#heads[path] === item) {
      this.#advance(path)
      this.#enter(path)
    }
    return true
  }

  #textOf(item: number): string {
    const { items } = this.#input
    if (itemLength(items, item) < SAME_FROM) return ''
    const leaf = items.leafOf[item] ?? 0
    if (isPiece(items, item)) {
      const start = items.starts[item] ?? 0
      return (items.long.get(leaf) ?? '').slice(start, start + SAME_UP_TO)
    }
    const { document, nodes } = items.leaves
    const start = document.starts[nodes[leaf] ?? 0] ?? 0
    return document.text.slice(start, Math.min(start + SAME_UP_TO, document.stops[nodes[leaf] ?? 0] ?? 0))
  }

  /** Takes a companion; false when it is taken already. */
  claim(item: number): boolean {
    if (this.#taken[item] === 1) return false
    this.#taken[item] = 1
    return true
  }

  /** Short fields of a record that is shown come before many second records. */
  liftSiblings(item: number, container: number): void {
    const { items, scores, oddities } = this.#input
    const { leaves } = items
    const { document } = leaves
    if (container <= document.root) return
    const isRecord = leaves.innerRecords[container] === container
    const [first, end] = leavesOf(leaves, container)
    for (let leaf = first; leaf < Math.min(end, first + MOST_FIELDS); leaf++) {
      const other = items.firstOf[leaf] ?? 0
      if (other === item || this.#taken[other] === 1 || isPiece(items, other)) continue
      const length = itemLength(items, other)
      if (length > SHORT || saysNone(leaves, leaf) || oddities.isConstant[leaf] === 1) continue
      const rank = this.#rank - DROP - costOf(length)
      if (rank <= (scores[other] ?? 0)) continue
      const node = leaves.nodes[leaf] ?? 0
      if (isRecord && leaves.innerRecords[node] !== container) continue
      if (!looksOpaque(document.text, document.starts[node] ?? 0, document.stops[node] ?? 0))
        this.#lifted.push(rank, other)
    }
  }

  /** Sorts a path's items when its first one has gone. */
  #advance(path: number): void {
    const { items, columns, scores } = this.#input
    let order = this.#orders[path]
    if (order === undefined) {
      this.#orders[path] = order = new Heap()
      for (const leaf of columns.of(path))
        for (let item = items.firstOf[leaf]!; item < items.firstOf[leaf + 1]!; item++)
          order.push(scores[item]!, item)
      order.pop()
    }
    this.#heads[path] = order.size === 0 ? -1 : order.pop()
  }

  #popPath(rank: number): number {
    const path = this.#paths.pop()
    if (this.#ranks[path] !== rank) return -1
    this.#ranks[path] = -Infinity
    const item = this.#heads[path]!
    if (item < 0 || this.#taken[item] === 1) this.#enter(path)
    return item
  }

  /** Puts a path's first open item into the heap; an older entry of the path no longer counts. */
  #enter(path: number): void {
    while (this.#heads[path]! >= 0 && this.#taken[this.#heads[path]!] === 1) this.#advance(path)
    const item = this.#heads[path]!
    this.#ranks[path] = -Infinity
    if (item < 0) return
    const { scores, repeat } = this.#input
    const rank = (scores[item] ?? 0) - repeat * Math.log(1 + this.#uses[path]!)
    this.#ranks[path] = rank
    this.#paths.push(rank, path)
  }

  #pathOf(item: number): number {
    return pathOf(this.#input.items.leaves, this.#input.items.leafOf[item] ?? 0)
  }
}
