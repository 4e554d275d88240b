import { countsAddUp, countTokens, countUpTo, rememberCount } from '../../text/tokens/count-tokens.ts'
import { withMark } from './cut-line.ts'

/** What to print of a line; a later one of the same line replaces it. */
export interface PrintedLine {
  readonly line: number
  readonly text: string
}

export interface FilledBudget {
  readonly text: string
  readonly lines: readonly number[]
}

/** Tokens spent so far, for orders that keep a share. */
export interface Spending {
  tokens: number
}

/** Least tokens for the beginning of a line that does not fit. */
const LEAST_CUT = 10
const CHARACTERS_PER_TOKEN = 3
const MOST_CANDIDATES = 20_000

/**
 * Takes lines in their order, whatever the budget, until the first that does not fit, which is cut: so a larger
 * budget never keeps less. Prints in source order, equal texts once.
 */
export function fillBudget(order: Iterable<PrintedLine>, budget: number, spending: Spending): FilledBudget {
  const texts = new Map<number, string>()
  const costs = new Map<number, number>()
  const printed = new Set<string>()
  let left = budget
  let candidates = 0
  for (const { line, text } of order) {
    if (++candidates > MOST_CANDIDATES) break
    if (text === '' || printed.has(text)) continue
    const before = costs.get(line) ?? 0
    const cost =
      text.length > (left + before) * 12 + 200 ? left + before + 1 : countUpTo(`${text}\n`, left + before)
    if (cost > left + before) {
      const cut = before === 0 ? cutToFit(text, left) : undefined
      if (cut !== undefined) texts.set(line, cut)
      break
    }
    left -= cost - before
    printed.add(text)
    texts.set(line, text)
    costs.set(line, cost)
    spending.tokens = budget - left
  }
  const lines = [...texts.keys()].sort((a, b) => a - b)
  let text = lines.map((line) => texts.get(line)).join('\n')
  let tokens = sumOf(lines, texts, costs) ?? countTokens(text)
  while (tokens > budget && lines.length > 0) {
    lines.pop()
    text = lines.map((line) => texts.get(line)).join('\n')
    tokens = countTokens(text)
  }
  rememberCount(text, tokens)
  return { text, lines }
}

/** Tokens of lines in a row, where the costs of each with its line break add up. */
function sumOf(
  lines: readonly number[],
  texts: ReadonlyMap<number, string>,
  costs: ReadonlyMap<number, number>,
): number | undefined {
  let sum = 0
  let before: number | undefined
  for (const line of lines) {
    const text = texts.get(line) ?? ''
    if (before !== undefined) {
      const cost = costs.get(before)
      if (cost === undefined || !countsAddUp('\n', text)) return undefined
      sum += cost
    }
    before = line
  }
  return sum + countTokens(texts.get(before ?? -1) ?? '')
}

function cutToFit(text: string, room: number): string | undefined {
  if (room < LEAST_CUT) return undefined
  for (let length = room * CHARACTERS_PER_TOKEN; length >= 20; length = Math.floor(length * 0.8)) {
    const cut = withMark(text, length)
    if (cut.length > 12 && countTokens(`${cut}\n`) <= room) return cut
  }
  return undefined
}
