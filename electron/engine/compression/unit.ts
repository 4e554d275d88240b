/** Printed whole or not at all. */
export interface Unit {
  /** Printed text without a trailing line break; created only for candidates. */
  readonly text: string | (() => string)
  /** For the cost exponent, when not the text's. */
  readonly length?: number | undefined
  /** Units of 0 or less are taken only as companions. */
  readonly value: number
  /** Indexes of companions: table header, heading, record name. */
  readonly needs?: readonly number[] | undefined
  /** A heading implies text below. */
  readonly noGapAfter?: boolean | undefined
}
