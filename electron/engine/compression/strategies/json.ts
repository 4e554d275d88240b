import { findLeaves } from '../json/find-leaves.ts'
import { fitLeaves } from '../json/fit-leaves.ts'
import { createLeafTexts } from '../json/leaf-texts.ts'
import { minify } from '../json/minify.ts'
import { orderLeaves } from '../json/order-leaves.ts'
import { parseJson } from '../json/parse-json.ts'
import { sayOmitted } from '../json/say-omitted.ts'
import { scoreForGoal } from '../json/score-for-goal.ts'
import { sketchDocument } from '../json/sketch.ts'
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
    const texts = createLeafTexts(leaves, query, Math.min(LONGEST_STRING, budget * CHARACTERS_PER_TOKEN))
    const fitted =
      query === undefined
        ? sketchDocument(leaves, texts, budget - RESERVE)
        : fitLeaves(leaves, orderLeaves(leaves, scoreForGoal(leaves, query)), texts, budget - RESERVE)
    if (fitted === undefined) return undefined
    const shortened = fitted.chosen.filter((leaf) => !texts.isWhole(leaf)).length
    return { text: fitted.text, omitted: sayOmitted(leaves, fitted.chosen, shortened), lossless: false }
  },
}
