import type { Columns } from '../../text/tree/columns.ts'
import { labelOf, type JsonLeaves } from '../../text/tree/find-leaves.ts'
import { partsOf, wordsOf } from '../../text/words/scan-words.ts'
import { factorOf } from '../../text/words/units.ts'
import type { DateLimit } from '../rank/date-limit.ts'
import type { Goal } from '../rank/goal.ts'
import { isBeyond, type Comparison } from '../rank/intent.ts'
import { measureLeaves, SMALLEST } from './measure-leaves.ts'
import type { Measured } from './measure.ts'

/** Of a limit where the goal names no column. */
const UNNAMED = 0.1
/** None at all is rarer than less or more. */
const UNNAMED_ZERO = 0.5
/** What most values are beyond says little. */
const MOST = 0.5

/** Marks leaves beyond the goal's limit ("over 50"), 0 to 1. */
export function markBeyond(
  beyond: Float32Array,
  leaves: JsonLeaves,
  path: number,
  column: Int32Array,
  measured: Measured,
  limit: Comparison,
  isNamed: boolean,
): void {
  const found = leavesBeyond(leaves, path, column, measured, limit)
  const share = found.length / column.length
  const unnamed = limit.operator === '=' ? UNNAMED_ZERO : UNNAMED
  for (const leaf of found) beyond[leaf] = (isNamed ? 1 : unnamed) * (share > MOST ? 1 - share : 1)
}

/** Share of a column of dates that no word of the goal names. */
const UNNAMED_DATES = 0.6
/** Of days in a year, as dates are measured. */
const YEAR = 372

/** Marks dates that the goal asks for ("after 14 October"). */
export function markBeyondDate(
  beyond: Float32Array,
  column: Int32Array,
  { values }: Measured,
  limit: DateLimit,
  isNamed: boolean,
): void {
  const places = placesBeyond(values, limit)
  const share = places.length / column.length
  for (const place of places)
    beyond[column[place] ?? 0] = (isNamed ? 1 : UNNAMED_DATES) * (share > MOST ? 1 - share : 1)
}

function placesBeyond(values: Float64Array, limit: DateLimit): number[] {
  const years = new Map<number, number>()
  for (const value of values)
    if (!Number.isNaN(value)) {
      const year = Math.floor((value - DAYS_BEFORE_JANUARY) / YEAR)
      years.set(year, (years.get(year) ?? 0) + 1)
    }
  const [[usual] = [0]] = [...years].sort((a, b) => b[1] - a[1])
  return [...values.keys()].filter((place) => limit.isBeyond(values[place] ?? NaN, usual))
}
/** January has 31 of its own, and its first day one. */
const DAYS_BEFORE_JANUARY = 32

/** Words of a date that some dates of a column are beyond, and some are not. */
export function wordsOfDateLimit(leaves: JsonLeaves, columns: Columns, limit: DateLimit): readonly string[] {
  for (let path = 1; path < leaves.pathCount; path++) {
    const column = columns.of(path)
    const measured = column.length < SMALLEST ? undefined : measureLeaves(leaves, column)
    if (measured?.kind !== 'date') continue
    const count = placesBeyond(measured.values, limit).length
    if (count > 0 && count < column.length) return limit.words
  }
  return []
}

/** Numbers of the goal that some values of a column are beyond, and some are not. */
export function limitsIn(leaves: JsonLeaves, columns: Columns, { comparisons }: Goal): number[] {
  const limits = new Set<number>()
  for (let path = 1; path < (comparisons.length > 0 ? leaves.pathCount : 0); path++) {
    const column = columns.of(path)
    const measured = column.length < SMALLEST ? undefined : measureLeaves(leaves, column)
    if (measured === undefined) continue
    for (const limit of comparisons) {
      const count = leavesBeyond(leaves, path, column, measured, limit).length
      if (count > 0 && count < column.length) limits.add(limit.value)
    }
  }
  return [...limits]
}

function leavesBeyond(
  leaves: JsonLeaves,
  path: number,
  column: Int32Array,
  { kind, values }: Measured,
  limit: Comparison,
): Int32Array {
  if (kind === 'date') return column.subarray(0, 0)
  // Durations are in seconds; plain numbers in what their name ends with: "duration_ms".
  const words = wordsOf(labelOf(leaves, path)).flatMap(partsOf)
  const unit = kind === 'duration' ? 1 : factorOf(words.at(-1) ?? '')
  return column.filter((_, place) => isBeyond(values[place] ?? NaN, limit, unit))
}
