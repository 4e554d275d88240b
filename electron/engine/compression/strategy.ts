import type { ContentKind } from '../text/kinds/content-kinds.ts'

export interface StrategyInput {
  readonly text: string
  /** The reader's goal in words; undefined when not given. */
  readonly goal: string | undefined
  /** Most tokens (o200k_base) of `text` and `omitted` together; the rest of the header is already subtracted. */
  readonly budget: number
  /** Accept only a fully restorable form, otherwise `undefined`. */
  readonly lossless?: boolean | undefined
}

export interface StrategyOutput {
  readonly text: string
  /** What the text omits, for the header, e.g. "4,812 of 4,830 rows"; undefined when nothing. */
  readonly omitted: string | undefined
  /** Whether `text` restores the whole input. */
  readonly lossless: boolean
}

/**
 * A way to shorten one kind of content. Deterministic: equal input gives equal bytes. Never exceeds the budget.
 * `undefined` means "not my kind": the caller tries the next strategy.
 */
export interface Strategy {
  readonly name: string
  readonly kinds: readonly ContentKind[]
  compress(input: StrategyInput): StrategyOutput | undefined
}
