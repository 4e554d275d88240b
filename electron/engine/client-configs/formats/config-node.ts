export type ConfigPath = readonly (string | number)[]

export interface ConfigNode {
  readonly kind: 'scalar' | 'map' | 'list'
  readonly start: number
  readonly end: number
  readonly layout: 'delimited' | 'lines'
  readonly items: readonly ConfigItem[]
}

export interface ConfigItem {
  readonly key: string | number
  /** Several pieces if TOML spreads a table. In text order, never empty. */
  readonly pieces: readonly ConfigPiece[]
  readonly value: ConfigNode
  /** A JSON key that is given again later in the same object: the later one counts. */
  readonly isOverridden?: true
}

export interface ConfigPiece {
  readonly start: number
  readonly end: number
  /** Of a TOML dotted key: `a.` in `a.command = "x"`. */
  readonly prefix: string
  readonly isTable: boolean
}

export const firstPiece = (item: ConfigItem): ConfigPiece => piece(item, 0)
export const lastPiece = (item: ConfigItem): ConfigPiece => piece(item, item.pieces.length - 1)

function piece({ pieces, key }: ConfigItem, index: number): ConfigPiece {
  const found = pieces[index]
  if (!found) throw new Error(`"${key}" has no place in the text.`)
  return found
}

const itemAt = (node: ConfigNode | undefined, key: string | number): ConfigItem | undefined =>
  node?.items.findLast((item) => item.key === key)

export const nodeAt = (root: ConfigNode, path: ConfigPath): ConfigNode | undefined =>
  path.reduce<ConfigNode | undefined>((node, key) => itemAt(node, key)?.value, root)

/** In text order. */
export const overriddenKeys = (node: ConfigNode): readonly { key: string | number; offset: number }[] =>
  node.items.flatMap((item) =>
    item.isOverridden ? [{ key: item.key, offset: firstPiece(item).start }] : overriddenKeys(item.value),
  )
