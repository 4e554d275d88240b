import { findLeaves } from '../json/find-leaves.ts'
import { fitLeaves } from '../json/fit-leaves.ts'
import { createLeafTexts } from '../json/leaf-texts.ts'
import { minify } from '../json/minify.ts'
import { orderLeaves } from '../json/order-leaves.ts'
import { parseJson } from '../json/parse-json.ts'
import { scoreForGoal } from '../json/score-for-goal.ts'
import { parseGoal } from '../relevance/goal.ts'
import type { Strategy } from '../strategy.ts'
import { countUpTo } from '../tokens/count-tokens.ts'

/** Longest string value that is printed whole, in characters. */
const LONGEST_STRING = 1200
const CHARACTERS_PER_TOKEN = 2
/** Tokens kept for the words on what is omitted. */
const RESERVE = 20

/** JSON that stays JSON: whole and minified where that fits, else the values that fit the goal inside their containers. */
export const jsonStrategy: Strategy = {
  name: 'json',
  kinds: ['json'],
  compress({ text, goal, budget, lossless }) {
    const document = parseJson(text)
    if (document === undefined) return undefined
    const whole = minify(document)
    if (lossless === true || countUpTo(whole, budget) <= budget)
      return { text: whole, omitted: undefined, lossless: true }

    const query = goal === undefined ? undefined : parseGoal(goal)
    const leaves = findLeaves(document)
    const longest = Math.min(LONGEST_STRING, budget * CHARACTERS_PER_TOKEN)
    const texts = createLeafTexts(leaves, query, longest)
    const values = query === undefined ? new Float64Array(leaves.count).fill(1) : scoreForGoal(leaves, query)
    const order = orderLeaves(leaves, values)
    const fitted = fitLeaves(leaves, order, texts, budget - RESERVE)
    if (fitted === undefined) return undefined
    return {
      text: fitted.text,
      omitted: `${leaves.count - fitted.chosen.length} of ${leaves.count} values`,
      lossless: false,
    }
  },
}
