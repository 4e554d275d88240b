import { countTokens, countUpTo } from './tokens/count-tokens.ts'

/** One piece of a document that is printed whole or not at all. */
export interface Unit {
  /** What is printed, without a trailing line break; made only for units that come into question. */
  readonly text: string | (() => string)
  /** Characters that count for the cost exponent, where it is not those of the text. */
  readonly length?: number | undefined
  /** How much it is worth to print it; units of 0 or less are never taken for their own sake. */
  readonly value: number
  /** Indexes of units that must be printed along with it: the table's header, the heading, the record's name. */
  readonly needs?: readonly number[] | undefined
}

export interface AllocateOptions {
  /** Tokens of the whole text, gap marks included. */
  readonly budget: number
  /** Value is divided by cost to this power: 0 takes by value alone, 1 by value per token. */
  readonly costExponent?: number
  /** Printed where units are left out; '' for none. 'skipped' counts the units in the gap. */
  readonly gap?: string | ((skipped: number) => string)
  readonly separator?: string
}

export interface Allocation {
  readonly text: string
  /** Indexes of the printed units, in document order. */
  readonly taken: readonly number[]
  /** True when every unit is printed. */
  readonly complete: boolean
}

/** So many units in a row that do not fit end the search. */
const MAX_MISSES = 80
const CHARACTERS_PER_TOKEN_AT_LEAST_TAKEN = 12

/**
 * The one budget allocator: takes units by value while they fit, pays for companions on first use, prints in document
 * order. Tokens are counted only for units reached in that order, which bounds the work by the budget, not by the input.
 */
export function allocate(units: readonly Unit[], options: AllocateOptions): Allocation {
  const { budget, costExponent = 0, gap = '…', separator = '\n' } = options
  const texts: (string | undefined)[] = []
  const costs = new Map<number, number>()
  const textOf = (i: number): string => {
    const unit = units[i]
    return (texts[i] ??= unit === undefined ? '' : typeof unit.text === 'string' ? unit.text : unit.text())
  }
  const gapText = (skipped: number) => (typeof gap === 'string' ? gap : gap(skipped))
  const gapCost = gap === '' ? 0 : countTokens(gapText(10) + separator)
  // The last unit has no separator after it; the count of the whole at the end decides.
  let left = budget + 1
  const costOf = (i: number): number => {
    const known = costs.get(i)
    if (known !== undefined) return known
    const cost = countUpTo(textOf(i) + separator, left)
    // A count that stopped at the limit is only known to be too much for now; what is left never grows.
    costs.set(i, cost)
    return cost
  }

  const taken = new Uint8Array(units.length)
  const picked: number[][] = []
  let misses = 0
  for (const i of byValue(units, costExponent)) {
    if (misses >= MAX_MISSES || left <= 0) break
    if (taken[i] === 1) continue
    if (textOf(i).length > left * CHARACTERS_PER_TOKEN_AT_LEAST_TAKEN + 200) {
      misses++
      continue
    }
    const companions = (units[i]?.needs ?? []).filter((need) => taken[need] === 0 && need !== i)
    let cost = costOf(i)
    for (const companion of companions) cost += costOf(companion)
    cost += gapCost * gapChange(taken, i)
    if (cost > left) {
      misses++
      continue
    }
    left -= cost
    taken[i] = 1
    for (const companion of companions) taken[companion] = 1
    picked.push([i, ...companions])
  }

  const render = (): string => {
    const lines: string[] = []
    let previous = -1
    for (let i = 0; i < units.length; i++) {
      if (taken[i] === 0) continue
      if (gap !== '' && i > previous + 1) lines.push(gapText(i - previous - 1))
      lines.push(textOf(i))
      previous = i
    }
    if (gap !== '' && previous >= 0 && previous < units.length - 1)
      lines.push(gapText(units.length - 1 - previous))
    return lines.join(separator)
  }
  let text = render()
  while (picked.length > 0 && countUpTo(text, budget) > budget) {
    for (const i of picked.pop() ?? []) taken[i] = 0
    text = render()
  }
  const indexes = units.map((_, i) => i).filter((i) => taken[i] === 1)
  return { text, taken: indexes, complete: indexes.length === units.length }
}

/** How many gap marks more there are once `i` is printed. */
function gapChange(taken: Uint8Array, i: number): number {
  const before = i === 0 || taken[i - 1] === 1
  const after = i === taken.length - 1 || taken[i + 1] === 1
  return before && after ? -1 : before || after ? 0 : 1
}

/** Indexes of the units worth printing, best first, equal ones in document order; a heap, since few of many are asked for. */
function* byValue(units: readonly Unit[], costExponent: number): Generator<number> {
  const keys = new Float64Array(units.length)
  const heap: number[] = []
  units.forEach((unit, i) => {
    if (!(unit.value > 0)) return
    const length = unit.length ?? (typeof unit.text === 'string' ? unit.text.length : 0)
    keys[i] = costExponent === 0 ? unit.value : unit.value / Math.max(8, length / 4) ** costExponent
    heap.push(i)
  })
  const before = (a: number, b: number) => {
    const difference = (keys[b] ?? 0) - (keys[a] ?? 0)
    return difference === 0 ? a < b : difference < 0
  }
  const sink = (from: number) => {
    let parent = from
    const item = heap[parent] ?? 0
    for (;;) {
      let child = parent * 2 + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && before(heap[child + 1] ?? 0, heap[child] ?? 0)) child++
      if (!before(heap[child] ?? 0, item)) break
      heap[parent] = heap[child] ?? 0
      parent = child
    }
    heap[parent] = item
  }
  for (let i = (heap.length >> 1) - 1; i >= 0; i--) sink(i)
  while (heap.length > 0) {
    const best = heap[0] ?? 0
    const last = heap.pop() ?? 0
    if (heap.length > 0) {
      heap[0] = last
      sink(0)
    }
    yield best
  }
}
