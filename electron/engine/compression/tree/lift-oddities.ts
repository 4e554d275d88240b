import type { Columns } from '../../text/tree/columns.ts'
import { leavesOf, lengthOf } from '../../text/tree/find-leaves.ts'
import type { JsonLeaves } from '../../text/tree/find-leaves.ts'
import { parentOf, sourceOf } from '../../text/tree/json-document.ts'

/** Longest category value. */
const LONGEST = 42
const SMALLEST_COLUMN = 6
const DOMINANT = 0.6
const RARE = 0.08
const EACH = 3

export interface Oddity {
  readonly leaf: number
  /** At most 1: the agreement of the rest of the column, less for repeated values. */
  readonly strength: number
}

/**
 * Values that differ from nearly all records: in at most 8 % of a column whose commonest value has at least 60 %.
 * Without that dominance every city and colour would be odd.
 */
export function findOddities(leaves: JsonLeaves, columns: Columns): Oddity[] {
  const found: Oddity[] = []
  for (let path = 0; path < columns.count; path++) {
    const column = columns.of(path)
    if (column.length < SMALLEST_COLUMN) continue
    const byValue = new Map<string, number[]>()
    let most = 0
    let size = 0
    // More distinct values mean none is odd; stops early.
    const tooMany = Math.max(3, column.length * 0.2)
    for (const leaf of column) {
      if (byValue.size > tooMany) break
      if (lengthOf(leaves, leaf) > LONGEST) continue
      const text = sourceOf(leaves.document, leaves.nodes[leaf] ?? 0)
      const same = byValue.get(text)
      if (same) same.push(leaf)
      else byValue.set(text, [leaf])
      most = Math.max(most, same?.length ?? 1)
      size++
    }
    const share = most / size
    if (size < SMALLEST_COLUMN || byValue.size < 2 || share < DOMINANT) continue
    if (byValue.size > Math.max(3, size * 0.2)) continue
    for (const same of byValue.values())
      if (same.length <= Math.max(1, size * RARE))
        for (const leaf of same.slice(0, EACH))
          found.push({ leaf, strength: share ** 2 / Math.sqrt(same.length) })
  }
  return found
}

/** Raises odd values and the rest of their records. */
export function liftOddities(
  leaves: JsonLeaves,
  oddities: readonly Oddity[],
  values: Float64Array,
  weightOf: (oddity: Oddity) => number,
): void {
  for (const oddity of oddities) {
    const lift = weightOf(oddity)
    const node = leaves.nodes[oddity.leaf] ?? 0
    const record = leaves.outerRecords[node] ?? -1
    const [first, end] = leavesOf(
      leaves,
      record >= 0 ? record : Math.max(leaves.document.root, parentOf(leaves.document, node)),
    )
    values[oddity.leaf]! += lift
    for (let leaf = first; leaf < end; leaf++) if (leaf !== oddity.leaf) values[leaf]! += 0.6 * lift
  }
}
