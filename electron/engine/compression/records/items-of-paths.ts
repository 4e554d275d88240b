import { pathOf } from '../../text/tree/find-leaves.ts'
import type { Items } from './items.ts'

/** Items by the path of their leaf, in document order. */
export interface ItemsOfPaths {
  of(path: number): Int32Array
}

export function groupItems({ leaves, count, leafOf }: Items): ItemsOfPaths {
  const starts = new Int32Array(leaves.pathCount + 1)
  for (let item = 0; item < count; item++) starts[pathOf(leaves, leafOf[item] ?? 0) + 1]!++
  for (let path = 0; path < leaves.pathCount; path++) starts[path + 1]! += starts[path]!
  const next = starts.slice()
  const members = new Int32Array(count)
  for (let item = 0; item < count; item++) members[next[pathOf(leaves, leafOf[item] ?? 0)]!++] = item
  return { of: (path) => members.subarray(starts[path], starts[path + 1]) }
}
