import { lengthOf } from '../../text/tree/find-leaves.ts'
import { keyOf, kindOf, NODE, parentOf } from '../../text/tree/json-document.ts'
import type { Reading } from '../../text/readers/reading.ts'
import { countUpTo } from '../../text/tokens/count-tokens.ts'
import { estimateHundredths } from '../../text/tokens/estimate-tokens.ts'
import { endOfPiece, isPiece, type Items } from './items.ts'
import type { LeafTexts } from './leaf-texts.ts'
import type { Step } from './order.ts'

const ATTEMPTS = 5
const MOST_ATTEMPTS = 12
/** Share of the budget that is full enough. */
const FULL = 0.975
/** Hundredths of a token: signs between values. */
const SIGNS = 100
/** More of the order than fits is never needed. */
const SPARE = 2.2

export interface Prefix {
  readonly text: string
  readonly tokens: number
  /** Leaves, ascending. */
  readonly chosen: readonly number[]
  readonly shortened: number
}

export interface FitInput {
  readonly items: Items
  readonly order: CostedOrder
  readonly budget: number
  readonly reading: Reading
  readonly texts: LeafTexts
}

type CostedOrder = ReturnType<typeof costOrder>

/** The order as far as a budget needed it; the next budget continues there. */
export function costOrder(steps: Iterator<Step>, items: Items, texts: LeafTexts) {
  // Items of all steps read; by step: how many it and those before have, and their cost in hundredths of a token.
  const order: number[] = []
  const ends: number[] = []
  const costs: number[] = []
  const coster = createCoster(items, texts)
  let spent = 0
  /** How many steps cost at most `most`. */
  const stepsWithin = (most: number): number => {
    while (spent <= most) {
      const step = steps.next()
      if (step.done === true) break
      for (const item of step.value.items) {
        order.push(item)
        spent += coster(item)
      }
      ends.push(order.length)
      costs.push(spent)
    }
    return firstAbove(costs, most)
  }
  return {
    items: order,
    ends,
    costs,
    stepsWithin,
    /** The same and the one that goes beyond, if there is one. */
    stepsBeyond: (most: number) => Math.min(stepsWithin(most) + 1, ends.length),
  }
}

