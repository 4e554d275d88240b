import { bm25 } from '../../text/words/bm25.ts'
import type { Bm25Scores, Scorable } from '../../text/words/bm25.ts'
import { addCounts, NOTHING } from '../../text/words/count-terms.ts'
import type { Goal } from '../rank/goal.ts'
import type { Columns } from '../../text/tree/columns.ts'
import { countLeafTerms } from './count-leaf-terms.ts'
import type { LeafTerms } from './count-leaf-terms.ts'
import type { FittedGoal } from './fit-goal.ts'
import { isMachinery, namesRecord } from './field-names.ts'
import { isEmpty, labelOf, leavesOf, lengthOf, pathOf } from '../../text/tree/find-leaves.ts'
import type { JsonLeaves } from '../../text/tree/find-leaves.ts'
import { liftBridges } from './lift-bridges.ts'
import { liftCoverage } from './lift-coverage.ts'
import { liftExceptions } from './lift-exceptions.ts'
import { liftExtremes } from './lift-extremes.ts'
import { findOddities, liftOddities } from './lift-oddities.ts'
import { liftSchema } from './lift-schema.ts'
import { liftSeries } from './lift-series.ts'
import { maximum } from './scoring.ts'
import type { Scoring } from './scoring.ts'

const RECORD_WEIGHT = 1.2
const NOISE = { machinery: 0.3, empty: 0.25, constant: 0.2 } as const
const IDENTITY = 0.04
const POSITION = 0.001
const LONGEST_LEAF = 60

/**
 * BM25 of words, path and record, plus data bonuses (extremes, odd values, records named by good ones), minus noise.
 */
export function scoreForGoal(leaves: JsonLeaves, columns: Columns, goal: FittedGoal): Float64Array {
  const terms = countLeafTerms(leaves, goal)
  const own = scoreLeaves(leaves, columns, goal, terms)
  const records = scoreRecords(leaves, goal, terms)
  const recordScores = new Map(leaves.records.map((record, index) => [record, records.scores[index] ?? 0]))
  const values = Float64Array.from(own.scores)
  let record = -1
  let recordScore = 0
  for (let leaf = 0; leaf < leaves.count; leaf++) {
    const outer = leaves.outerRecords[leaves.nodes[leaf] ?? 0] ?? -1
    if (outer !== record) {
      record = outer
      recordScore = recordScores.get(outer) ?? 0
    }
    values[leaf]! += RECORD_WEIGHT * recordScore
  }
  const top = maximum(values) || 1e-6
  const scoring: Scoring = { leaves, goal, terms, columns, values, weights: own.weights, top, recordScores }
  if (!looksUpId(goal, own.frequencies, records.frequencies)) liftSchema(scoring)
  if (goal.direction !== undefined) liftExtremes(scoring)
  if (goal.asksForOddity)
    liftOddities(leaves, findOddities(leaves, columns), values, ({ leaf, strength }) => {
      const isNamed = terms.fields[pathOf(leaves, leaf)]?.counts !== undefined
      return top * strength * (isNamed ? 1 : 0.4)
    })
  liftExceptions(scoring)
  liftCoverage(scoring)
  lowerConstants(scoring, own.scores)
  liftBridges(scoring)
  addPriors(scoring, own.scores)
  liftSeries(scoring)
  return values
}

function scoreLeaves(leaves: JsonLeaves, columns: Columns, goal: Goal, terms: LeafTerms): Bm25Scores {
  const units: (Scorable & { times: number })[] = []
  const unitOf = new Int32Array(leaves.count)
  // Leaves with the same path and length but no own term are scored once.
  const alike = new Int32Array(LONGEST_LEAF + 2)
  for (let path = 0; path < columns.count; path++) {
    const above = terms.pathCounts[path]
    alike.fill(-1)
    for (const leaf of columns.of(path)) {
      const value = terms.values[leaf] ?? NOTHING
      const length = Math.min(value.length, LONGEST_LEAF) + 1
      const known = value.counts === undefined ? (alike[length] ?? -1) : -1
      if (known >= 0) {
        units[known]!.times++
        unitOf[leaf] = known
        continue
      }
      if (value.counts === undefined) alike[length] = units.length
      unitOf[leaf] = units.length
      const counts =
        value.counts && above ? addCounts(addCounts(undefined, above), value.counts) : (value.counts ?? above)
      units.push({ counts, length, pairs: value.pairs, times: 1 })
    }
  }
  const found = bm25(units, goal, { k1: 1.2, b: 0.3 })
  const scores = new Float64Array(leaves.count)
  for (let leaf = 0; leaf < leaves.count; leaf++) scores[leaf] = found.scores[unitOf[leaf] ?? 0] ?? 0
  return { ...found, scores }
}

