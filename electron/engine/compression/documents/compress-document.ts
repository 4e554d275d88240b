import { allocate } from '../allocate.ts'
import { parseGoal } from '../relevance/goal.ts'
import type { StrategyInput, StrategyOutput } from '../strategy.ts'
import type { Block } from './block.ts'
import { type DocumentUnits, makeUnits } from './make-units.ts'
import { outlineValues } from './outline-values.ts'
import { scoreUnits } from './score-units.ts'

/** Tokens kept for the words on what is omitted. */
const OMITTED_RESERVE = 14
const COST_EXPONENT = 0.1

/** Shortens a document to a budget: the parts that fit the goal, or an outline; undefined when not even one part fits. */
export function compressDocument(blocks: readonly Block[], input: StrategyInput): StrategyOutput | undefined {
  const document = makeUnits(blocks)
  const { units } = document
  const values = input.goal === undefined ? outlineValues(units) : scoreUnits(document, parseGoal(input.goal))
  const priced = units.map(({ text, role, needs }, i) => ({
    text,
    value: values[i] ?? 0,
    needs: input.goal === undefined && role === 'heading' ? [] : needs,
  }))
  const result = allocate(priced, { budget: input.budget - OMITTED_RESERVE, costExponent: COST_EXPONENT })
  if (result.taken.length === 0) return undefined
  return {
    text: result.text,
    omitted: result.complete ? undefined : omittedWords(document, result.taken),
    lossless: false,
  }
}

function omittedWords({ units }: DocumentUnits, taken: readonly number[]): string {
  const isTable = units.filter((unit) => unit.role === 'row').length > units.length / 2
  const counts = (role: 'row' | 'sentence') => {
    const all = units.filter((unit) => unit.role === role).length
    const left = all - taken.filter((i) => units[i]?.role === role).length
    return `${left} of ${all}`
  }
  return isTable ? `${counts('row')} rows (…)` : `${counts('sentence')} passages (…)`
}
