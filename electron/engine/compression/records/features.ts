import type { Columns } from '../../text/tree/columns.ts'
import { isEmpty, lengthOf, pathOf, type JsonLeaves } from '../../text/tree/find-leaves.ts'
import { kindOf, NODE, parentOf } from '../../text/tree/json-document.ts'
import type { Asked } from './asked.ts'
import { findBridges } from './bridges.ts'
import type { Evidence } from './evidence.ts'
import { findExtremes } from './extremes.ts'
import { endOfPiece, isPiece, type Items } from './items.ts'
import type { Naming } from './naming.ts'
import { findOddities } from './oddities.ts'
import { findQuoted } from './quoted.ts'
import { findSevere } from './severity.ts'
import { looksOpaque } from './opaque.ts'
import { findDenied, findNeighbours, findSame } from './relations.ts'
import { measuredKinds, type ColumnKind } from './column-kinds.ts'

/** Each about 0 to 1; what they earn is in docs/compression.md. */
export const FEATURES = [
  'own',
  'ownPart',
  'adjacent',
  'last',
  'path',
  'comment',
  'parent',
  'record',
  'top',
  'cover',
  'relParent',
  'relRecord',
  'relTop',
  'relTop.last',
  'relParent.last',
  'relRecord.last',
  'extreme',
  'extremeNamed',
  'extremeRecord',
  'extremeRecordNamed',
  'odd',
  'oddRecord',
  'naming',
  'naming.relTop',
  'nameFit',
  'nameFit.last',
  'position',
  'length',
  'noise',
  'empty',
  'constant',
  'root',
  'type',
  'type.rel',
  'near',
  'beyond',
  'bridge',
  'schema',
  'series.rel',
  'next',
  'denied',
  'deniedRecord',
  'same',
  'quoted',
  'end',
  'group',
  'extreme.group',
] as const
export type Feature = (typeof FEATURES)[number]
const F = Object.fromEntries(FEATURES.map((name, place) => [name, place])) as Record<Feature, number>

export interface FeatureInput {
  readonly items: Items
  readonly columns: Columns
  readonly naming: Naming
  readonly evidence: Evidence
  readonly asked: Asked
}

/** Share of the goal that a quoted value adds to its record. */
const QUOTED = 0.3
/** Nothing fits well where the best share is below this. */
const LEAST_BEST = 0.1
const SERIES_LENGTH = 200

/** Length in characters as printed. */
export function itemLength(items: Items, item: number): number {
  const { leaves } = items
  if (isPiece(items, item)) return endOfPiece(items, item) - (items.starts[item] ?? 0)
  const leaf = items.leafOf[item] ?? 0
  const length = lengthOf(leaves, leaf)
  return kindOf(leaves.document, leaves.nodes[leaf] ?? 0) === NODE.array
    ? Math.min(length, SERIES_LENGTH)
    : length
}

