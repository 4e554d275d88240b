import { withMark } from '../lines/cut-line.ts'
import { fillBudget } from '../lines/fill-budget.ts'
import { readLayout } from '../lines/layout.ts'
import { orderForGoal } from '../lines/order-for-goal.ts'
import { orderKinds } from '../lines/order-kinds.ts'
import { makePrinter } from '../lines/print-line.ts'
import { readKinds, type ReadKinds } from '../lines/read-kinds.ts'
import { scoreLines } from '../lines/score-lines.ts'
import { findSections } from '../lines/sections.ts'
import { timeSpan } from '../lines/time-span.ts'
import { parseGoal, type Goal } from '../rank/goal.ts'
import { onAskedDay } from '../rank/asked-times.ts'
import { isInTime } from '../rank/intent.ts'
import { isLineShaped } from '../../text/kinds/is-line-shaped.ts'
import type { Strategy, StrategyInput, StrategyOutput } from '../strategy.ts'
import { countTokens } from '../../text/tokens/count-tokens.ts'
import { groupDigits } from '../group-digits.ts'

/** Characters of values that lines leave out. */
const LONGEST_USUAL = { goal: 60, outline: 100 } as const
/** Lines that fit the goal, or one per kind with its count; rare lines and errors first. */
export const logStrategy: Strategy = {
  name: 'log',
  kinds: ['log', 'test-report'],
  compress: (input) => compressLines(input, true),
}

function compressLines({ text, goal, budget }: StrategyInput, isLog: boolean): StrategyOutput | undefined {
  const read = readKinds(text)
  const query = goal === undefined ? undefined : parseGoal(goal)
  const withTime = (query !== undefined && asksForTime(query)) || (!isLog && hasTimes(read))
  const printer = makePrinter(read, query, withTime)
  const sections = findSections(read)
  const layout = readLayout(read, sections)
  const scores = query && scoreLines(read, query, sections)
  const isFound = scores?.isFound === true
  const words = wordsOf(read, printer.usual, withTime, isFound)
  const room = budget - countTokens(words(read.lines.count, read.kinds.length)) - 2
  const spending = { tokens: 0 }
  const order =
    query !== undefined && scores !== undefined && isFound
      ? orderForGoal(read, scores, printer, query, sections, spending)
      : orderKinds(read, printer, sections, spending)
  const shown = fillBudget(order, room, spending, layout)
  if (shown.text === '') return undefined
  const kinds = new Set(shown.lines.map((line) => read.kindOf(line))).size
  return { text: shown.text, omitted: words(read.lines.count - shown.lines.length, kinds) }
}

const asksForTime = ({ askedTypes, order, asksForNeighbour, text }: Goal): boolean =>
  askedTypes.has('date') || asksForNeighbour || isInTime(order) || onAskedDay(text) !== undefined

/** Text that no other kind explains, if its lines stand for themselves. */
export const linesStrategy: Strategy = {
  name: 'lines',
  kinds: ['prose'],
  compress: (input) => (isLineShaped(input.text) ? compressLines(input, false) : undefined),
}

/** Days and clocks as people write them, that no logger writes, are what lines are about: bookings, departures, a chat. */
const hasTimes = ({ isTimed, prefixes: { groups } }: ReadKinds): boolean =>
  groups.length > 0 &&
  groups.every((columns) =>
    columns.every(
      ({ role, common }) => role === 'time' && (DAY.test(common) || (isTimed && CLOCK.test(common))),
    ),
  )
const DAY = /^\d{1,4}(?:[-/.]\d{1,2}){1,2}(?:[-/.]\d{2,4})?,?$/
/** Where most lines begin so: elsewhere it may be a line and its column. */
const CLOCK = /^\d{1,2}:\d\d,?$/

const hasTime = ({ isTimed, json, prefixes }: ReadKinds): boolean =>
  isTimed ||
  json !== undefined ||
  prefixes.groups.some((columns) => columns.some(({ role, common }) => role === 'time' && DAY.test(common)))

/** Of processes and the like, which differ from line to line; not the days of a time. */
const hasNumbers = ({ prefixes }: ReadKinds): boolean =>
  prefixes.groups.some((columns) =>
    columns.some(
      ({ role, isId, share, common }) => role === 'number' && !isId && share < 0.6 && !/^\d\d?$/.test(common),
    ),
  )

function wordsOf(
  read: ReadKinds,
  usual: readonly string[],
  withTime: boolean,
  isFound: boolean,
): (left: number, kinds: number) => string {
  const constants = withMark(usual.join(' '), isFound ? LONGEST_USUAL.goal : LONGEST_USUAL.outline)
  const rest = [
    timeSpan(read) ?? '',
    hasTime(read) && !withTime
      ? `times${hasNumbers(read) ? ' and numbers before messages' : ''} left out`
      : '',
    hasTime(read) && withTime && !isFound ? 'times of counted lines left out' : '',
    constants === '' ? '' : `left out where equal: ${constants}`,
  ]
  return (left, kinds) => {
    const ofKinds = `, ${groupDigits(kinds)} of ${groupDigits(read.kinds.length)} kinds shown`
    const ofLines = `${groupDigits(left)} of ${groupDigits(read.lines.count)} lines${isFound ? '' : ofKinds}`
    return [ofLines, ...rest].filter((part) => part !== '').join('; ')
  }
}
