import type { Columns } from '../../text/tree/columns.ts'
import { labelOf, type JsonLeaves } from '../../text/tree/find-leaves.ts'
import { partsOf, wordsOf } from '../../text/words/scan-words.ts'
import { factorOf } from '../../text/words/units.ts'
import type { Goal } from '../rank/goal.ts'
import { isBeyond, type Comparison } from '../rank/intent.ts'
import { measureLeaves, SMALLEST } from './measure-leaves.ts'
import type { Measured } from '../../text/tables/measure-column.ts'

/** Of a limit where the goal names no column. */
const UNNAMED = 0.1
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
  for (const leaf of found) beyond[leaf] = (isNamed ? 1 : UNNAMED) * (share > MOST ? 1 - share : 1)
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
