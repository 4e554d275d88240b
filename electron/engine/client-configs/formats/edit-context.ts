import type { ConfigFormat, Pair } from './config-format.ts'

/** What the editing of one container needs to know of its file. */
export interface EditContext {
  readonly text: string
  readonly format: ConfigFormat
  readonly eol: string
  /** Spells a new entry; `indent` stands before it already, and goes before its further lines. */
  readonly write: (pair: Pair, indent: string, options?: { prefix?: string; isMultiline?: boolean }) => string
}
