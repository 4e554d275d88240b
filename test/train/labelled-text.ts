/** A text for training or measuring. */
export interface LabelledText {
  readonly id: string
  readonly source: string
  /** Near-duplicates; cross-validation never separates them. */
  readonly group: string
  readonly attack: boolean
  readonly text: string
  readonly windows: readonly Uint16Array[]
}

export interface Case extends LabelledText {
  /** Attacks only: whether it contains an override wording. */
  readonly overt: boolean
  readonly toolOutput: boolean
  readonly hardNegative: boolean
  /** Whether its licence allows training. */
  readonly usable: boolean
}
