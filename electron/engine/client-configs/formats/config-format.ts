import type { ConfigNode, ConfigPath } from './config-node.ts'

/** A key with its value, in written order. */
export type Pair = readonly [key: string, value: unknown]

/** A change of one map or list; several must not lie within entries that another one replaces. */
export interface ContainerEdit {
  readonly path: ConfigPath
  /**
   * Replacements by entry key: `[[key, value]]` for a new value, other keys for other entries, empty to remove. Lists
   * support removal only.
   */
  readonly replace?: ReadonlyMap<string | number, readonly Pair[]>
  /** Entries to append; list keys aren't written. */
  readonly append?: readonly Pair[]
}

export interface ParsedConfig {
  /** What the file says, as plain values. */
  readonly value: unknown
  readonly root: ConfigNode
}

/** A text with its parsed value. */
export interface ConfigText {
  readonly text: string
  readonly parsed: ParsedConfig
}

/** Where a format writes new text. */
export interface WritingPlace {
  readonly layout: ConfigNode['layout']
  /** Path of the map or list that receives it. */
  readonly container: ConfigPath
  readonly kind: 'map' | 'list'
  /** Prefix of the lines after the first. */
  readonly indent: string
  /** One step of indentation. */
  readonly step: string
  readonly eol: string
  readonly prefix: string
  /** Whether the container's entries have their own lines. */
  readonly isMultiline: boolean
  /** Write a whole TOML table with header. */
  readonly asTable: boolean
}

/** One file format: reading with positions, and spelling of new entries. edit-config-text.ts does the editing. */
export interface ConfigFormat {
  readonly name: 'JSON' | 'TOML' | 'YAML'
  /** Matches comments, so that commas in them are ignored. Sticky. */
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