function scoreRecords(leaves: JsonLeaves, goal: Goal, terms: LeafTerms): Bm25Scores {
  const units = leaves.records.map((record): Scorable => {
    let counts: number[] | undefined
    let length = 0
    let pairs = 0
    const [first, end] = leavesOf(leaves, record)
    for (let leaf = first; leaf < end; leaf++) {
      const value = terms.values[leaf]
      counts = addCounts(counts, value?.counts)
      counts = addCounts(counts, terms.fields[pathOf(leaves, leaf)]?.counts, 0.5)
      length += Math.min(value?.length ?? 0, LONGEST_LEAF) + 1
      pairs += value?.pairs ?? 0
    }
    return { counts, length, pairs: Math.min(pairs, 2) }
  })
  return bm25(units, goal, { k1: 0.8, b: 0.35 })
}

/** A goal word with a digit that identifies few values or records requests these. */
function looksUpId(goal: Goal, inLeaves: Float64Array, inRecords: Float64Array): boolean {
  return goal.terms.some(({ text, weight }, id) => {
    if (text.length < 4 || !/\d/.test(text) || weight < 0.6) return false
    const leaves = inLeaves[id] ?? 0
    const records = inRecords[id] ?? 0
    return (leaves >= 1 && leaves <= 4) || (records >= 1 && records <= 4)
  })
}

/** Values common to nearly all records are uninformative. */
function lowerConstants({ leaves, columns, terms, values, top }: Scoring, own: Float64Array): void {
  const best = maximum(own)
  for (let path = 0; path < columns.count; path++) {
    const column = columns.of(path)
    const first = column[0]
    if (column.length < 5 || first === undefined) continue
    if ((leaves.innerRecords[leaves.nodes[first] ?? 0] ?? -1) < 0) continue
    if (!mayBeConstant(leaves, column)) continue
    const constant = commonest(leaves, column)
    let uses = 0
    for (const leaf of column) if (isSameShort(leaves, leaf, constant)) uses++
    if (uses <= 0.8 * column.length) continue
    for (const leaf of column) {
      const matches = terms.values[leaf]?.counts !== undefined && (own[leaf] ?? 0) > 0.2 * best
      if (!matches && isSameShort(leaves, leaf, constant)) values[leaf]! -= NOISE.constant * top
    }
  }
}

/** A majority value's leaf (Boyer and Moore's vote). */
function commonest(leaves: JsonLeaves, column: Int32Array): number {
  let candidate = column[0] ?? 0
  let votes = 0
  for (const leaf of column) {
    if (votes === 0) candidate = leaf
    votes += isSameShort(leaves, leaf, candidate) ? 1 : -1
  }
  return candidate
}

/** Whether a value repeats in a sample of the column: avoids most counts. */
function mayBeConstant(leaves: JsonLeaves, column: Int32Array): boolean {
  const seen = new Set<string>()
  const size = Math.min(column.length, 12)
  for (let i = 0; i < size; i++)
    seen.add(shortSource(leaves, column[Math.floor((i * column.length) / size)] ?? 0))
  return seen.size <= size * 0.75
}

/** As far as shortSource reads. */
function isSameShort(leaves: JsonLeaves, leaf: number, other: number): boolean {
  if (leaf === other) return true
  const length = Math.min(SHORT, lengthOf(leaves, leaf))
  if (Math.min(SHORT, lengthOf(leaves, other)) !== length) return false
  const { text, starts } = leaves.document
  const start = starts[leaves.nodes[leaf] ?? 0] ?? 0
  const otherStart = starts[leaves.nodes[other] ?? 0] ?? 0
  for (let i = 0; i < length; i++)
    if (text.charCodeAt(start + i) !== text.charCodeAt(otherStart + i)) return false
  return true
}

const SHORT = 64

function shortSource(leaves: JsonLeaves, leaf: number): string {
  const { document } = leaves
  const node = leaves.nodes[leaf] ?? 0
  const start = document.starts[node] ?? 0
  return document.text.slice(start, Math.min(document.stops[node] ?? 0, start + SHORT))
}

function addPriors(scoring: Scoring, own: Float64Array): void {
  const best = maximum(own)
  for (let path = 0; path < scoring.columns.count; path++) addPriorsTo(path, scoring, own, best)
}

function addPriorsTo(
  path: number,
  { leaves, columns, values, top }: Scoring,
  own: Float64Array,
  best: number,
): void {
  const label = labelOf(leaves, path)
  const identity = namesRecord(label) ? IDENTITY * top : 0
  const machinery = isMachinery(label)
  for (const leaf of columns.of(path)) {
    const start = leaves.document.starts[leaves.nodes[leaf] ?? 0] ?? 0
    const isAskedFor = (own[leaf] ?? 0) > 0.35 * best
    let prior = POSITION * top * (1 - leaf / leaves.count)
    if (isEmpty(leaves, leaf)) prior -= NOISE.empty * top
    if (!isAskedFor && (machinery || leaves.document.text.startsWith('"http', start)))
      prior -= NOISE.machinery * top
    if (identity > 0 && lengthOf(leaves, leaf) < 80) prior += identity
    values[leaf]! += prior
  }
}
