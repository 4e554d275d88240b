import type { ConfigFormat, Pair } from './config-format.ts'

export interface EditContext {
  readonly text: string
  readonly format: ConfigFormat
  readonly eol: string
  /** `indent` is already before it and prefixes its further lines. */
  readonly write: (pair: Pair, indent: string, options?: { prefix?: string; isMultiline?: boolean }) => string
}