/** Calls `use` with each item's features in order; the row is reused. */
export function forEachItem(input: FeatureInput, use: (item: number, row: Float64Array) => void): void {
  const { items, columns, naming, evidence, asked } = input
  const { leaves } = items
  const { document } = leaves
  const { root } = document
  const { query, inValues, inNames, inBoth, inside } = evidence
  const { goal } = query
  const quoted = findQuoted(items, goal)
  const records = fitRecords(leaves, evidence, quoted)
  const wantsOdd = goal.asksForOddity || goal.speaksOfTrouble
  const oddities = findOddities(leaves, columns)
  const { severe, severeIn } = findSevere(leaves, columns, goal.speaksOfTrouble)
  const kinds = measuredKinds(leaves, columns, asked.type !== undefined)
  const extremes = findExtremes({
    leaves,
    columns,
    asked,
    goal,
    namedBy: (path) => inNames(evidence.names[path] ?? 0),
    fitOf: (leaf) => records.top[leaves.outerRecords[leaves.nodes[leaf] ?? 0] ?? -1] ?? 0,
    bestFit: records.bestTop,
  })
  const bridges = findBridges(leaves, naming, records.top)
  const schema = fitPaths(leaves, evidence)
  const nameFits = fitNames(items, naming, evidence)
  const groups = fitGroups(leaves, evidence)
  const { indexes, sizes } = indexRecords(leaves)
  const endOf = (record: number, direction: number): number => {
    const index = indexes[record] ?? 0
    const size = sizes.get(parentOf(document, record)) ?? 0
    return size > 2 && index === (direction < 0 ? 0 : size - 1)
      ? (groups?.[parentOf(document, record)] ?? 1)
      : 0
  }
  const denied = findDenied(items, columns, evidence)
  const next = goal.asksForNeighbour ? findNeighbours(leaves, records) : undefined
  const same = goal.asksForSame ? findSame(items, columns, evidence, records) : undefined

  const row = new Float64Array(FEATURES.length)
  for (let item = 0; item < items.count; item++) {
    row.fill(0)
    const leaf = items.leafOf[item] ?? 0
    const node = leaves.nodes[leaf] ?? 0
    const path = pathOf(leaves, leaf)
    const parent = parentOf(document, node)
    const outer = leaves.outerRecords[node] ?? -1
    const inner = leaves.innerRecords[node] ?? -1
    const length = itemLength(items, item)
    const mask = evidence.own[item] ?? 0
    const nameMask = evidence.names[path] ?? 0
    const comment = evidence.commented.get(node) ?? 0
    const isNoise = looksOpaque(document.text, document.starts[node] ?? 0, document.stops[node] ?? 0)
    const own = inValues(mask) * (isNoise ? 0.4 : 1)
    const last = inNames(nameMask)
    const hasLast = Math.min(1, 2 * last)
    row[F.own] = own
    row[F.ownPart] = own / (0.5 + length / 80)
    const pairs = evidence.pairs[item] ?? 0
    row[F.adjacent] = query.pairs.size > 0 ? Math.min(1, pairs / Math.min(3, query.pairs.size)) : 0
    row[F.last] = last
    row[F.path] = inNames((evidence.above[path] ?? 0) & ~nameMask)
    row[F.comment] = comment === 0 ? 0 : inValues(comment)
    const inParent = parent <= root ? 0 : inValues(inside[parent] ?? 0)
    const relParent = cube(inParent / records.bestParent)
    const inRecord = inner < 0 ? 0 : (records.inner[inner] ?? 0)
    const relRecord = cube(inRecord / records.bestInner)
    const inTop = outer < 0 ? 0 : (records.top[outer] ?? 0)
    const relTop = cube(inTop / records.bestTop)
    row[F.parent] = inParent
    row[F.record] = inRecord
    row[F.top] = inTop
    row[F.cover] = inBoth(
      mask | nameMask | (evidence.above[path] ?? 0) | comment | (outer < 0 ? 0 : (inside[outer] ?? 0)),
    )
    row[F.relParent] = relParent
    row[F.relRecord] = relRecord
    row[F.relTop] = relTop
    row[F['relTop.last']] = relTop * hasLast
    row[F['relParent.last']] = relParent * hasLast
    row[F['relRecord.last']] = relRecord * hasLast
    if (extremes !== undefined) {
      row[F.extreme] = extremes.leaves[leaf] ?? 0
      row[F.extremeNamed] = extremes.named[leaf] ?? 0
      const topExtreme = outer < 0 ? 0 : (extremes.nodes[outer] ?? 0)
      const topNamed = outer < 0 ? 0 : (extremes.namedNodes[outer] ?? 0)
      row[F.extremeRecord] = parent <= root ? 0 : Math.max(extremes.nodes[parent] ?? 0, 0.6 * topExtreme)
      row[F.extremeRecordNamed] =
        parent <= root ? 0 : Math.max(extremes.namedNodes[parent] ?? 0, 0.7 * topNamed)
      row[F.beyond] = extremes.beyond[leaf] ?? 0
    }
    if (wantsOdd) {
      row[F.odd] = Math.max(oddities.leaves[leaf] ?? 0, goal.speaksOfTrouble ? 0.8 * severe[leaf]! : 0)
      row[F.oddRecord] =
        parent <= root
          ? 0
          : Math.max(
              oddities.nodes[parent] ?? 0,
              outer < 0 ? 0 : 0.7 * (oddities.nodes[outer] ?? 0),
              0.8 * severeIn[outer < 0 ? parent : outer]!,
            )
    }
    const isNaming = (inner >= 0 && naming[inner] === leaf) || (outer >= 0 && naming[outer] === leaf) ? 1 : 0
    row[F.naming] = isNaming
    row[F['naming.relTop']] = isNaming * relTop
    const named = Math.max(inner < 0 ? 0 : (nameFits[inner] ?? 0), outer < 0 ? 0 : (nameFits[outer] ?? 0))
    row[F.nameFit] = named * named
    row[F['nameFit.last']] = named * named * hasLast
    row[F.position] = 1 / (1 + (outer < 0 ? item : (indexes[outer] ?? 0)) / 3)
    row[F.length] = Math.min(1.5, Math.log(1 + length / 12) / 3)
    row[F.noise] = isNoise ? 1 : 0
    const isFalse = kindOf(document, node) === NODE.false
    row[F.empty] = isFalse || isEmpty(leaves, leaf) ? 1 : 0
    row[F.constant] = mask === 0 ? (oddities.isConstant[leaf] ?? 0) : 0
    row[F.root] = outer < 0 && parent <= root && length < 120 ? 1 : 0
    const isAsked =
      asked.type === undefined ? 0 : fitsType(asked.type, kinds[path] ?? 'text', leaves, node) ? 1 : 0
    row[F.type] = isAsked
    row[F['type.rel']] = isAsked * Math.max(relTop, relParent, relRecord)
    row[F.near] = nearOf(items, item, evidence)
    row[F.bridge] = outer < 0 ? 0 : (bridges?.get(outer) ?? 0)
    row[F.schema] = schema[path] ?? 0
    row[F['series.rel']] =
      kindOf(document, node) === NODE.array && length > 2 ? Math.max(relTop, relParent) : 0
    if (denied !== undefined) {
      row[F.denied] = denied.leaves[leaf] ?? 0
      row[F.deniedRecord] = parent <= root ? 0 : (denied.nodes[outer < 0 ? parent : outer] ?? 0)
    }
    row[F.quoted] = quoted?.[leaf] ?? 0
    row[F.end] = outer < 0 || !asked.ofPlace ? 0 : endOf(outer, asked.direction)
    row[F.next] = inner < 0 ? 0 : (next?.[inner] ?? 0)
    row[F.same] = inner < 0 ? 0 : (same?.[inner] ?? 0)
    const group = outer < 0 ? 0 : (groups?.[parentOf(document, outer)] ?? 0)
    row[F.group] = group
    row[F['extreme.group']] = group * Math.max(row[F.extreme]!, row[F.extremeRecord]!)
    use(item, row)
  }
}

