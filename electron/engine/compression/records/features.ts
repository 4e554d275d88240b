import { isEmpty, lengthOf } from '../../text/tree/find-leaves.ts'
import { endOf, kindOf, NODE, parentOf } from '../../text/tree/json-document.ts'
import type { Evidence } from './evidence.ts'
import { findExtremes } from './extremes.ts'
import { F, FEATURES } from './weights.ts'
import { endOfPiece, isPiece, type Items } from './items.ts'
import { isCoded, looksOpaque } from './opaque.ts'
import type { ReadRecords } from './read-records.ts'
import { findSame } from './joins.ts'
import { cube, findDenied, findNeighbours, fitOf, fitRecords } from './record-fits.ts'
import { findAbsent } from './find-absent.ts'
import { findSevere } from './severity.ts'

export interface FeatureInput extends ReadRecords {
  readonly evidence: Evidence
}

const SERIES_LENGTH = 200
/** Of what is odd or failing where no record has the goal's words; less the better one fits. */
const ODD_ANYWAY = 0.4
/** Of a match in what a field of ids is called, at the least: "which order" says what the records are. */
const OF_CODED = 0.3
/** Of a match in a link, hash and the like. */
const IN_NOISE = 0.4
const LONGEST_ROOT = 120
/** Records whose whole name the goal says, all of whose values are wanted. */
const MOST_EXACT = 3

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

/** Calls `use` with each item's features; the row is reused. `isSame`: the record's features are the last item's. */
export function forEachItem(
  input: FeatureInput,
  use: (item: number, row: Float64Array, isSame: boolean, length: number) => void,
): void {
  const { items, evidence, naming, oddities } = input
  const { leaves } = items
  const { document } = leaves
  const { query, inValues, inBoth, inside, own: masks, names, above } = evidence
  const signals = findSignals(input)
  const { extremes, severe, lasts, upper, wantsOdd, oddShare, denied, absent } = signals
  const { outerRecords, innerRecords, nodes, paths } = leaves
  const mostPairs = Math.min(3, query.pairs.size)
  const { speaksOfTrouble } = query.goal

  const row = new Float64Array(FEATURES.length)
  let lastParent = -2
  let lastInner = -2
  let around = 0
  for (let item = 0; item < items.count; item++) {
    const leaf = items.leafOf[item]!
    const node = nodes[leaf]!
    const path = paths[node]!
    const parent = document.parents[node]!
    const outer = outerRecords[node]!
    const inner = innerRecords[node]!
    const isSame = parent === lastParent && inner === lastInner
    if (!isSame) {
      lastParent = parent
      lastInner = inner
      writeRecord(row, input, signals, parent, outer)
      around = outer < 0 ? 0 : inside[outer]!
    }
    const length = itemLength(items, item)
    const isPresent = absent?.present[node] === 1
    const mask = masks[item]!
    const start = document.starts[node]!
    const isNoise = length >= 24 && looksOpaque(document.text, start, document.stops[node]!)
    const isNaming = (inner >= 0 && naming[inner] === leaf) || (outer >= 0 && naming[outer] === leaf) ? 1 : 0
    const saysWhat = isNaming === 1 && isCoded(document, node)
    const last = isPresent ? 0 : lasts[path]! * (saysWhat ? Math.max(OF_CODED, row[F.relTop]!) : 1)
    const hasLast = last > 0.5 ? 1 : 2 * last
    const relTop = row[F.relTop]!
    const own = mask === 0 ? 0 : inValues(mask) * (isNoise ? IN_NOISE : 1)
    row[F.own] = own
    row[F.ownPart] = own / (0.5 + length / 80)
    row[F.adjacent] = mostPairs > 0 ? Math.min(1, evidence.pairs[item]! / mostPairs) : 0
    row[F.last] = last
    row[F.path] = isPresent ? 0 : upper[path]!
    const comment = evidence.commented.size > 0 ? (evidence.commented.get(node) ?? 0) : 0
    const ofNames = isPresent ? 0 : (saysWhat ? 0 : names[path]!) | above[path]!
    row[F.cover] = inBoth(mask | ofNames | comment | around)
    row[F['relTop.last']] = relTop * hasLast
    row[F['relParent.last']] = row[F.relParent]! * hasLast
    row[F.extreme] = extremes.leaves[leaf]!
    row[F.extremeNamed] = extremes.named[leaf]!
    row[F.beyond] = extremes.beyond[leaf]!
    if (oddShare > 0)
      row[F.odd] =
        oddShare * Math.max(oddities.leaves[leaf]!, speaksOfTrouble || !wantsOdd ? 0.8 * severe[leaf]! : 0)
    row[F.naming] = isNaming
    row[F['naming.relTop']] = isNaming * relTop
    row[F.length] = lengths[Math.min(length, LONGEST_LENGTH)]!
    row[F.noise] = isNoise && isNaming === 0 ? 1 - hasLast : 0
    row[F.empty] = document.kinds[node] === NODE.false || isEmpty(leaves, leaf) ? 1 : 0
    row[F.constant] = mask === 0 ? oddities.isConstant[leaf]! : 0
    row[F.root] = outer < 0 && parent <= document.root && length < LONGEST_ROOT ? 1 : 0
    row[F.denied] = denied?.[node] || absent?.wanted[node] || 0
    use(item, row, isSame, length)
  }
}

