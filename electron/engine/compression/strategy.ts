import type { ContentKind } from '../text/kinds/content-kinds.ts'

export interface StrategyInput {
  readonly text: string
  /** What the reader is looking for, in words; undefined where nobody said. */
  readonly goal: string | undefined
  /** Tokens (o200k_base) that `text` and `omitted` together may have at the most; the rest of the header is already taken off. */
  readonly budget: number
  /** Only a form from which everything can be rebuilt is wanted; `undefined` is returned where there is none. */
  readonly lossless?: boolean | undefined
}

export interface StrategyOutput {
  readonly text: string
  /** Short words for the header on what is not in the text, e.g. "4,812 of 4,830 rows"; undefined when nothing is. */
  readonly omitted: string | undefined
  /** True when the whole input can be rebuilt from `text`. */
  readonly lossless: boolean
}

/**
 * One way of shortening one kind of content. Deterministic: the same input gives the same bytes.
 * Never over the budget. `undefined` means "not my kind after all": the caller falls back to the next strategy.
 */
export interface Strategy {
  readonly name: string
  readonly kinds: readonly ContentKind[]
  compress(input: StrategyInput): StrategyOutput | undefined
}
