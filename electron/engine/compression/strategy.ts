import type { FormatHint } from '../text/readers/reading.ts'
import type { FoundReading } from '../text/readers/registry.ts'
import type { ContentKind } from '../text/kinds/content-kinds.ts'

export interface StrategyInput {
  readonly text: string
  readonly goal: string | undefined
  /** What the call says of the format. */
  readonly hint?: FormatHint | undefined
  /** What telling the kind has read of the text's beginning. */
  readonly found?: FoundReading | undefined
  /** Tokens (o200k_base) for `text` and `omitted`; the rest of the header is subtracted. */
  readonly budget: number
  /** Only a fully restorable form; asked only of strategies that have one. */
  readonly lossless?: boolean | undefined
}

export interface StrategyOutput {
  readonly text: string
  /** What the text omits, for the header, e.g. "4,812 of 4,830 rows"; undefined when nothing. */
  readonly omitted: string | undefined
  /** Whether `text` restores the whole input. */
  readonly lossless?: boolean
}

/** Deterministic: equal input gives equal bytes. Never exceeds the budget. `undefined` means "not my kind": the caller tries the next. */
export interface Strategy {
  readonly name: string
  readonly kinds: readonly ContentKind[]
  readonly hasLossless?: boolean
  compress(input: StrategyInput): StrategyOutput | undefined
}
