import type { FoundLabel } from './finders/label-index.ts'
import type { NamedNumber, NumberName } from './finders/number-labels.ts'
import type { NumberRun } from './finders/number-runs.ts'
import type { PatternStarts } from './finders/pattern-starts.ts'

/** Offsets are UTF-16 code units; `end` is exclusive. */
export interface Span {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly value: string
  /** The value is a number of JSON; these are written around the placeholder in its place. */
  readonly quotes?: string
}

export interface Found {
  readonly start: number
  readonly end: number
}

export type NamedNumbers = ReadonlyMap<NamedNumber, readonly Found[]>

/** Where matches of the patterns that have many words may begin. */
export type Starts = PatternStarts<
  'authorization' | 'birth' | 'driverLicense' | 'passport' | 'secretName' | 'token'
>

/** Shared facts, computed once. */
export interface Scan {
  readonly text: string
  readonly starts: Starts
  readonly numberRuns: readonly NumberRun[]
  /** Words for numbers of persons. */
  readonly numberLabels: readonly FoundLabel<NumberName>[]
  /** Told by the word for them alone, by their type. */
  readonly namedNumbers: NamedNumbers
  /** Of people, places and organisations, undistinguished. */
  readonly properNames: readonly Found[]
}

export type Finder = (scan: Scan) => readonly Found[]
