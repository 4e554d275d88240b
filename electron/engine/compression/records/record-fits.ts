import type { Columns } from '../../text/tree/columns.ts'
import { isEmpty, lengthOf, pathOf, type JsonLeaves } from '../../text/tree/find-leaves.ts'
import { kindOf, NODE, parentOf } from '../../text/tree/json-document.ts'
import type { Evidence } from './evidence.ts'
import type { Items } from './items.ts'
import { valueHash } from './value-hash.ts'

/** Nothing fits well where the best share is below this. */
const LEAST_BEST = 0.1

export const cube = (share: number): number => share * share * share

export interface RecordFits {
  /** By outermost record. */
  readonly top: Float32Array
  readonly bestTop: number
  readonly bestParent: number
}

/** Shares of the goal that records' values have. */
export function fitRecords({ document, outerRecords }: JsonLeaves, evidence: Evidence): RecordFits {
  const top = new Float32Array(document.count)
  let bestTop = LEAST_BEST
  let bestParent = LEAST_BEST
  for (let node = document.root + 1; node < document.count; node++) {
    const mask = evidence.inside[node] ?? 0
    if (mask === 0 || kindOf(document, node) > NODE.array) continue
    const fit = evidence.inValues(mask)
    bestParent = Math.max(bestParent, fit)
    if (outerRecords[node] !== node) continue
    top[node] = fit
    bestTop = Math.max(bestTop, fit)
  }
  return { top, bestTop, bestParent }
}

/** By list of records, where there are several: how well its values and names together fit, 0 to 1 of the best. */
export function fitGroups(leaves: JsonLeaves, { inside, names, inBoth }: Evidence): Float64Array | undefined {
  const { document } = leaves
  const masks = new Map<number, number>()
  const fieldsOf = new Map<number, number>()
  for (const record of leaves.records) {
    const list = parentOf(document, record)
    if (!masks.has(list)) masks.set(list, inside[list] ?? 0)
  }
  if (masks.size < 2) return undefined
  for (let leaf = 0; leaf < leaves.count; leaf++) {
    const node = leaves.nodes[leaf] ?? 0
    const outer = leaves.outerRecords[node] ?? -1
    if (outer < 0) continue
    const list = parentOf(document, outer)
    fieldsOf.set(list, (fieldsOf.get(list) ?? 0) | (names[pathOf(leaves, leaf)] ?? 0))
  }
  const fits = new Float64Array(document.count)
  let best = 1e-9
  for (const [list, mask] of masks) {
    fits[list] = inBoth(mask | (fieldsOf.get(list) ?? 0) | (names[leaves.paths[list] ?? 0] ?? 0))
    best = Math.max(best, fits[list] ?? 0)
  }
  for (const list of masks.keys()) fits[list] = cube((fits[list] ?? 0) / best)
  return fits
}

const LONGEST_DENIED = 60

/** "Not running": other short values of columns that repeat the denied one, and their records; by node. */
export function findDenied(
  { leaves, firstOf }: Items,
  columns: Columns,
  { denied }: Evidence,
): Uint8Array | undefined {
  if (denied === undefined) return undefined
  const { document, nodes, outerRecords } = leaves
  const others = new Uint8Array(document.count)
  const isDenied = (leaf: number): boolean => denied[firstOf[leaf] ?? 0] === 1
  for (let path = 1; path < leaves.pathCount; path++) {
    const column = columns.of(path)
    if (!column.some(isDenied)) continue
    const kinds = new Set(Array.from(column, (leaf) => valueHash(document, nodes[leaf] ?? 0)))
    if (kinds.size > Math.max(2, column.length / 4)) continue
    for (const leaf of column) {
      const node = nodes[leaf] ?? 0
      if (isDenied(leaf) || isEmpty(leaves, leaf) || lengthOf(leaves, leaf) > LONGEST_DENIED) continue
      others[node] = 1
      const outer = outerRecords[node] ?? -1
      others[outer > 0 ? outer : parentOf(document, node)] = 1
    }
  }
  return others
}

/** A record is meant when it fits this well, of the best. */
const MEANT = 0.8

/** "Before X", "after X": by outermost record, whether it is beside one that is meant. */
export function findNeighbours(
  { document, records }: JsonLeaves,
  { top, bestTop }: RecordFits,
): Float32Array {
  const near = new Float32Array(document.count)
  const last = new Map<number, number>()
  for (const record of records) {
    const list = parentOf(document, record)
    const before = last.get(list)
    last.set(list, record)
    if (before === undefined) continue
    const [own, others] = [top[record]! / bestTop, top[before]! / bestTop]
    if (others >= MEANT) near[record] = Math.max(near[record]!, others)
    if (own >= MEANT) near[before] = Math.max(near[before]!, own)
  }
  return near
}
