import type { JsonDocument } from '../tree/json-document.ts'

/** By list: the name of each place, where it is known. */
export type NamedRows = ReadonlyMap<number, readonly (string | undefined)[]>

/**
 * A text as one tree of records, whatever its format. Nodes are in document order and refer to positions in
 * `document.text`, which is the source text; a scalar without JSON's quotes is a `NODE.text`.
 */
export interface Reading {
  readonly format: string
  readonly document: JsonDocument
  /** Share of the source's characters outside blank lines that the tree explains, 0 to 1. */
  readonly explained: number
  /** Signs that no other text has: drawn lines, delimiters in every row. */
  readonly isSyntax?: boolean
  /** By node: the comment above it, without comment signs. */
  readonly comments?: ReadonlyMap<number, string>
  /** Leaves that aren't in force: settings behind the sign of a comment. */
  readonly commentedOut?: ReadonlySet<number>
  /**
   * Chosen leaves (nodes, ascending) in the source's own form, each below what names it: keys, section, table header,
   * opening tag. A gap inside a printed line or value is marked with `…`. `textOf` gives a leaf's value, perhaps cut.
   * `rows` are lists whose places have names, which a part of one is printed with.
   */
  print(chosen: readonly number[], textOf: (node: number) => string, rows?: NamedRows): string
}

export interface Reader {
  readonly format: string
  /** Undefined when the text is not of this format. Linear in the length of the text. */
  read(text: string, hint?: FormatHint): Reading | undefined
}

/** Evidence from the call: the ending of a path among its arguments, a format flag. Lower case, without a dot. */
export interface FormatHint {
  readonly ending?: string | undefined
}
