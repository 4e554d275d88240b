import type { Goal } from '../rank/goal.ts'
import { findEvidence } from './evidence.ts'
import { costOf } from './length-cost.ts'
import { limitsIn } from './limits.ts'
import { forEachItem, type FeatureInput } from './features.ts'
import { rankQueryOf } from './rank-query.ts'
import type { ReadRecords } from './read-records.ts'
import { RECORD_FEATURES, weights } from './weights.ts'

/** What the features of every item are found from. */
export function prepareFeatures(
  read: ReadRecords,
  goal: Goal,
  comments: ReadonlyMap<number, string> | undefined,
): FeatureInput {
  const { items, columns, naming } = read
  const { leaves } = items
  const query = rankQueryOf(goal, limitsIn(leaves, columns, goal).map(String))
  return { ...read, evidence: findEvidence(items, naming, query, comments) }
}

/** By item: the sum of its weighted features, less for its length. */
export function scoreItems(input: FeatureInput): Float64Array {
  const scores = new Float64Array(input.items.count)
  let ofRecord = 0
  forEachItem(input, (item, row, isSame, length) => {
    if (!isSame) {
      ofRecord = 0
      for (let i = 0; i < RECORD_FEATURES; i++) ofRecord += row[i]! * weights[i]!
    }
    let score = ofRecord
    for (let i = RECORD_FEATURES; i < row.length; i++) score += row[i]! * weights[i]!
    scores[item] = score - costOf(length)
  })
  return scores
}