const cube = (share: number): number => share * share * share

export interface RecordFits {
  readonly top: Float32Array
  readonly inner: Float32Array
  readonly bestTop: number
  readonly bestInner: number
  readonly bestParent: number
}

/** Shares of the goal by record node; an inner record counts with its outer record's own fields. */
function fitRecords(
  leaves: JsonLeaves,
  { inside, inValues }: Evidence,
  quoted: Float32Array | undefined,
): RecordFits {
  const { document } = leaves
  const top = new Float32Array(document.count)
  const inner = new Float32Array(document.count)
  let bestTop = LEAST_BEST
  let bestInner = LEAST_BEST
  let bestParent = LEAST_BEST
  const shared = new Int32Array(document.count)
  const quotes = new Float32Array(quoted === undefined ? 0 : document.count)
  for (let leaf = 0; leaf < leaves.count; leaf++) {
    const node = leaves.nodes[leaf] ?? 0
    const outer = leaves.outerRecords[node] ?? -1
    if (outer >= 0 && leaves.innerRecords[node] === outer) shared[outer]! |= inside[node] ?? 0
    const quote = quoted?.[leaf] ?? 0
    if (quote > 0) {
      const inner = leaves.innerRecords[node] ?? -1
      if (inner >= 0) quotes[inner] = Math.max(quotes[inner] ?? 0, quote)
      if (outer >= 0) quotes[outer] = Math.max(quotes[outer] ?? 0, quote)
    }
  }
  for (let node = document.root + 1; node < document.count; node++) {
    if (kindOf(document, node) > NODE.array) continue
    const mask = inside[node] ?? 0
    const quote = QUOTED * (quotes[node] ?? 0)
    if (mask === 0 && quote === 0) continue
    const outer = leaves.outerRecords[node] ?? -1
    const fit = inValues(mask) + quote
    bestParent = Math.max(bestParent, fit)
    if (outer === node) {
      top[node] = fit
      bestTop = Math.max(bestTop, fit)
    }
    if (leaves.innerRecords[node] === node) {
      inner[node] = quote + inValues(mask | (outer < 0 ? 0 : (shared[outer] ?? 0)))
      bestInner = Math.max(bestInner, inner[node] ?? 0)
    }
  }
  return { top, inner, bestTop, bestInner, bestParent }
}

