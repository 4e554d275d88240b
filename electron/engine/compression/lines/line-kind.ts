/** Lines that differ only in their numbers, ids and addresses. */
export interface LineKind {
  readonly first: number
  readonly last: number
  readonly count: number
  /** Some of its lines, spread over the log: the first, the second, the fourth and so on. */
  readonly samples: readonly number[]
  /** Value of the level column, '' where there is none. Lines of different levels are never of one kind. */
  readonly level: string
  /** The line goes on with what an earlier one began: a stack frame, an indented detail. */
  readonly isContinuation: boolean
}
