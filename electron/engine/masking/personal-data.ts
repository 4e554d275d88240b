import type { NumberRun } from './finders/number-runs.ts'

/** Offsets are UTF-16 code units; `end` is exclusive. */
export interface Span {
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

export type Finder = (scan: Scan) => readonly Found[]
