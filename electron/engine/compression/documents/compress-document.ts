import { allocate, type Unit } from '../allocate.ts'
import { type Goal, parseGoal } from '../relevance/goal.ts'
import type { StrategyInput, StrategyOutput } from '../strategy.ts'
import type { Block } from './block.ts'
import { clipRow, MAX_ROW } from './clip-row.ts'
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
  const goal = input.goal === undefined ? undefined : parseGoal(input.goal)
  const values = goal === undefined ? outlineValues(units) : scoreUnits(document, goal)
  const priced: Unit[] = units.map(({ text, role, needs }, i) => ({
    text,
    value: values[i] ?? 0,
    // An outline is a list of headings: each stands for itself.
    needs: goal === undefined && role === 'heading' ? [] : needs,
  }))
  if (goal !== undefined) clipRows(document, goal, priced)
  const result = allocate(priced, { budget: input.budget - OMITTED_RESERVE, costExponent: COST_EXPONENT })
  if (result.taken.length === 0) return undefined
  return {
    text: result.text,
    omitted: result.complete ? undefined : omittedWords(document, result.taken),
    lossless: false,
  }
}

/** Rows are not held back for their length: a long row of the right table is worth more than a short one of another. */
const ROW_LENGTH = 100

function clipRows({ tables }: DocumentUnits, goal: Goal, units: Unit[]): void {
  for (const { block, firstRow } of tables)
    for (const [r, row] of block.rows.entries()) {
      const unit = units[firstRow + r]
      if (unit === undefined) continue
      const text = row.text.length > MAX_ROW ? () => clipRow(row, block, goal) : row.text
      units[firstRow + r] = { ...unit, text, length: ROW_LENGTH }
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