/** The longest beginning of the order that fits, found by estimates and a few exact counts. */
export function fitPrefix({ items, order, budget, reading, texts }: FitInput): Prefix | undefined {
  const { leaves } = items
  const { ends, costs } = order
  const most = budget * 100 * SPARE

  const write = (count: number, beginning?: Beginning): Prefix => {
    const end = ends[beginning === undefined ? count - 1 : count] ?? 0
    const chosenItems = order.items.slice(0, end).sort((a, b) => a - b)
    const chosen: number[] = []
    const pieces = new Map<number, number[]>()
    for (const item of chosenItems) {
      const leaf = items.leafOf[item] ?? 0
      if (chosen.at(-1) !== leaf) chosen.push(leaf)
      if (isPiece(items, item)) pieces.set(leaf, [...(pieces.get(leaf) ?? []), item])
    }
    const shortened = new Set<number>()
    const leafOf = new Map(chosen.map((leaf) => [leaves.nodes[leaf] ?? 0, leaf]))
    const textOf = (node: number): string => {
      const leaf = leafOf.get(node) ?? 0
      if (leaf === beginning?.leaf) {
        shortened.add(leaf)
        return texts.beginning(leaf, beginning.length)
      }
      const taken = pieces.get(leaf)
      if (taken === undefined) return texts.of(leaf)
      const cut = texts.cut(leaf, taken)
      if (!cut.isWhole) shortened.add(leaf)
      return cut.text
    }
    const text = reading.print([...leafOf.keys()], textOf, leaves.rows)
    return { text, tokens: countUpTo(text, budget * 2), chosen, shortened: shortened.size }
  }

  let best: { prefix: Prefix; count: number } | undefined
  let target = budget * 100
  let tooMany = Infinity
  let failed = 0
  for (let attempt = 0; attempt < (failed > 1 ? MOST_ATTEMPTS : ATTEMPTS); attempt++) {
    const least = (best?.count ?? 0) + 1
    const within = order.stepsWithin(target)
    const all = within >= least && target <= most ? Infinity : order.stepsBeyond(most)
    // Where estimates mislead twice, by halves.
    const count = failed > 1 ? (least + tooMany) >> 1 : Math.min(Math.max(least, within), all, tooMany - 1)
    if (count < least || count >= tooMany) break
    const prefix = write(count)
    if (prefix.tokens <= budget) {
      best = { prefix, count }
      if (prefix.tokens >= FULL * budget) break
    } else {
      tooMany = count
      failed++
    }
    target = (costs[count - 1] ?? 0) * (budget / prefix.tokens) * 0.99
  }
  return withBeginning(best?.count ?? 0, best?.prefix.tokens ?? 0) ?? best?.prefix

  /** Of the step that doesn't fit, the beginning of its longest text: a larger budget never keeps less. */
  function withBeginning(count: number, tokens: number): Prefix | undefined {
    const room = budget - tokens
    const step = order.items.slice(ends[count - 1] ?? 0, ends[count] ?? 0)
    const longest = step.reduce((one, item) => (lengthAt(item) > lengthAt(one) ? item : one), step[0] ?? -1)
    const leaf = items.leafOf[longest] ?? -1
    const isText =
      longest >= 0 && !isPiece(items, longest) && TEXTS.has(kindOf(leaves.document, leaves.nodes[leaf] ?? 0))
    if (!isText || room < LEAST_ROOM || room < MOST_EMPTY * budget) return undefined
    for (
      let length = Math.min(lengthAt(longest) - 1, room * CHARACTERS);
      length >= SHORTEST;
      length = Math.floor(length * 0.75)
    ) {
      const prefix = write(count, { leaf, length })
      if (prefix.tokens <= budget) return prefix
    }
    return undefined
  }

  function lengthAt(item: number): number {
    return lengthOf(leaves, items.leafOf[item] ?? 0)
  }
}

/** Room that the beginning of a text takes: tokens, a share of the budget, characters. */
const LEAST_ROOM = 20
const MOST_EMPTY = 0.08
const SHORTEST = 60
const CHARACTERS = 3
const TEXTS: ReadonlySet<number> = new Set([NODE.string, NODE.text])

interface Beginning {
  readonly leaf: number
  readonly length: number
}

/** Estimated cost of an item in hundredths of a token, with what is opened around it the first time. */
function createCoster(items: Items, texts: LeafTexts): (item: number) => number {
  const { leaves } = items
  const { document } = leaves
  const open = new Uint8Array(document.count)
  const keyCosts = new Map<number, number>()
  const keyCost = (node: number): number => {
    const key = keyOf(document, node)
    if (key < 0) return 0
    let cost = keyCosts.get(key)
    if (cost === undefined) keyCosts.set(key, (cost = inside(document.keyTexts[key] ?? '') + SIGNS))
    return cost
  }
  return (item) => {
    const leaf = items.leafOf[item] ?? 0
    const node = leaves.nodes[leaf] ?? 0
    let cost = SIGNS
    if (isPiece(items, item)) {
      const value = items.long.get(leaf) ?? ''
      cost += estimateHundredths(value, items.starts[item] ?? 0, endOfPiece(items, item))
    } else cost += inside(texts.of(leaf))
    if (open[node] === 0) cost += keyCost(node)
    open[node] = 1
    for (
      let above = parentOf(document, node);
      above >= 0 && open[above] === 0;
      above = parentOf(document, above)
    ) {
      open[above] = 1
      cost += keyCost(above) + SIGNS
    }
    return cost
  }
}

/** Quotes join adjacent signs in one token. */
const inside = (text: string): number =>
  text.startsWith('"')
    ? estimateHundredths(text, 1, text.length - 1)
    : estimateHundredths(text, 0, text.length)

/** How many of the ascending numbers are at most `limit`. */
function firstAbove(numbers: readonly number[], limit: number): number {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? 0) <= limit) low = middle + 1
    else high = middle
  }
  return low
}
