import { countTokens, countUpTo } from '../../text/tokens/count-tokens.ts'
import { countLines } from '../allocate.ts'
import { groupDigits } from '../group-digits.ts'
import { withMark } from './cut-line.ts'

/** What to print of a line; a later one of the same line replaces it. */
export interface PrintedLine {
  readonly line: number
  readonly text: string
  /** The line that it is below: equal texts below different lines say different things. */
  readonly below?: number
  /** Of a line that is printed for others. */
  readonly represents?: Represented
}

/** Lines of some kinds that one is printed for, itself included. */
interface Represented {
  readonly lines: number
  /** Whether a line is one of them. */
  has(line: number): boolean
  /** They say the same. */
  readonly isEqual: boolean
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

/** Takes lines in order until one does not fit, which is cut: a larger budget never keeps less. Prints in source order, equal texts below the same line once. */
export function fillBudget(order: Iterable<PrintedLine>, budget: number, spending: Spending): FilledBudget {
  const texts = new Map<number, string>()
  const counted = new Map<number, { readonly text: string; readonly represents: Represented }>()
  const costs = new Map<number, number>()
  const printed = new Set<string>()
  let left = budget
  let candidates = 0
  for (const { line, text: own, below = -1, represents } of order) {
    const text = represents === undefined || own === '' ? own : withCount(represents, represents.lines, own)
    if (++candidates > MOST_CANDIDATES) break
    const said = below < 0 ? text : `${below} ${text}`
    if (text === '' || printed.has(said)) continue
    const before = costs.get(line) ?? 0
    const cost =
      text.length > (left + before) * 12 + 200 ? left + before + 1 : countUpTo(`${text}\n`, left + before)
    if (cost > left + before) {
      const cut = before === 0 ? cutToFit(text, left) : undefined
      if (cut !== undefined) texts.set(line, cut)
      break
    }
    left -= cost - before
    printed.add(said)
    texts.set(line, text)
    costs.set(line, cost)
    if (represents === undefined) counted.delete(line)
    else counted.set(line, { text: own, represents })
    spending.tokens = budget - left
  }
  const lines = [...texts.keys()].sort((a, b) => a - b)
  for (; ; lines.pop()) {
    const shown = lines.map((line) => {
      const own = counted.get(line)
      if (own === undefined) return texts.get(line) ?? ''
      const others = lines.filter((each) => each !== line && own.represents.has(each)).length
      return withCount(own.represents, own.represents.lines - others, own.text)
    })
    const text = shown.join('\n')
    const known = lines.map((line, i) => (shown[i] === texts.get(line) ? costs.get(line) : undefined))
    if (lines.length === 0 || countLines(text, shown, known, '\n', budget) <= budget) return { text, lines }
  }
}

const withCount = ({ isEqual }: Represented, count: number, text: string): string =>
  count > 1 ? `×${groupDigits(count)} ${isEqual ? '' : 'like '}${text}` : text

function cutToFit(text: string, room: number): string | undefined {
  if (room < LEAST_CUT) return undefined
  for (let length = room * CHARACTERS_PER_TOKEN; length >= 20; length = Math.floor(length * 0.8)) {
    const cut = withMark(text, length)
    if (cut.length > 12 && countTokens(`${cut}\n`) <= room) return cut
  }
  return undefined
}
