import { findColumns } from '../lines/find-columns.ts'
import { readLogLines } from '../lines/log-lines.ts'
import { mineKinds, type MinedLog } from '../lines/mine-kinds.ts'
import { showForGoal } from '../lines/show-for-goal.ts'
import { showKinds, type ShownLog } from '../lines/show-kinds.ts'
import { timeSpan } from '../lines/time-span.ts'
import { parseGoal } from '../rank/goal.ts'
import type { Strategy } from '../strategy.ts'
import { countTokens } from '../../text/tokens/count-tokens.ts'
import { groupDigits } from '../group-digits.ts'

/** Characters of constants removed from each line. */
const LONGEST_CONSTANTS = 80

/** Lines that fit the goal, or one per kind with its count; rare lines and errors first. */
export const logStrategy: Strategy = {
  name: 'log',
  kinds: ['log'],
  compress({ text, goal, budget, lossless }) {
    if (lossless === true) return undefined
    const lines = readLogLines(text)
    if (lines.count === 0) return undefined
    const log = mineKinds(lines, findColumns(lines))
    const span = timeSpan(log)
    const room = budget - countTokens(words(log, { text: '', kindsShown: 0 }, span)) - 2
    if (room <= 0) return undefined
    const query = goal === undefined ? undefined : parseGoal(goal)
    const shown = (query && showForGoal(log, query, room)) ?? showKinds(log, room)
    if (shown.text === '') return undefined
    return { text: shown.text, omitted: words(log, shown, span), lossless: false }
  },
}

function words(
  { lines, kinds, columns }: MinedLog,
  { text, kindsShown }: ShownLog,
  span: string | undefined,
): string {
  const printed = text === '' ? 0 : text.split('\n').length
  const left = `${groupDigits(Math.max(0, lines.count - printed))} of ${groupDigits(lines.count)} lines, ${groupDigits(kindsShown)} of ${groupDigits(kinds.length)} kinds shown`
  const constants = columns.constants.filter(
    (value, i) => value !== undefined && /\w{2}/.test(value) && columns.kinds[i] !== 'time',
  )
  const everywhere = [...new Set(constants)].join(' ').slice(0, LONGEST_CONSTANTS)
  return [left, span, everywhere === '' ? undefined : `in every line: ${everywhere}`]
    .filter((part) => part !== undefined)
    .join('; ')
}
