import { allocate } from '../allocate.ts'
import type { Unit } from '../unit.ts'
import { groupDigits } from '../group-digits.ts'
import { bm25 } from '../../text/words/bm25.ts'
import { addCounts, countTerms } from '../../text/words/count-terms.ts'
import { parseGoal, type Goal } from '../rank/goal.ts'
import { speaksOfTrouble } from '../rank/intent.ts'
import { describedRecords, type DescribedLine } from '../lines/described-records.ts'
import type { Strategy } from '../strategy.ts'

const RESERVE = 20
const CONTEXT = 0.4
/** Shares of the best score: a line's bonus when its record fits the goal, and when it is unusual in such a record. */
const RECORD = 0.3
const UNUSUAL = 0.5
const UNUSUAL_IN_TROUBLE = 1.2
const COST_EXPONENT = 0.1

/** Consecutive descriptions of similar things: differences, and what fits the goal. */
export const recordsStrategy: Strategy = {
  name: 'records',
  kinds: ['prose', 'table', 'markdown'],
  compress({ text, goal, budget, lossless }) {
    const room = budget - RESERVE
    const lines = lossless === true || room <= 0 ? undefined : describedRecords(text)
    if (lines === undefined) return undefined
    const values = goal === undefined ? outline(lines) : scores(lines, parseGoal(goal))
    const units = lines.map((line, i): Unit => ({
      text: line.text,
      value: values[i] ?? 0,
      needs: line.above,
    }))
    const shown = allocate(units, { budget: room, costExponent: COST_EXPONENT })
    if (shown.taken.length === 0) return undefined
    const omitted = `${groupDigits(lines.length - shown.taken.length)} of ${groupDigits(lines.length)} lines`
    return { text: shown.text, omitted: shown.complete ? undefined : omitted, lossless: false }
  },
}

/** Always relevant: problems, differences, an inventory. */
function outline(lines: readonly DescribedLine[]): number[] {
  return lines.map(({ text, record, isUnusual }, i) => {
    const order = 0.1 * (1 - i / lines.length)
    const isFirst = lines[i - 1]?.record !== record
    if (isUnusual && isTrouble(text)) return 3 + order
    if (isUnusual) return 1.5 + order
    return (isFirst ? 1.2 : isTrouble(text) ? 1 : 0.2) + order
  })
}

const isTrouble = (text: string): boolean =>
  /\b(?:warning|fail\w*|err\w*|back-?off|unhealthy|killed|oom\w*|crash\w*|denied|missing|not ready|unavailable|evicted|pending)\b/i.test(
    text,
  ) || speaksOfTrouble(text.toLowerCase())

function scores(lines: readonly DescribedLine[], goal: Goal): Float64Array {
  const counted = lines.map(({ text }) => countTerms(text, goal))
  const units = counted.map((each, i) => {
    let context: number[] | undefined
    for (const place of lines[i]?.above ?? []) context = addCounts(context, counted[place]?.counts)
    return { ...each, context }
  })
  const values = Float64Array.from(bm25(units, goal, { b: 0.5, contextWeight: CONTEXT }).scores)
  const ofRecords = recordScores(lines, counted, goal)
  let top = 0
  for (const value of values) top = Math.max(top, value)
  const unusual = goal.speaksOfTrouble ? UNUSUAL_IN_TROUBLE : UNUSUAL
  for (const [i, { record, isUnusual, text }] of lines.entries()) {
    const fit = ofRecords[record] ?? 0
    const odd = !isUnusual ? 0 : isTrouble(text) ? unusual : UNUSUAL
    values[i] = (values[i] ?? 0) + top * fit * (RECORD + odd) + 1e-3 * (1 - i / lines.length)
  }
  return values
}

/** 0 to 1 per record. */
function recordScores(
  lines: readonly DescribedLine[],
  counted: readonly ReturnType<typeof countTerms>[],
  goal: Goal,
): number[] {
  const records: { counts: number[] | undefined; length: number; pairs: number }[] = []
  for (const [i, { record }] of lines.entries()) {
    const own = (records[record] ??= { counts: undefined, length: 0, pairs: 0 })
    own.counts = addCounts(own.counts, counted[i]?.counts)
    own.length += counted[i]?.length ?? 0
    own.pairs += counted[i]?.pairs ?? 0
  }
  const { scores: found } = bm25(records, goal, { b: 0.5 })
  let best = 0
  for (const score of found) best = Math.max(best, score)
  return Array.from(found, (score) => (best === 0 ? 0 : (score / best) ** 2))
}
