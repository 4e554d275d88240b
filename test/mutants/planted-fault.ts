/** A realistic mistake, planted in a copy of the sources to see which test notices it. */
export interface PlantedFault {
  /** Short, unique over all lists: letters, digits and hyphens. */
  readonly id: string
  /** The effect on a user. */
  readonly what: string
  /** Path below the project's root. */
  readonly file: string
  /** Text that occurs exactly once in the file. */
  readonly find: string
  readonly replace: string
  /** Paths of test files below the project's root; at least one fails with the fault. */
  readonly tests: readonly string[]
}