const LONGEST_LENGTH = 1100
const lengths = Float64Array.from({ length: LONGEST_LENGTH + 1 }, (_, length) =>
  Math.min(1.5, Math.log(1 + length / 12) / 3),
)

/** What the features are read from. */
function findSignals({ items, columns, evidence, naming }: FeatureInput) {
  const { leaves } = items
  const { goal } = evidence.query
  const records = fitRecords(leaves, evidence, naming)
  const lasts = Float64Array.from(evidence.names, evidence.inNames)
  const wantsOdd = goal.asksForOddity || goal.speaksOfTrouble
  const isOrdered = goal.order !== undefined
  return {
    records,
    lasts,
    upper: Float64Array.from(evidence.above, (mask, path) => evidence.inNames(mask & ~evidence.names[path]!)),
    wantsOdd,
    oddShare: wantsOdd ? 1 : isOrdered ? 0 : ODD_ANYWAY * Math.max(0, 1 - records.bestTop),
    ...findSevere(leaves, columns, goal.speaksOfTrouble),
    extremes: findExtremes({
      leaves,
      columns,
      goal,
      namedBy: (path) => lasts[path] ?? 0,
      fitOf: (leaf) => records.top[leaves.outerRecords[leaves.nodes[leaf] ?? 0] ?? -1] ?? 0,
      bestFit: records.bestTop,
    }),
    denied: findDenied(items, columns, evidence),
    absent: findAbsent(leaves, evidence),
    next: goal.asksForSame
      ? findSame(leaves, columns, evidence, (record) => records.top[record] === Math.fround(records.bestTop))
      : goal.asksForNeighbour
        ? findNeighbours(leaves, records)
        : undefined,
  }
}
type Signals = ReturnType<typeof findSignals>

/** Features that all leaves of a parent share. */
function writeRecord(
  row: Float64Array,
  { items, evidence, oddities }: FeatureInput,
  signals: Signals,
  parent: number,
  outer: number,
): void {
  const { document } = items.leaves
  const { records, extremes, severeIn, denied, absent } = signals
  const isInside = parent > document.root
  const inParent = isInside ? fitOf(evidence, parent) : 0
  const inTop = outer < 0 ? 0 : (records.top[outer] ?? 0)
  row[F.parent] = inParent
  row[F.top] = inTop
  row[F.exact] = outer >= 0 && evidence.exact.size <= MOST_EXACT && evidence.exact.has(outer) ? 1 : 0
  row[F.relParent] = cube(inParent / records.bestParent)
  row[F.relTop] = cube(inTop / records.bestTop)
  if (isInside) {
    const top = outer < 0 ? 0 : (extremes.nodes[outer] ?? 0)
    const topNamed = outer < 0 ? 0 : (extremes.namedNodes[outer] ?? 0)
    row[F.extremeRecord] = Math.max(extremes.nodes[parent] ?? 0, 0.6 * top)
    row[F.extremeRecordNamed] = Math.max(extremes.namedNodes[parent] ?? 0, 0.7 * topNamed)
  } else row[F.extremeRecord] = row[F.extremeRecordNamed] = 0
  row[F.oddRecord] =
    signals.oddShare > 0 && isInside
      ? signals.oddShare *
        Math.max(
          oddities.nodes[parent] ?? 0,
          outer < 0 ? 0 : 0.7 * (oddities.nodes[outer] ?? 0),
          0.8 * (severeIn[outer < 0 ? parent : outer] ?? 0),
        )
      : 0
  const holder = outer < 0 ? parent : outer
  row[F.deniedRecord] = isInside ? denied?.[holder] || absent?.wanted[holder] || 0 : 0
  row[F.next] = outer < 0 ? 0 : (signals.next?.[outer] ?? 0)
  const list = outer < 0 ? -1 : parentOf(document, outer)
  const isLast = endOf(document, outer) === endOf(document, list)
  const { order } = evidence.query.goal
  row[F.end] =
    list >= 0 && order?.of === 'place' && (order.end === 'min' ? outer === list + 1 : isLast) ? 1 : 0
}
