import type { Columns } from '../../text/tree/columns.ts'
import { labelOf, pathOf, type JsonLeaves } from '../../text/tree/find-leaves.ts'
import { COMMENT } from '../../text/readers/comments.ts'
import { kindOf, NODE, parentOf } from '../../text/tree/json-document.ts'
import { itemLength } from './features.ts'
import { costOf } from './length-cost.ts'
import { depthsOf } from './list-keys.ts'
import type { Naming } from './naming.ts'
import { isCounter, isNamingNumber } from './extremes.ts'
import { measureLeaves } from './measure-leaves.ts'
import { looksOpaque } from './opaque.ts'
import type { ReadRecords } from './read-records.ts'
import { saysNone } from './says-none.ts'
import { findSevere } from './severity.ts'
import { isTitle } from './title.ts'
import { findTwins } from './twins.ts'

const WEIGHT = {
  severe: 4,
  odd: 3,
  /** What else a severe or odd record holds, of the above. */
  ofRecord: 0.75,
  first: 2,
  naming: 2.6,
  length: 0.3,
  noise: -2,
  empty: -1,
  /** Defaults that aren't in force, and comments between them: below what is. */
  commentedOut: -4,
  constant: -0.6,
  /** Of two objects that say nearly the same: what only one says, and what the second repeats. */
  differs: 4,
  repeated: -3,
  depth: -0.04,
  end: 2.6,
  /** Short values beside lists of records, near the root, no elements of other lists: a grade, a total. */
  top: 3,
  /** What an object is called, and ids that only name it. */
  title: 0.5,
  id: -0.3,
} as const

const NONE: ReadonlySet<number> = new Set()

/** Of words of failure in a column of descriptions, each its own: they say what a record is about. */
const OF_TOPIC = 0.3

/** A report's last lines outside of records: totals. */
const LAST_LINES = 2
const LONGEST_LINE = 200
/** Depth and length of values at the top. */
const TOP = 3
const SHORT_TOP = 30

const ID = /(?:^|[^a-z])ids?$|Id$/

