import { Heap } from '../ground/heap.ts'
import { countsAddUp, countTokens, countUpTo, rememberCount } from '../text/tokens/count-tokens.ts'
import type { Unit } from './unit.ts'

export interface AllocateOptions {
  /** Tokens of the whole text with gap marks. */
  readonly budget: number
  /** Value is divided by cost to this power: 0 ranks by value, 1 by value per token. */
  readonly costExponent?: number
  /** Printed for omitted units, '' for none; 'skipped' counts the units in the gap. */
  readonly gap?: string | ((skipped: number) => string)
  readonly separator?: string
}

export interface Allocation {
  readonly text: string
  /** In document order. */
  readonly taken: readonly number[]
  readonly complete: boolean
}

/** Stop after this many consecutive misfits. */
const MAX_MISSES = 80
/** Texts with more characters per remaining token aren't counted. */
const CHARACTERS_PER_TOKEN = 12
/** Counts of parts exceed the whole's slightly: this remainder is allocated again. */
const REFILL_FROM = 8
const REFILLS = 2

/** Takes units by value while they fit, pays for companions once, prints in document order. Counts only units reached in that order, so the budget bounds the work. */
export function allocate(units: readonly Unit[], options: AllocateOptions): Allocation {
  const { budget, costExponent = 0, gap = '…', separator = '\n' } = options
  const texts = new Map<number, string>()
  const textOf = (i: number): string => {
    const known = texts.get(i)
    if (known !== undefined) return known
    const source = units[i]?.text ?? ''
    const text = typeof source === 'string' ? source : source()
    texts.set(i, text)
    return text
  }
  const gapText = (skipped: number) => (typeof gap === 'string' ? gap : gap(skipped))
  const gapCost = gap === '' ? 0 : countTokens(gapText(10) + separator)
  const taken = new Uint8Array(units.length)
  // Tokens of each printed text with its separator.
  const counted = new Map<number, number>()
  const picked: (readonly number[])[] = []

  const order = new Heap()
  units.forEach(({ value, text, length }, i) => {
    if (!(value > 0)) return
    const characters = length ?? (typeof text === 'string' ? text.length : 0)
    order.push(costExponent === 0 ? value : value / Math.max(8, characters / 4) ** costExponent, i)
  })
  const fill = (room: number): void => {
    let left = room
    for (let misses = 0; misses < MAX_MISSES && left > 0 && order.size > 0;) {
      const i = order.pop()
      if (taken[i] === 1) continue
      const group = [i, ...(units[i]?.needs ?? []).filter((need) => taken[need] === 0 && need !== i)]
      let cost = gapCost * gapChange(units, taken, i)
      for (const k of group) {
        if (cost > left) break
        const own = counted.get(k) ?? costOf(textOf(k) + separator, left - cost)
        if (own <= left - cost) counted.set(k, own)
        cost += own
      }
      if (cost > left) {
        misses++
        continue
      }
      left -= cost
      for (const k of group) taken[k] = 1
      picked.push(group)
    }
  }

  const render = (): { text: string; tokens: number } => {
    const lines: string[] = []
    const costs: (number | undefined)[] = []
    let previous = -1
    const markGap = (next: number) => {
      if (gap === '' || next <= previous + 1 || units[previous]?.noGapAfter === true) return
      lines.push(gapText(next - previous - 1))
      costs.push(typeof gap === 'string' ? gapCost : undefined)
    }
    for (let i = taken.indexOf(1); i >= 0; i = taken.indexOf(1, i + 1)) {
      markGap(i)
      lines.push(textOf(i))
      costs.push(counted.get(i))
      previous = i
    }
    if (previous >= 0) markGap(units.length)
    const text = lines.join(separator)
    return { text, tokens: countLines(text, lines, costs, separator, budget) }
  }

  // The last unit has no separator; the count of the whole decides.
  fill(budget + 1)
  let { text, tokens } = render()
  for (let i = 0; i < REFILLS && picked.length > 0 && budget - tokens >= REFILL_FROM; i++) {
    const before = picked.length
    fill(budget - tokens)
    if (picked.length === before) break
    ;({ text, tokens } = render())
  }
  while (picked.length > 0 && tokens > budget) {
    for (const i of picked.pop() ?? []) taken[i] = 0
    ;({ text, tokens } = render())
  }
  const indexes: number[] = []
  for (let i = taken.indexOf(1); i >= 0; i = taken.indexOf(1, i + 1)) indexes.push(i)
  return { text, taken: indexes, complete: indexes.length === units.length }
}

/**
 * Tokens of lines and separators, some already counted with their separator. Counts add up unless the encoding would
 * join the start of the next line. Returns more than `limit` when exceeded.
 */
export function countLines(
  text: string,
  lines: readonly string[],
  costs: readonly (number | undefined)[],
  separator: string,
  limit: number,
): number {
  let tokens = 0
  let joined = ''
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? ''
    const next = lines[i + 1]
    const part = next === undefined ? line : line + separator
    const isEnd = next === undefined || countsAddUp(separator, next === '' ? separator : next)
    if (!isEnd) joined += part
    else if (joined === '' && next !== undefined) tokens += costs[i] ?? countTokens(part)
    else {
      tokens += countUpTo(joined + part, limit)
      joined = ''
    }
    if (tokens > limit) return tokens
  }
  rememberCount(text, tokens)
  return tokens
}

/** Any number above `limit` when exceeded. */
const costOf = (text: string, limit: number): number =>
  text.length > limit * CHARACTERS_PER_TOKEN + 200 ? limit + 1 : countUpTo(text, limit)

function gapChange(units: readonly Unit[], taken: Uint8Array, i: number): number {
  if (units[i]?.noGapAfter === true) return 0
  const before = i === 0 || taken[i - 1] === 1
  const after = i === taken.length - 1 || taken[i + 1] === 1
  return before && after ? -1 : before || after ? 0 : 1
}
