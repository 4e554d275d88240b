import { countTokens, countUpTo } from '../../text/tokens/count-tokens.ts'
import { countLines } from '../allocate.ts'
import { groupDigits } from '../group-digits.ts'
import { withMark } from './cut-line.ts'
import type { Layout } from './layout.ts'

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
  /** They are below different lines, so that their number isn't one of the lines around. */
  readonly isSpread: boolean
  /** What they share is printed in place of the line. */
  readonly isShared: boolean
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
/** Tokens of a mark in the place of a line that isn't printed. */
const GAP_COST = 3
const MOST_CANDIDATES = 20_000

/**
 * Takes lines in order until one does not fit, which is cut: a larger budget never keeps less. Prints in source order, equal
 * texts below the same line once, with a mark where what a line is below isn't printed.
 */
export function fillBudget(
  order: Iterable<PrintedLine>,
  budget: number,
  spending: Spending,
  layout: Layout,
): FilledBudget {
  const texts = new Map<number, string>()
  const counted = new Map<number, { readonly text: string; readonly represents: Represented }>()
  const costs = new Map<number, number>()
  const printed = new Set<string>()
  /** Lines that a mark stands for. */
  const marked = new Set<number>()
  let left = budget
  let candidates = 0
  for (const { line, text: own, below = -1, represents } of order) {
    const text = represents === undefined || own === '' ? own : withCount(represents, represents.lines, own)
    if (++candidates > MOST_CANDIDATES) break
    const printedText = below < 0 ? text : `${below} ${text}`
    if (text === '' || printed.has(printedText)) continue
    const before = costs.get(line) ?? 0
    const parent = represents?.isSpread === true ? -1 : layout.parentOf(line)
    const isMarked = before === 0 && parent >= 0 && !texts.has(parent) && !marked.has(parent)
    const room = left + before - (isMarked ? GAP_COST : 0)
    const cost = room < 0 || text.length > room * 12 + 200 ? room + 1 : countUpTo(`${text}\n`, room)
    if (cost > room) {
      const cut = before === 0 ? cutToFit(text, room) : undefined
      if (cut !== undefined) texts.set(line, cut)
      break
    }
    if (isMarked) marked.add(parent)
    left = room - cost
    printed.add(printedText)
    texts.set(line, text)
    costs.set(line, cost)
    if (represents === undefined) counted.delete(line)
    else counted.set(line, { text: own, represents })
    spending.tokens = budget - left
  }
  for (const taken = [...texts.keys()]; ; taken.pop()) {
    const lines = taken.toSorted((a, b) => a - b)
    const own = lines.filter((line) => !counted.has(line))
    const countOf = (line: number): number => {
      const { represents } = counted.get(line) ?? {}
      return represents === undefined
        ? 1
        : represents.lines - own.filter((each) => represents.has(each)).length
    }
    const gaps = layout.gapsBefore(
      lines.map((line) => {
        const { isSpread = false, isShared = false } =
          countOf(line) > 1 ? (counted.get(line)?.represents ?? {}) : {}
        return { line, isLoose: isSpread, isShared }
      }),
    )
    const shown = lines.map((line, i) => {
      const { represents, text } = counted.get(line) ?? {}
      const printedText =
        represents === undefined ? texts.get(line) : withCount(represents, countOf(line), text ?? '')
      return (gaps[i] ?? '') + (printedText ?? '')
    })
    const text = shown.join('\n')
    const known = lines.map((line, i) => (shown[i] === texts.get(line) ? costs.get(line) : undefined))
    if (lines.length === 0 || countLines(text, shown, known, '\n', budget) <= budget) return { text, lines }
  }
}

const withCount = ({ isEqual, isSpread }: Represented, count: number, text: string): string =>
  count > 1 ? `×${groupDigits(count)}${isSpread ? ' in all' : ''} ${isEqual ? '' : 'like '}${text}` : text

function cutToFit(text: string, room: number): string | undefined {
  if (room < LEAST_CUT) return undefined
  for (let length = room * CHARACTERS_PER_TOKEN; length >= 20; length = Math.floor(length * 0.8)) {
    const cut = withMark(text, length)
    if (cut.length > 12 && countTokens(`${cut}\n`) <= room) return cut
  }
  return undefined
}
