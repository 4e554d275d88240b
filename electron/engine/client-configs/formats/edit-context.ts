import type { ConfigFormat, Pair } from './config-format.ts'

/** What editing a container needs from its file. */
export interface EditContext {
  readonly text: string
  readonly format: ConfigFormat
  readonly eol: string
  /** Spells a new entry; `indent` is already before it and prefixes its further lines. */
  readonly write: (pair: Pair, indent: string, options?: { prefix?: string; isMultiline?: boolean }) => string
}
