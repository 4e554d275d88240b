import type { NumberRun } from './finders/number-runs.ts'

/** Personal data in a text. Offsets are UTF-16 code units; `end` is exclusive. */
export interface Span {
  /** A built-in type, or a custom pattern's placeholder name. */
  readonly type: string
  readonly start: number
  readonly end: number
  readonly value: string
}

export interface Found {
  readonly start: number
  readonly end: number
}

/** A text with shared facts, computed once. */
export interface Scan {
  readonly text: string
  readonly numberRuns: readonly NumberRun[]
  /** Names of people, places and organisations, undistinguished. */
  readonly properNames: readonly Found[]
}

/** Finds one type: ordered, without overlaps, in linear time. */
export type Finder = (scan: Scan) => readonly Found[]
