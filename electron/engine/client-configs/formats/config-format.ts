import type { ConfigNode, ConfigPath } from './config-node.ts'

/** A key with its value, in the order in which they are written. */
export type Pair = readonly [key: string, value: unknown]

/** A change of one map or list; several at once must not lie within entries that another one replaces. */
export interface ContainerEdit {
  readonly path: ConfigPath
  /**
   * What takes the place of an entry, by its key: `[[key, value]]` for a new value, other keys for other entries,
   * nothing for its removal. Of a list only removals.
   */
  readonly replace?: ReadonlyMap<string | number, readonly Pair[]>
  /** Entries behind the last one; for a list the keys are not written. */
  readonly append?: readonly Pair[]
}

export interface ParsedConfig {
  /** What the file says, as plain values. */
  readonly value: unknown
  readonly root: ConfigNode
}

/** A text with what it says, so that it is read only once. */
export interface ConfigText {
  readonly text: string
  readonly parsed: ParsedConfig
}

/** How new text of a format looks at one place. */
export interface WritingPlace {
  readonly layout: ConfigNode['layout']
  /** Of the map or the list that takes it. */
  readonly container: ConfigPath
  readonly kind: 'map' | 'list'
  /** What the lines after the first begin with. */
  readonly indent: string
  /** One step of indentation. */
  readonly step: string
  readonly eol: string
  readonly prefix: string
  /** Whether the entries of the container each have lines of their own. */
  readonly isMultiline: boolean
  /** A whole TOML table with its header is wanted. */
  readonly asTable: boolean
}

/** One file format: reading with places, and the spelling of new entries. What stands in between is edit-config-text.ts. */
export interface ConfigFormat {
  readonly name: 'JSON' | 'TOML' | 'YAML'
  /** Finds what a comment is, so that commas in it are not taken for commas. Sticky. */
  readonly comment: RegExp
  /** Throws ConfigSyntaxError. */
  parse(text: string): ParsedConfig
  writePair(pair: Pair, place: WritingPlace): string
  /** A value on one line. */
  writeInline(value: unknown): string
}

export class ConfigSyntaxError extends Error {
  readonly offset: number
  constructor(message: string, offset: number) {
    super(message)
    this.name = 'ConfigSyntaxError'
    this.offset = offset
  }
}
