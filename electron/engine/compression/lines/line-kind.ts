/** Lines that differ only in numbers, ids and addresses. */
export interface LineKind {
  readonly first: number
  readonly last: number
  readonly count: number
  /** Not all lines have the same message. */
  readonly isVaried: boolean
  /** Lines spread over the text (the first, second, fourth and so on), and the first that differ. */
  readonly samples: readonly number[]
  /** Stated before the message, -1 for none; kinds never mix levels. */
  readonly level: number
  /** Worst of its lines, 0 to 3. */
  readonly severity: number
  /** A stack frame, an indented detail. */
  readonly isContinuation: boolean
}
