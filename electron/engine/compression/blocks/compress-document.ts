import { allocate } from '../allocate.ts'
import type { Unit } from '../unit.ts'
import { type Goal, parseGoal } from '../rank/goal.ts'
import type { StrategyInput, StrategyOutput } from '../strategy.ts'
import type { Block } from '../../text/blocks/block.ts'
import { type DocumentUnits, makeUnits } from '../../text/blocks/make-units.ts'
import { outlineValues } from '../rank/outline-values.ts'
import { scoreUnits } from '../rank/score-units.ts'
import { countTokens } from '../../text/tokens/count-tokens.ts'
import { groupDigits } from '../group-digits.ts'

/** Tokens by which the description of what is left out may be longer than that of everything. */
const SPARE = 2
const COST_EXPONENT = 0.1

/** Parts that fit the goal, or an outline; undefined when none fits. */
export const compressDocument = (
  blocks: readonly Block[],
  input: StrategyInput,
): StrategyOutput | undefined => compressUnits(makeUnits(blocks), input)

export interface UnitsOptions {
  /** Values without a goal. */
  readonly outline?: () => Float64Array
  /** Changes the values for a goal. */
  readonly adjust?: (values: Float64Array, goal: Goal) => void
  /** What is left out, from the indexes of what is shown. */
  readonly omitted?: (taken: readonly number[]) => string
}

export function compressUnits(
  document: DocumentUnits,
  input: StrategyInput,
  { outline, adjust, omitted }: UnitsOptions = {},
): StrategyOutput | undefined {
  const { units } = document
  const goal = input.goal === undefined ? undefined : parseGoal(input.goal)
  const values = goal === undefined ? (outline?.() ?? outlineValues(units)) : scoreUnits(document, goal)
  if (goal !== undefined) adjust?.(values, goal)
  const least = leastPriced(values)
  const isNeeded = new Set(
    least > 0 ? units.flatMap(({ needs }, i) => ((values[i] ?? 0) < least ? [] : needs)) : [],
  )
  const priced = units.map(({ text, role, needs }, i): Unit => {
    if ((values[i] ?? 0) < least && !isNeeded.has(i)) return NEVER_TAKEN
    const value = values[i] ?? 0
    if (role === 'row') return { text, value, needs, length: ROW_LENGTH }
    if (role !== 'heading') return { text, value, needs }
    // Each heading of an outline is independent.
    return { text, value, needs: goal === undefined ? [] : needs, noGapAfter: true }
  })
  const reserve = countTokens(omitted?.([]) ?? omittedWords(document, [])) + SPARE
  const result = allocate(priced, { budget: input.budget - reserve, costExponent: COST_EXPONENT })
  if (result.taken.length === 0) return undefined
  return {
    text: result.text,
    omitted: omitted?.(result.taken) ?? (result.complete ? undefined : omittedWords(document, result.taken)),
  }
}

/** Limits candidates, because one object per unit would cost too much time and memory. */
const MOST_PRICED = 50_000
const NEVER_TAKEN: Unit = { text: '', value: 0 }

const leastPriced = (values: Float64Array): number =>
  values.length > 4 * MOST_PRICED ? (values.slice().sort()[values.length - MOST_PRICED] ?? 0) : 0

/** Length doesn't penalise rows: a long row of the right table beats a short one of another. */
const ROW_LENGTH = 100

/** Describes what is omitted: rows, passages, or only the surroundings of a page's content. */
function omittedWords({ units }: DocumentUnits, taken: readonly number[]): string {
  const all = { row: 0, sentence: 0 }
  const left = { row: 0, sentence: 0 }
  let isContentLeft = false
  let next = 0
  units.forEach(({ role, isAside }, i) => {
    const isTaken = taken[next] === i
    if (isTaken) next++
    else if (!isAside) isContentLeft = true
    if (role !== 'row' && role !== 'sentence') return
    all[role]++
    if (!isTaken) left[role]++
  })
  if (!isContentLeft) return 'parts around the content'
  // One sum: the reader wants to know how much is left out.
  const [count, whole] = [left.row + left.sentence, all.row + all.sentence]
  const kinds = [all.sentence > 0 ? ['passages'] : [], all.row > 0 ? ['rows'] : []].flat().join(' and ')
  return count === whole
    ? `all ${groupDigits(whole)} ${kinds} below what is shown`
    : `${groupDigits(count)} of ${groupDigits(whole)} ${kinds}`
}