/** Share of a failing record for its parts that don't fail. */
const BESIDE = 0.4
/** Without a goal: failing and odd records with all they hold, then an example of every path. */
export function scoreOutline(
  { items, columns, naming, oddities }: ReadRecords,
  commentedOut: ReadonlySet<number> = NONE,
): Float64Array {
  const { leaves } = items
  const { document } = leaves
  const { root } = document
  const { severe, severeIn } = findSevere(leaves, columns, true, OF_TOPIC)
  markLargest(leaves, columns, naming, oddities.leaves)
  const firsts = new Uint8Array(leaves.pathCount)
  const depths = depthsOf(leaves.pathParents)
  /** Of elements that have keys, and of comments between such. */
  const besideRecords = new Set(leaves.pathParents)
  const alike = alikeOf(leaves)
  const twins = findTwins(leaves)
  const scores = new Float64Array(items.count)
  for (let item = 0; item < items.count; item++) {
    const leaf = items.leafOf[item] ?? 0
    const node = leaves.nodes[leaf] ?? 0
    const path = pathOf(leaves, leaf)
    const outer = leaves.outerRecords[node] ?? -1
    const inner = leaves.innerRecords[node] ?? -1
    const parent = parentOf(document, node)
    const holder = outer < 0 ? parent : outer
    const isEmptyLeaf = saysNone(leaves, leaf)
    const ofSeverity =
      holder > root ? (severeIn[holder] ?? 0) * (inner > outer && severeIn[inner] === 0 ? BESIDE : 1) : 0
    const ofOddity =
      holder > root ? Math.max(oddities.nodes[parent] ?? 0, 0.7 * (oddities.nodes[holder] ?? 0)) : 0
    let score =
      Math.max(
        WEIGHT.severe * Math.max(severe[leaf] ?? 0, WEIGHT.ofRecord * ofSeverity),
        WEIGHT.odd * Math.max(oddities.leaves[leaf] ?? 0, WEIGHT.ofRecord * ofOddity),
      ) +
      WEIGHT.length * Math.min(1.5, Math.log(1 + itemLength(items, item) / 12) / 3) +
      WEIGHT.depth * (depths[path] ?? 0)
    if (firsts[path] === 0 && !isEmptyLeaf) {
      firsts[path] = 1
      score += WEIGHT.first - ALIKE * alike[path]!
    }
    if (inner >= 0 && naming[inner] === leaf) score += WEIGHT.naming
    const isLine =
      holder <= root && kindOf(document, node) === NODE.text && itemLength(items, item) < LONGEST_LINE
    if (isLine && leaf >= leaves.count - LAST_LINES) score += WEIGHT.end
    if (inner < 0 && !isEmptyLeaf && isTitle(leaves, leaf)) score += WEIGHT.title
    const isNamed =
      (leaves.pathKeys[path] ?? -1) >= 0 || (besideRecords.has(path) && labelOf(leaves, path) !== '')
    const isTop = isNamed && outer < 0 && leaves.records.length > 0 && (depths[path] ?? 0) <= TOP
    if (isTop && !isEmptyLeaf && itemLength(items, item) <= SHORT_TOP) score += WEIGHT.top
    if (inner < 0 && ID.test(labelOf(leaves, path))) score += WEIGHT.id
    if (isEmptyLeaf) score += WEIGHT.empty
    const isOff = commentedOut.has(node) || (commentedOut.size > 0 && leaves.pathNames[path] === COMMENT)
    if (isOff) score += WEIGHT.commentedOut
    if (twins.differs[leaf] === 1) score += WEIGHT.differs
    if (twins.isRepeated[leaf] === 1) score += WEIGHT.repeated
    if (oddities.isConstant[leaf] === 1) score += WEIGHT.constant
    if (looksOpaque(document.text, document.starts[node] ?? 0, document.stops[node] ?? 0))
      score += WEIGHT.noise
    scores[item] = score - costOf(itemLength(items, item))
  }
  return scores
}

/** By path: what its name takes off because names before it, beside it or above begin with the same words ("used_memory_…"). */
function alikeOf({ pathCount, pathKeys, pathParents, pathNames }: JsonLeaves): Float32Array {
  const alike = new Float32Array(pathCount)
  const counts = new Map<string, number>()
  for (let path = 1; path < pathCount; path++) {
    const parent = pathParents[path] ?? 0
    alike[path] = alike[parent]!
    const name = (pathKeys[path] ?? -1) < 0 ? '' : (pathNames[path] ?? '')
    for (const begin of BEGINS) {
      const words = begin.exec(name)?.[0]
      if (words === undefined) break
      const place = `${parent} ${words}`
      const count = counts.get(place) ?? 0
      alike[path]! += Math.log2(1 + count)
      counts.set(place, count + 1)
    }
  }
  return alike
}
const BEGINS = [/^[^._/-]+[._/-]/, /^[^._/-]+[._/-][^._/-]+[._/-]/]
const ALIKE = 0.3

/** The largest number of a column is as telling as an odd value, and so is the name of its record. */
function markLargest(leaves: JsonLeaves, columns: Columns, naming: Naming, odd: Float32Array): void {
  for (let path = 1; path < leaves.pathCount; path++) {
    const column = columns.of(path)
    if (column.length < LEAST_NUMBERS || isNamingNumber(leaves, path)) continue
    const measured = measureLeaves(leaves, column)
    if (measured?.kind !== 'number' || isCounter(measured.values)) continue
    const { values } = measured
    let most = 0
    for (let i = 1; i < values.length; i++)
      if (values[i]! > values[most]! || Number.isNaN(values[most])) most = i
    const leaf = column[most]!
    const record = leaves.innerRecords[leaves.nodes[leaf]!]!
    if (record < 0) continue
    for (const node of [leaf, naming[record] ?? -1]) if (node >= 0) odd[node] = Math.max(odd[node]!, LARGEST)
  }
}

const LEAST_NUMBERS = 5
const LARGEST = 0.7
