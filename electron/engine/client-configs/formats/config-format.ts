import type { ConfigNode, ConfigPath } from './config-node.ts'

/** In written order. */
export type Pair = readonly [key: string, value: unknown]

/** Of one map or list; several must not lie within replaced entries. */
export interface ContainerEdit {
  readonly path: ConfigPath
  /**
   * By entry key: `[[key, value]]` for a new value, other keys for other entries, empty to remove. Lists support
   * removal only.
   */
  readonly replace?: ReadonlyMap<string | number, readonly Pair[]>
  /** New entries behind an entry that stays; maps only. */
  readonly after?: ReadonlyMap<string | number, readonly Pair[]>
  /** List keys aren't written. */
  readonly append?: readonly Pair[]
}

export interface ParsedConfig {
  /** Plain values. */
  readonly value: unknown
  readonly root: ConfigNode
}

export interface ConfigText {
  readonly text: string
  readonly parsed: ParsedConfig
}

/** For new text. */
export interface WritingPlace {
  readonly layout: ConfigNode['layout']
  /** Of the receiving map or list. */
  readonly container: ConfigPath
  readonly kind: 'map' | 'list'
  /** For lines after the first. */
  readonly indent: string
  /** Indentation. */
  readonly step: string
  readonly eol: string
  readonly prefix: string
  /** Entries have their own lines. */
  readonly isMultiline: boolean
  /** A whole TOML table with header. */
  readonly asTable: boolean
}

/** Reading with positions, and spelling of new entries. edit-config-text.ts edits. */
export interface ConfigFormat {
  readonly name: 'JSON' | 'TOML' | 'YAML'
  /** Commas in comments are ignored. Sticky. */
  readonly comment: RegExp
  parse(text: string): ParsedConfig
  writePair(pair: Pair, place: WritingPlace): string
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
