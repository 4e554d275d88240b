import { countTokens, countUpTo } from '../../text/tokens/count-tokens.ts'
import type { JsonLeaves } from '../../text/tree/find-leaves.ts'
import type { LeafTexts } from './leaf-texts.ts'
import { renderLeaves } from './render-leaves.ts'
import type { Insertion } from './render-leaves.ts'
import { selectLeaves } from './select-leaves.ts'

const ATTEMPTS = 4
/** Estimates are never this many times too high. */
const GROWTH = 2
/** Initial share of the budget: too long is useless, nearly full is enough. */
const CAUTION = 0.99
const FULL = 0.975

export interface FittedLeaves {
  readonly text: string
  readonly chosen: readonly number[]
  readonly tokens: number
}

/** Selection uses estimates, corrected by exact counts; two or three suffice. */
export function fitLeaves(
  leaves: JsonLeaves,
  order: readonly number[],
  texts: LeafTexts,
  budget: number,
  insertion?: Insertion,
): FittedLeaves | undefined {
  let best: FittedLeaves | undefined
  // The insertion is always printed.
  const inserted = insertion === undefined ? 0 : countTokens(insertion.text)
  let target = (budget - inserted) * CAUTION
  let tooMuch = Infinity
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const chosen = selectLeaves(leaves, order, texts, target)
    const text = renderLeaves(leaves, chosen, (leaf) => texts.of(leaf), insertion)
    const tokens = countUpTo(text, budget * 2)
    if (tokens <= budget) {
      if (best === undefined || chosen.length > best.chosen.length) best = { text, chosen, tokens }
      if (tokens >= FULL * budget || chosen.length === leaves.count || chosen.length === 0) break
      const growth = Math.min(GROWTH, ((budget - inserted) / Math.max(tokens - inserted, 1)) * 0.99)
      target = Math.min((target + tooMuch) / 2, target * growth)
    } else {
      tooMuch = Math.min(tooMuch, target)
      target *= ((budget - inserted) / (tokens - inserted)) * 0.98
    }
  }
  return best
}
