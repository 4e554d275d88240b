import type { NumberRun } from './finders/number-runs.ts'

export interface Span {
  /** Built-in type, or a custom pattern's placeholder name. */
  readonly type: string
  readonly start: number
  readonly end: number
  readonly value: string
}

export interface Found {
  readonly start: number
  readonly end: number
}

/** Shared facts, computed once. */
export interface Scan {
  readonly text: string
  readonly numberRuns: readonly NumberRun[]
  /** Of people, places and organisations, undistinguished. */
  readonly properNames: readonly Found[]
}

/** One type: ordered, without overlaps, in linear time. */
export type Finder = (scan: Scan) => readonly Found[]
