import type { Columns } from '../../text/tree/columns.ts'
import { labelOf, type JsonLeaves } from '../../text/tree/find-leaves.ts'
import { parentOf } from '../../text/tree/json-document.ts'
import type { Naming } from './naming.ts'
import { valueHash } from './value-hash.ts'

const KIND = /^(?:kind|type|status|state|level|severity|result|conclusion|phase)$/i
const MOST_KINDS = 12

/** By record: the leaf that says its kind or state, where records of several share names; -1 for none. */
export function findKindsOfRecords(leaves: JsonLeaves, columns: Columns, naming: Naming): Int32Array {
  const { document, nodes, innerRecords } = leaves
  const found = new Int32Array(document.count).fill(-1)
  const hashOf = (leaf: number): number => valueHash(document, nodes[leaf] ?? 0)
  for (let path = 1; path < leaves.pathCount; path++) {
    if (!KIND.test(labelOf(leaves, path))) continue
    const column = columns.of(path).filter((leaf) => {
      const record = parentOf(document, nodes[leaf] ?? 0)
      return innerRecords[record] === record && found[record] === -1 && (naming[record] ?? -1) >= 0
    })
    const kinds = new Set(column.map(hashOf)).size
    const names = new Set(column.map((leaf) => hashOf(naming[parentOf(document, nodes[leaf] ?? 0)] ?? 0)))
      .size
    if (kinds < 2 || kinds > MOST_KINDS || names === column.length) continue
    for (const leaf of column) found[parentOf(document, nodes[leaf] ?? 0)] = leaf
  }
  return found
}
