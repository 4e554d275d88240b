import type { NumberRun } from './finders/number-runs.ts'

/** One piece of personal data in a text. Offsets are UTF-16 code units; `end` is exclusive. */
export interface Span {
  /** A built-in type, or the placeholder name of a custom pattern. */
  readonly type: string
  readonly start: number
  readonly end: number
  readonly value: string
}

export interface Found {
  readonly start: number
  readonly end: number
}

/** A text, and what several finders need of it and is worked out once. */
export interface Scan {
  readonly text: string
  readonly numberRuns: readonly NumberRun[]
  /** Names of people, places and organisations, not told apart. */
  readonly properNames: readonly Found[]
}

/** Finds one type of personal data: ordered by start, without overlaps, in time linear in the text. */
export type Finder = (scan: Scan) => readonly Found[]
