import { isCategory, isMachinery, namesRecord } from './field-names.ts'
import { isEmpty, labelOf, leavesOf, lengthOf, pathOf } from '../../text/tree/find-leaves.ts'
import type { JsonLeaves } from '../../text/tree/find-leaves.ts'
import { keyOf, parentOf } from '../../text/tree/json-document.ts'
import type { LeafTexts } from './leaf-texts.ts'

const IDENTITIES = 2
const LONGEST_IDENTITY = 100
/** Hundredths of a token: signs like `","`, `":"`, `},{"` are mostly one token. */
const SIGNS = 100
/** Stop after this many consecutive misfits. */
const MAX_MISSES = 80

/**
 * Takes leaves in order while they fit `budget` (estimated tokens including containers), and up to two that identify
 * a record with its first leaf. Ascending.
 */
export function selectLeaves(
  leaves: JsonLeaves,
  order: Iterable<number>,
  texts: LeafTexts,
  budget: number,
): number[] {
  const { document } = leaves
  const chosen = new Set<number>()
  // Marks by node: records already identified, and containers already open.
  const named = new Uint8Array(document.count)
  const open = new Uint8Array(document.count)
  const identities = identitiesFound(leaves)
  let left = Math.floor(budget * 100)
  let misses = 0

  const keyCost = (node: number): number => {
    const key = keyOf(document, node)
    return key < 0 ? 0 : texts.costOfKey(key) + SIGNS
  }
  const costOf = (leaf: number, opened: number[]): number => {
    const node = leaves.nodes[leaf] ?? 0
    let cost = keyCost(node) + texts.costOf(leaf) + SIGNS
    for (
      let parent = parentOf(document, node);
      parent >= 0 && open[parent] === 0;
      parent = parentOf(document, parent)
    ) {
      if (opened.includes(parent)) break
      opened.push(parent)
      cost += keyCost(parent) + SIGNS
      if (cost > left) break
    }
    return cost
  }

  for (const best of order) {
    if (misses >= MAX_MISSES || left <= 0) break
    if (chosen.has(best)) continue
    const companions = companionsOf(leaves, best, named, identities)
    const opened: number[] = []
    let cost = costOf(best, opened)
    for (const leaf of companions) if (!chosen.has(leaf)) cost += costOf(leaf, opened)
    if (cost > left) {
      misses++
      continue
    }
    left -= cost
    misses = 0
    chosen.add(best)
    for (const leaf of companions) chosen.add(leaf)
    for (const container of opened) open[container] = 1
    for (let record = recordOf(leaves, best); record >= 0; record = recordOf(leaves, -1, record))
      named[record] = 1
  }
  return [...chosen].sort((a, b) => a - b)
}

/** Leaves printed along with one: its table row and header, and names of enclosing records still unnamed. */
function companionsOf(
  leaves: JsonLeaves,
  best: number,
  named: Uint8Array,
  identities: Map<number, readonly number[]>,
): ReadonlySet<number> {
  const { document } = leaves
  let companions: Set<number> | undefined
  for (let record = recordOf(leaves, best); record >= 0; record = recordOf(leaves, -1, record)) {
    const header = leaves.tables.get(parentOf(document, record))
    if (header === undefined && named[record] === 1) continue
    if (header === undefined && identifies(leaves, best, record)) break
    companions ??= new Set()
    let own = header === undefined ? identities.get(record) : rowOf(leaves, record)
    if (own === undefined) identities.set(record, (own = identitiesOf(leaves, record)))
    for (const leaf of own) companions.add(leaf)
    for (const node of header ?? []) companions.add(leaves.before[node] ?? 0)
  }
  companions?.delete(best)
  return companions ?? NONE
}

const NONE: ReadonlySet<number> = new Set()

/** Selection runs several times per document. */
const found = new WeakMap<JsonLeaves, Map<number, readonly number[]>>()

function identitiesFound(leaves: JsonLeaves): Map<number, readonly number[]> {
  const known = found.get(leaves) ?? new Map<number, readonly number[]>()
  found.set(leaves, known)
  return known
}

/** All cells of a row: otherwise a cell's column would be unknown. */
function rowOf(leaves: JsonLeaves, row: number): number[] {
  const [first, end] = leavesOf(leaves, row)
  return Array.from({ length: end - first }, (_, place) => first + place)
}

/** The nearest record around a leaf or a record. */
function recordOf(leaves: JsonLeaves, leaf: number, record = -1): number {
  const inside = record >= 0 ? parentOf(leaves.document, record) : (leaves.nodes[leaf] ?? 0)
  return inside < 0 ? -1 : (leaves.innerRecords[inside] ?? -1)
}

function identifies(leaves: JsonLeaves, leaf: number, record: number): boolean {
  const label = labelOf(leaves, pathOf(leaves, leaf))
  return (
    parentOf(leaves.document, leaves.nodes[leaf] ?? 0) === record && namesRecord(label) && !isCategory(label)
  )
}

/**
 * Up to two short identifying fields: its own, otherwise those of an inner object (Kubernetes keeps the name in
 * "metadata"); otherwise the first short field.
 */
function identitiesOf(leaves: JsonLeaves, record: number): number[] {
  const own: number[] = []
  const inside: number[] = []
  let first: number | undefined
  const [start, end] = leavesOf(leaves, record)
  for (let leaf = start; leaf < end && own.length < IDENTITIES; leaf++) {
    const node = leaves.nodes[leaf] ?? 0
    const parent = parentOf(leaves.document, node)
    const isOwn = parent === record
    if (leaves.innerRecords[node] !== record || (!isOwn && parentOf(leaves.document, parent) !== record))
      continue
    if (lengthOf(leaves, leaf) > LONGEST_IDENTITY || isEmpty(leaves, leaf)) continue
    if (isOwn) first ??= leaf
    const label = labelOf(leaves, pathOf(leaves, leaf))
    if (namesRecord(label) && !isMachinery(label)) (isOwn ? own : inside).push(leaf)
  }
  const isOnlyCategory = own.every((leaf) => isCategory(labelOf(leaves, pathOf(leaves, leaf))))
  const found = isOnlyCategory ? [...inside.slice(0, IDENTITIES - own.length), ...own] : own
  return found.length > 0 || first === undefined ? found : [first]
}