/** How well paths' names fit, 0 to 1 of the best. */
function fitPaths(leaves: JsonLeaves, { names, above, inNames }: Evidence): Float64Array {
  const fits = new Float64Array(leaves.pathCount)
  let best = 1e-9
  for (let path = 0; path < leaves.pathCount; path++) {
    const fit = inNames((names[path] ?? 0) | (above[path] ?? 0)) * ((names[path] ?? 0) === 0 ? 0.6 : 1)
    fits[path] = fit
    best = Math.max(best, fit)
  }
  return fits.map((fit) => (fit / best) ** 4)
}

/** By list of records, where there are several: how well its values and names together fit, 0 to 1 of the best. */
function fitGroups(leaves: JsonLeaves, { inside, names, inBoth }: Evidence): Float64Array | undefined {
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

/** By record node: the share of its name's words that the goal has. */
function fitNames(items: Items, naming: Naming, evidence: Evidence): Float32Array {
  const { document } = items.leaves
  const fits = new Float32Array(document.count)
  for (let node = document.root; node < document.count; node++) {
    const leaf = naming[node] ?? -1
    if (leaf < 0) continue
    const item = items.firstOf[leaf] ?? 0
    const words = evidence.words[item] ?? 0
    if (words > 0) fits[node] = Math.min(1, (evidence.hits[item] ?? 0) / words)
  }
  for (const [node, mask] of evidence.keyed) fits[node] = Math.max(fits[node] ?? 0, mask === 0 ? 0 : 0.8)
  return fits
}

/** By outermost record: its place among its siblings. */
function indexRecords(leaves: JsonLeaves): { indexes: Int32Array; sizes: Map<number, number> } {
  const sizes = new Map<number, number>()
  const { document } = leaves
  const indexes = new Int32Array(document.count)
  let parent = -1
  let index = 0
  for (const record of leaves.records) {
    const above = parentOf(document, record)
    index = above === parent ? index + 1 : 0
    parent = above
    indexes[record] = index
    sizes.set(above, index + 1)
  }
  return { indexes, sizes }
}

function fitsType(
  type: NonNullable<Asked['type']>,
  kind: ColumnKind,
  leaves: JsonLeaves,
  node: number,
): boolean {
  if (type === 'date') return kind === 'date' || kind === 'duration'
  const own = kindOf(leaves.document, node)
  if (type === 'number') return kind === 'number' || kind === 'duration' || own === NODE.number
  return kind === 'text' && (own === NODE.string || own === NODE.text)
}

/** The better of the pieces beside one. */
function nearOf(items: Items, item: number, { own, inValues }: Evidence): number {
  if (!isPiece(items, item)) return 0
  const leaf = items.leafOf[item]
  const before = item > 0 && items.leafOf[item - 1] === leaf ? inValues(own[item - 1] ?? 0) : 0
  const after = items.leafOf[item + 1] === leaf ? inValues(own[item + 1] ?? 0) : 0
  return Math.max(before, after)
}
