/** One realistic mistake, planted in a copy of the sources to see which test notices it. */
export interface PlantedFault {
  /** Short, unique over all lists: letters, digits and hyphens. */
  readonly id: string
  /** What would break for a user. */
  readonly what: string
  /** Path below the project's root. */
  readonly file: string
  /** Text that stands exactly once in the file. */
  readonly find: string
  readonly replace: string
  /** Paths of test files below the project's root; at least one of them fails with the fault. */
  readonly tests: readonly string[]
}
