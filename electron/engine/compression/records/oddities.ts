import type { Columns } from '../../text/tree/columns.ts'
import { type JsonLeaves, lengthOf, pathOf } from '../../text/tree/find-leaves.ts'
import { kindOf, NODE } from '../../text/tree/json-document.ts'
import { bestPlaces } from '../best-places.ts'
import { isNamingNumber } from './extremes.ts'
import { liftAbove } from './lift-above.ts'
import { measureLeaves } from './measure-leaves.ts'
import { valueHash } from './value-hash.ts'

/** What differs from the rest of its column, and what is the same everywhere. */
export interface Oddities {
  /** By leaf, 0 to 1. */
  readonly leaves: Float32Array
  /** By node: the oddest inside, up to the outermost record. */
  readonly nodes: Float32Array
  /** By leaf: the same in most records of its column. */
  readonly isConstant: Uint8Array
}

const SMALLEST = 5
const DOMINANT = 0.6
const RARE = 0.05
const CONSTANT = 0.8
/** Most distinct values of a category. */
const MOST_VALUES = 12

export function findOddities(leaves: JsonLeaves, columns: Columns): Oddities {
  const odd = new Float32Array(leaves.count)
  const nodes = new Float32Array(leaves.document.count)
  const isConstant = new Uint8Array(leaves.count)
  const mark = (leaf: number, strength: number): void => {
    odd[leaf] = strength
    liftAbove(leaves, leaf, nodes, strength)
  }
  for (let path = 1; path < leaves.pathCount; path++) {
    const column = columns.of(path)
    if (column.length >= SMALLEST) markColumn(leaves, column, mark, isConstant)
  }
  return { leaves: odd, nodes, isConstant }
}

function markColumn(
  leaves: JsonLeaves,
  column: Int32Array,
  mark: (leaf: number, strength: number) => void,
  isConstant: Uint8Array,
): void {
  const counts = new Map<number, number>()
  const hashes = new Int32Array(column.length)
  let most = 0
  // More distinct values mean that none is odd; stops early.
  const tooMany = Math.max(MOST_VALUES, column.length * 0.3)
  for (let place = 0; place < column.length; place++) {
    const hash = valueHash(leaves.document, leaves.nodes[column[place] ?? 0] ?? 0)
    hashes[place] = hash
    const count = (counts.get(hash) ?? 0) + 1
    counts.set(hash, count)
    if (count > most) most = count
    if (counts.size > tooMany) {
      markOutliers(leaves, column, mark)
      return
    }
  }
  const share = most / column.length
  const isCategory = counts.size <= MOST_VALUES && column.length > 10 * counts.size
  for (let place = 0; place < column.length; place++) {
    const leaf = column[place] ?? 0
    const count = counts.get(hashes[place] ?? 0) ?? 0
    if (share > CONSTANT && count === most && isShort(leaves, leaf)) isConstant[leaf] = 1
    if (counts.size < 2 || count > Math.max(1, RARE * column.length)) continue
    if (share >= DOMINANT) mark(leaf, share / Math.sqrt(count))
    else if (isCategory) mark(leaf, 0.5 / Math.sqrt(count))
  }
}

/** Of a column of numbers: the only negative ones, and one or two far from the rest. */
function markOutliers(
  leaves: JsonLeaves,
  column: Int32Array,
  mark: (leaf: number, strength: number) => void,
): void {
  if (column.length < LEAST_NUMBERS || isNamingNumber(leaves, pathOf(leaves, column[0] ?? 0))) return
  const measured = measureLeaves(leaves, column)
  if (measured === undefined || measured.kind === 'date') return
  const { values } = measured
  const sorted = values.filter((value) => !Number.isNaN(value)).sort()
  if (sorted.length < LEAST_NUMBERS) return
  const middle = sorted[sorted.length >> 1]!
  const spread = sorted.map((value) => Math.abs(value - middle)).sort()[Math.floor(sorted.length * 0.75)]!
  const isFar = (value: number): boolean => Math.abs(value - middle) > FAR * spread
  const most = Math.max(1, RARE * sorted.length)
  for (const isOdd of [(value: number) => value < 0, isFar]) {
    const found = column.filter((_, place) => isOdd(values[place]!))
    if (found.length <= most) for (const leaf of found) mark(leaf, OUTLIER)
    else if (isOdd === isFar)
      for (const place of bestPlaces(values.keys(), values, 1, LARGEST)) mark(column[place]!, OUTLIER)
  }
}

const LEAST_NUMBERS = 8
/** Times the distance from the median that three quarters keep. */
const FAR = 4
const OUTLIER = 0.6
/** Of a column where many are far from the rest. */
const LARGEST = 3

const isShort = (leaves: JsonLeaves, leaf: number): boolean =>
  lengthOf(leaves, leaf) < 200 || kindOf(leaves.document, leaves.nodes[leaf] ?? 0) > NODE.text
