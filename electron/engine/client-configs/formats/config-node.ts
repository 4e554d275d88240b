export type ConfigPath = readonly (string | number)[]

/** A value of a configuration file and where it stands in the text, whatever the format. */
export interface ConfigNode {
  readonly kind: 'scalar' | 'map' | 'list'
  /** Offsets in the text: the first character of the value, and the one behind its last. */
  readonly start: number
  readonly end: number
  /** How a container separates its items: by commas between brackets, or by lines. */
  readonly layout: 'delimited' | 'lines'
  readonly items: readonly ConfigItem[]
}

/** An entry of a map (its key with its value) or of a list. */
export interface ConfigItem {
  readonly key: string | number
  /** Where it stands; more than one piece where TOML spreads a table. In the order of the text, never empty. */
  readonly pieces: readonly ConfigPiece[]
  readonly value: ConfigNode
}

export interface ConfigPiece {
  readonly start: number
  readonly end: number
  /** What TOML's dotted keys have in front of the last part: `a.` in `a.command = "x"`. */
  readonly prefix: string
  /** A TOML table with its header; such a piece is only ever removed as a whole. */
  readonly isTable: boolean
}

export const firstPiece = (item: ConfigItem): ConfigPiece => piece(item, 0)
export const lastPiece = (item: ConfigItem): ConfigPiece => piece(item, item.pieces.length - 1)

function piece({ pieces, key }: ConfigItem, index: number): ConfigPiece {
  const found = pieces[index]
  if (!found) throw new Error(`"${key}" has no place in the text.`)
  return found
}

export const itemAt = (node: ConfigNode | undefined, key: string | number): ConfigItem | undefined =>
  node?.items.find((item) => item.key === key)

/** The value at a path; undefined where nothing stands. */
export const nodeAt = (root: ConfigNode, path: ConfigPath): ConfigNode | undefined =>
  path.reduce<ConfigNode | undefined>((node, key) => itemAt(node, key)?.value, root)
