/** Lines that differ only in numbers, ids and addresses. */
export interface LineKind {
  readonly first: number
  readonly last: number
  readonly count: number
  /** Lines spread over the log: the first, second, fourth and so on. */
  readonly samples: readonly number[]
  /** Level column, ''; kinds never mix levels. */
  readonly level: string
  /** A stack frame, an indented detail. */
  readonly isContinuation: boolean
}
