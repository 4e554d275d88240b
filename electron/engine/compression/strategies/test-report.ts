import { allocate } from '../allocate.ts'
import { parseGoal } from '../rank/goal.ts'
import { reportUnits } from '../lines/report-units.ts'
import type { Strategy } from '../strategy.ts'
import { groupDigits } from '../group-digits.ts'

const RESERVE = 20
// oxlint-disable-next-line no-control-regex -- terminal colours begin with the escape character
const TERMINAL_CODES = /\u001b\[[0-9;?]*[ -/]*[@-~]/g

/** Tests, builds, installs: failures with message and place, totals, the slowest; successes are counted. */
export const testReportStrategy: Strategy = {
  name: 'test-report',
  kinds: ['test-report'],
  compress({ text, goal, budget, lossless }) {
    if (lossless === true) return undefined
    const lines = text
      .replace(TERMINAL_CODES, '')
      .split(/\r?\n/)
      .map((line) => lastWritten(line.trimEnd()))
      .filter((line) => line !== '')
    const room = budget - RESERVE
    if (lines.length === 0 || room <= 0) return undefined
    const { units, roles } = reportUnits(lines, goal === undefined ? undefined : parseGoal(goal))
    const shown = allocate(units, { budget: room })
    if (shown.taken.length === 0) return undefined
    const printed = new Set(shown.taken)
    const hidden = roles.filter((_, i) => !printed.has(i))
    const passed = hidden.filter((role) => role === 'pass').length
    return { text: shown.text, omitted: omittedWords(passed, hidden.length - passed), lossless: false }
  },
}

/** The visible rest of a line that a tool overwrites, e.g. progress. */
const lastWritten = (line: string) => line.slice(line.lastIndexOf('\r') + 1)

function omittedWords(passed: number, others: number): string {
  return passed === 0
    ? `${groupDigits(others)} lines`
    : `${groupDigits(passed)} lines of what passed, ${groupDigits(others)} others`
}
