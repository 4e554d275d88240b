import type { Columns } from '../../text/tree/columns.ts'
import type { JsonLeaves } from '../../text/tree/find-leaves.ts'
import type { Goal } from '../rank/goal.ts'
import type { Comparison } from '../rank/intent.ts'
import { measureLeaves, SMALLEST } from './measure-leaves.ts'
import type { Measured } from './measure.ts'

/** Of a limit where the goal names no column. */
const UNNAMED = 0.1
/** What most values are beyond says little. */
const MOST = 0.5

/** Marks leaves beyond the goal's limit ("over 50"), 0 to 1. */
export function markBeyond(
  beyond: Float32Array,
  column: Int32Array,
  measured: Measured,
  limit: Comparison,
  isNamed: boolean,
): void {
  const found = column.filter((_, place) => isBeyond(measured, place, limit))
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
      const count = column.filter((_, place) => isBeyond(measured, place, limit)).length
      if (count > 0 && count < column.length) limits.add(limit.value)
    }
  }
  return [...limits]
}

function isBeyond({ kind, values }: Measured, place: number, { operator, value: than }: Comparison): boolean {
  const value = values[place] ?? NaN
  if (kind === 'date') return false
  if (operator === '>') return value > than
  if (operator === '<') return value < than
  return operator === '>=' ? value >= than : value <= than
}
