import type { Columns } from '../../text/tree/columns.ts'
import type { LeafTerms } from './count-leaf-terms.ts'
import type { JsonLeaves } from '../../text/tree/find-leaves.ts'
import type { FittedGoal } from './fit-goal.ts'

/** Rules raise and lower `values`, one number per leaf. */
export interface Scoring {
  readonly leaves: JsonLeaves
  readonly goal: FittedGoal
  readonly terms: LeafTerms
  readonly columns: Columns
  readonly values: Float64Array
  /** Weight of each goal term times its rarity among the leaves. */
  readonly weights: Float64Array
  /** Best value after both BM25 scores, the unit of rule weights. */
  readonly top: number
  /** Score of each outermost record, by node. */
  readonly recordScores: ReadonlyMap<number, number>
}

export function maximum(values: Float64Array): number {
  let most = 0
  for (const value of values) if (value > most) most = value
  return most
}
