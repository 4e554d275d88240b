/** A text that the model learns from or is measured on. */
export interface LabelledText {
  readonly id: string
  /** Texts of one source share their weight, so that a large source does not drown a small one. */
  readonly source: string
  /** Texts that say nearly the same; cross-validation never separates them. */
  readonly group: string
  readonly attack: boolean
  readonly text: string
  readonly windows: readonly Uint16Array[]
}

export interface Case extends LabelledText {
  /** Only attacks have it: whether an override wording stands in it. */
  readonly overt: boolean
  readonly toolOutput: boolean
  readonly hardNegative: boolean
  /** Whether the model may learn from it, by its licence. */
  readonly usable: boolean
}
