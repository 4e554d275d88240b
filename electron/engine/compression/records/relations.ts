import type { Columns } from '../../text/tree/columns.ts'
import { isEmpty, lengthOf, type JsonLeaves } from '../../text/tree/find-leaves.ts'
import { parentOf } from '../../text/tree/json-document.ts'
import type { Evidence } from './evidence.ts'
import type { RecordFits } from './record-fits.ts'
import type { Items } from './items.ts'
import { valueHash } from './value-hash.ts'

/** A record is meant when it fits this well, of the best. */
const MEANT = 0.8
const LONGEST = 60
const MOST_VALUES = 12
const SHARE = 0.2

const fitOf = (record: number, { inner, bestInner }: RecordFits): number => (inner[record] ?? 0) / bestInner

/** "Before X", "after X": by record node, whether it is beside one that is meant. */
export function findNeighbours(leaves: JsonLeaves, fits: RecordFits): Float32Array {
  const { document } = leaves
  const near = new Float32Array(document.count)
  const last = new Map<number, number>()
  for (let node = document.root + 1; node < document.count; node++) {
    if (leaves.innerRecords[node] !== node) continue
    const list = parentOf(document, node)
    const before = last.get(list)
    last.set(list, node)
    if (before === undefined) continue
    const [own, others] = [fitOf(node, fits), fitOf(before, fits)]
    if (others >= MEANT) near[node] = Math.max(near[node] ?? 0, others)
    if (own >= MEANT) near[before] = Math.max(near[before] ?? 0, own)
  }
  return near
}

/** "The same year as X": by record node, whether it shares a value that the goal names with one that is meant. */
export function findSame(
  { leaves }: Items,
  columns: Columns,
  evidence: Evidence,
  fits: RecordFits,
): Float32Array {
  const { document } = leaves
  const same = new Float32Array(document.count)
  for (let path = 1; path < leaves.pathCount; path++) {
    const named = evidence.inNames(evidence.names[path] ?? 0)
    if (named < 0.15) continue
    const wanted = new Set<number>()
    for (const leaf of columns.of(path)) {
      const node = leaves.nodes[leaf] ?? 0
      const record = leaves.innerRecords[node] ?? -1
      if (record >= 0 && !isEmpty(leaves, leaf) && fitOf(record, fits) >= MEANT)
        wanted.add(valueHash(document, node))
    }
    if (wanted.size === 0 || wanted.size > 4) continue
    for (const leaf of columns.of(path)) {
      const node = leaves.nodes[leaf] ?? 0
      const record = leaves.innerRecords[node] ?? -1
      if (record >= 0 && wanted.has(valueHash(document, node)))
        same[record] = Math.max(same[record] ?? 0, Math.min(1, 2 * named))
    }
  }
  return same
}

/** "Not running": other values of category columns that have the negated word, and their records. */
export function findDenied(
  { leaves, firstOf }: Items,
  columns: Columns,
  { query, denied: hits }: Evidence,
): { readonly leaves: Uint8Array; readonly nodes: Uint8Array } | undefined {
  if (query.denied === 0) return undefined
  const denied = new Uint8Array(leaves.count)
  const nodes = new Uint8Array(leaves.document.count)
  const has = (leaf: number): boolean => hits[firstOf[leaf] ?? 0] === 1
  for (let path = 1; path < leaves.pathCount; path++) {
    const column = columns.of(path)
    if (column.length < 3 || !column.some(has)) continue
    const kinds = new Set<number>()
    for (const leaf of column) kinds.add(valueHash(leaves.document, leaves.nodes[leaf] ?? 0))
    if (kinds.size > Math.max(MOST_VALUES, SHARE * column.length)) continue
    for (const leaf of column) {
      if (has(leaf) || isEmpty(leaves, leaf) || lengthOf(leaves, leaf) > LONGEST) continue
      denied[leaf] = 1
      const node = leaves.nodes[leaf] ?? 0
      const outer = leaves.outerRecords[node] ?? -1
      nodes[outer < 0 ? parentOf(leaves.document, node) : outer] = 1
    }
  }
  return { leaves: denied, nodes }
}
