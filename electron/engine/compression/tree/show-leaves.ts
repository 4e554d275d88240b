import { countTokens } from '../../text/tokens/count-tokens.ts'
import { listAskedColumn } from './asked-column.ts'
import { groupByPath } from '../../text/tree/columns.ts'
import { findLeaves, type JsonLeaves } from '../../text/tree/find-leaves.ts'
import type { FittedGoal } from './fit-goal.ts'
import { fitLeaves, type FittedLeaves } from './fit-leaves.ts'
import type { JsonDocument } from '../../text/tree/json-document.ts'
import { createLeafTexts, type LeafTexts } from './leaf-texts.ts'
import { longestShown } from '../../text/tree/longest-string.ts'
import { orderLeaves } from './order-leaves.ts'
import type { Insertion } from './render-leaves.ts'
import { sayOmitted } from './say-omitted.ts'
import { scoreForGoal } from './score-for-goal.ts'
import { sketchDocument } from './sketch.ts'

/** First token reserve for omissions. */
const RESERVE = 20
const ATTEMPTS = 4
/** Spare leaves beyond one per budget token, to replace too long ones. */
const SPARE = 1000
/** Below this share of the budget, long values were too long to take. */
const POOR = 0.5

export interface ShownLeaves {
  readonly text: string
  readonly omitted: string
}

/**
 * As JSON in its containers: what fits the goal, else an example of everything. Text and description of omissions
 * share `budget` tokens.
 */
export function showLeaves(
  document: JsonDocument,
  goal: FittedGoal | undefined,
  budget: number,
): ShownLeaves | undefined {
  const leaves = findLeaves(document)
  const columns = groupByPath(leaves)
  const order =
    goal === undefined ? undefined : orderLeaves(leaves, scoreForGoal(leaves, columns, goal), budget + SPARE)
  // A list of all values would displace extremes and odd values.
  const wantsColumn =
    goal?.direction === undefined && goal?.asksForOddity !== true && goal?.denied.length === 0
  let longest = longestShown(leaves, budget)
  let reserve = RESERVE
  let best: (ShownLeaves & { tokens: number }) | undefined
  for (let attempt = 0; attempt < ATTEMPTS && budget > reserve; attempt++) {
    const texts = createLeafTexts(leaves, goal, longest)
    const room = budget - reserve
    const column =
      goal && order && wantsColumn ? listAskedColumn(leaves, columns, goal, order, texts, room) : undefined
    const fitted =
      order === undefined
        ? sketchDocument(leaves, columns, texts, room)
        : fitBeside(leaves, order, texts, room, column)
    if (fitted !== undefined && fitted.chosen.length > 0) {
      const shortened = fitted.chosen.filter((leaf) => !texts.isWhole(leaf)).length
      const omitted = sayOmitted(leaves, fitted.chosen, shortened)
      const said = countTokens(omitted)
      if (fitted.tokens + said > budget) {
        reserve = said + 2
        continue
      }
      if (best === undefined || fitted.tokens > best.tokens)
        best = { text: fitted.text, omitted, tokens: fitted.tokens }
      if (fitted.tokens > POOR * budget || fitted.chosen.length === leaves.count) break
    }
    longest = Math.floor(longest * 0.7)
  }
  return best
}

/** With the column only if at least one value fits beside it. */
function fitBeside(
  leaves: JsonLeaves,
  order: readonly number[],
  texts: LeafTexts,
  room: number,
  column: Insertion | undefined,
): FittedLeaves | undefined {
  const fitted = fitLeaves(leaves, order, texts, room, column)
  const isUsable = fitted !== undefined && fitted.chosen.length > 0
  return isUsable || column === undefined ? fitted : fitLeaves(leaves, order, texts, room)
}
