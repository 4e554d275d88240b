/** A piece of a document that is printed whole or not at all. */
export interface Unit {
  /** Printed text without a trailing line break; created only for candidates. */
  readonly text: string | (() => string)
  /** Characters for the cost exponent, when not the text's. */
  readonly length?: number | undefined
  /** Units of 0 or less are taken only as companions. */
  readonly value: number
  /** Indexes of companions: table header, heading, record name. */
  readonly needs?: readonly number[] | undefined
  /** No gap mark directly after it: a heading implies text below. */
  readonly noGapAfter?: boolean | undefined
}
