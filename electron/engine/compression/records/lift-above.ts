import type { JsonLeaves } from '../../text/tree/find-leaves.ts'
import { parentOf } from '../../text/tree/json-document.ts'

/** By node: at least `value` for all that a leaf is in, up to its outermost record; its parent alone outside of records. */
export function liftAbove(
  { document, nodes, outerRecords }: JsonLeaves,
  leaf: number,
  by: Float32Array,
  value: number,
): void {
  const first = nodes[leaf] ?? 0
  const outer = outerRecords[first] ?? -1
  for (let node = parentOf(document, first); node >= 0; node = parentOf(document, node)) {
    by[node] = Math.max(by[node] ?? 0, value)
    if (node === outer || outer < 0) break
  }
}
