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
  /** No gap mark is printed right after it: a heading says that there is text below it. */
  readonly noGapAfter?: boolean | undefined
}
