import { pathOf } from './find-leaves.ts'
import type { JsonLeaves } from './find-leaves.ts'

/** In document order, like table columns. */
export interface Columns {
  readonly count: number
  of(path: number): Int32Array
}

/** Two linear passes. */
export function groupByPath(leaves: JsonLeaves): Columns {
  const starts = new Int32Array(leaves.pathCount + 1)
  for (let leaf = 0; leaf < leaves.count; leaf++) starts[pathOf(leaves, leaf) + 1]!++
  for (let path = 0; path < leaves.pathCount; path++) starts[path + 1]! += starts[path]!
  const next = starts.slice()
  const members = new Int32Array(leaves.count)
  for (let leaf = 0; leaf < leaves.count; leaf++) members[next[pathOf(leaves, leaf)]!++] = leaf
  // A view costs as much as reading tens of numbers.
  const columns: Int32Array[] = []
  return {
    count: leaves.pathCount,
    of: (path) => (columns[path] ??= members.subarray(starts[path], starts[path + 1])),
  }
}
