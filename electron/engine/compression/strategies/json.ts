import type { JsonDocument } from '../json/json-document.ts'
import { encodeLossless } from '../json/lossless/encode.ts'
import { listAskedColumn } from '../json/asked-column.ts'
import { groupByPath } from '../json/columns.ts'
import type { Columns } from '../json/columns.ts'
import { findLeaves } from '../json/find-leaves.ts'
import { fitGoal } from '../json/fit-goal.ts'
import { fitLeaves } from '../json/fit-leaves.ts'
import type { JsonLeaves } from '../json/find-leaves.ts'
import type { LeafTexts } from '../json/leaf-texts.ts'
import { createLeafTexts } from '../json/leaf-texts.ts'
import { minify } from '../json/minify.ts'
import { orderLeaves } from '../json/order-leaves.ts'
import { parseJson } from '../json/parse-json.ts'
import { sayOmitted } from '../json/say-omitted.ts'
import { scoreForGoal } from '../json/score-for-goal.ts'
import { sketchDocument } from '../json/sketch.ts'
import type { Goal } from '../relevance/goal.ts'
import { parseGoal } from '../relevance/goal.ts'
import type { Strategy, StrategyOutput } from '../strategy.ts'
import { countTokens, countUpTo } from '../tokens/count-tokens.ts'
import { estimateTokens } from '../tokens/estimate-tokens.ts'

/** Longest string value that is printed whole, in characters. */
const LONGEST_STRING = 1200
const CHARACTERS_PER_TOKEN = 2
/** Minified documents of more characters per token of the budget, or more times its tokens, fit in no form. */
const MOST_CHARACTERS = 16
const MOST_SAVED = 2.5
/** How far an estimate of tokens may be off. */
const UNSURE = 1.2
/** Tokens kept for the words on what is omitted. */
const RESERVE = 20

/** JSON that stays JSON: whole and minified where that fits, else the values that fit the goal inside their containers. */
export const jsonStrategy: Strategy = {
  name: 'json',
  kinds: ['json'],
  compress({ text, goal, budget, lossless }) {
    const document = parseJson(text)
    if (document === undefined) return undefined
    if (lossless === true) return asComplete(writeShortest(document))
    const complete = writeWithin(document, budget, goal !== undefined)
    if (complete !== undefined) return asComplete(complete)

    const query = goal === undefined ? undefined : fitGoal(parseGoal(goal), document)
    const leaves = findLeaves(document)
    const texts = createLeafTexts(leaves, query, Math.min(LONGEST_STRING, budget * CHARACTERS_PER_TOKEN))
    const columns = groupByPath(leaves)
    const fitted =
      query === undefined
        ? sketchDocument(leaves, columns, texts, budget - RESERVE)
        : selectForGoal(leaves, columns, query, texts, budget - RESERVE)
    if (fitted === undefined) return undefined
    const shortened = fitted.chosen.filter((leaf) => !texts.isWhole(leaf)).length
    return { text: fitted.text, omitted: sayOmitted(leaves, fitted.chosen, shortened), lossless: false }
  },
}

function selectForGoal(leaves: JsonLeaves, columns: Columns, goal: Goal, texts: LeafTexts, budget: number) {
  const order = orderLeaves(leaves, scoreForGoal(leaves, columns, goal))
  const column = listAskedColumn(leaves, columns, order, texts, budget)
  return fitLeaves(leaves, order, texts, budget, column)
}

/** The document with everything in it, where that has at most `budget` tokens; estimates spare most exact counts. */
function writeWithin(document: JsonDocument, budget: number, verbatim: boolean): string | undefined {
  const minified = minify(document)
  if (minified.length > budget * MOST_CHARACTERS) return undefined
  const estimate = estimateTokens(minified)
  const fits = (text: string): boolean =>
    estimateTokens(text) <= budget * UNSURE && countUpTo(text, budget) <= budget
  if (fits(minified)) return minified
  if (estimate > budget * MOST_SAVED) return undefined
  const encoded = encodeLossless(document, { verbatim })
  return encoded !== undefined && fits(encoded) ? encoded : undefined
}

/** The shortest form from which everything can be rebuilt. */
function writeShortest(document: JsonDocument): string {
  const minified = minify(document)
  const encoded = encodeLossless(document)
  return encoded !== undefined && countTokens(encoded) < countTokens(minified) ? encoded : minified
}

const asComplete = (text: string): StrategyOutput => ({ text, omitted: undefined, lossless: true })
