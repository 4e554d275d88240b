import type { Columns } from '../../text/tree/columns.ts'
import { isEmpty, lengthOf, type JsonLeaves } from '../../text/tree/find-leaves.ts'
import { kindOf, NODE, parentOf, sourceOf, type JsonDocument } from '../../text/tree/json-document.ts'
import type { Evidence } from './evidence.ts'
import type { Items } from './items.ts'
import { findJoined } from './joins.ts'
import type { Naming } from './naming.ts'
import { valueHash } from './value-hash.ts'

/** Nothing fits well where the best share is below this. */
const LEAST_BEST = 0.1

/** More than a record whose name only has the same words. */
const EXACT = 1.2

export const cube = (share: number): number => share * share * share

export const fitOf = ({ inside, inValues, exact }: Evidence, node: number): number =>
  inValues(inside[node] ?? 0) * (exact.has(node) ? EXACT : 1)

type RecordFits = ReturnType<typeof fitRecords>

/** Shares of the goal that records' values have; `top` by outermost record. */
export function fitRecords(leaves: JsonLeaves, evidence: Evidence, naming: Naming) {
  const { document, outerRecords } = leaves
  const top = new Float32Array(document.count)
  let bestTop = LEAST_BEST
  let bestParent = LEAST_BEST
  for (let node = document.root + 1; node < document.count; node++) {
    const mask = evidence.inside[node] ?? 0
    if (mask === 0 || kindOf(document, node) > NODE.array) continue
    const fit = fitOf(evidence, node)
    bestParent = Math.max(bestParent, fit)
    if (outerRecords[node] !== node) continue
    top[node] = fit
    bestTop = Math.max(bestTop, fit)
  }
  if (evidence.query.goal.order === undefined)
    for (const [record, by] of findJoined(leaves, naming, evidence, (each) => top[each]! >= MEANT * bestTop))
      top[record] = Math.max(top[record]!, top[by]!)
  return { top, bestTop, bestParent }
}

const LONGEST_DENIED = 60
const MOSTLY = 0.5
const isTrue = (document: JsonDocument, node: number): boolean =>
  /^"?(?:true|yes|on|1)"?$/i.test(sourceOf(document, node).slice(0, LONGEST_DENIED))

/** "Not running", and "not ready" of `"ready": false`: other short values of columns that repeat the denied one, and their records; by node. */
export function findDenied(
  { leaves, firstOf }: Items,
  columns: Columns,
  { denied, names, query }: Evidence,
): Uint8Array | undefined {
  if (denied === undefined) return undefined
  const { document, nodes, outerRecords } = leaves
  const others = new Uint8Array(document.count)
  for (let path = 1; path < leaves.pathCount; path++) {
    const column = columns.of(path)
    const isState = (names[path]! & query.denied) !== 0
    const isDenied = (leaf: number): boolean =>
      isState ? isTrue(document, nodes[leaf] ?? 0) : denied[firstOf[leaf] ?? 0] === 1
    const found = column.filter(isDenied).length
    if (found === 0) continue
    const kinds = new Set(Array.from(column, (leaf) => valueHash(document, nodes[leaf] ?? 0)))
    // Where most have the denied word, the others are meant, however they differ.
    if (kinds.size > Math.max(2, column.length / 4) && found < MOSTLY * column.length) continue
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
