/** Lines that differ only in numbers, ids and addresses. */
export interface LineKind {
  readonly first: number
  readonly last: number
  readonly count: number
  /** Lines spread over the log: the first, second, fourth and so on. */
  readonly samples: readonly number[]
  /** Level column, '' when none. Lines of different levels are never of one kind. */
  readonly level: string
  /** Continues an earlier line: a stack frame, an indented detail. */
  readonly isContinuation: boolean
}
