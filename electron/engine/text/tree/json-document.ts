/** Numbers, so that a kind fits a byte. `text` is a scalar of another format than JSON: its source is its value. */
export const NODE = {
  object: 0,
  array: 1,
  string: 2,
  number: 3,
  true: 4,
  false: 5,
  null: 6,
  text: 7,
} as const

/**
 * Parsed JSON as flat arrays, an element per value in document order (parents before children). Nodes reference the
 * text, so numbers keep their digits (46.0, ids above 2^53) and large documents take some 30 bytes per value.
 * Traversal needs no recursion.
 */
export interface JsonDocument {
  readonly text: string
  /** Nodes in use; the arrays may be longer. */
  readonly count: number
  /** The first node: 1 for one value, 0 for several (JSON lines), then an array that isn't in the text. */
  readonly root: number
  readonly kinds: Uint8Array
  /** -1 above the root. */
  readonly parents: Int32Array
  /** The first node after the subtree. */
  readonly ends: Int32Array
  /** UTF-16 units, end exclusive. */
  readonly starts: Int32Array
  readonly stops: Int32Array
  /** In `keyNames`; -1 for array elements and the root. */
  readonly keys: Int32Array
  /** Distinct keys, decoded. */
  readonly keyNames: readonly string[]
  /** Distinct keys as JSON, with quotes. */
  readonly keyTexts: readonly string[]
  /** By key, where its name isn't in the text: what the text says, '' for nothing. */
  readonly shownNames?: ReadonlyMap<number, string>
  /** Values of text nodes that differ from their source: entities, quotes, folded lines. */
  readonly values?: ReadonlyMap<number, string>
}

export const isContainer = (document: JsonDocument, node: number): boolean =>
  (document.kinds[node] ?? NODE.null) <= NODE.array

export const kindOf = (document: JsonDocument, node: number): number => document.kinds[node] ?? NODE.null
export const parentOf = (document: JsonDocument, node: number): number => document.parents[node] ?? -1
export const endOf = (document: JsonDocument, node: number): number => document.ends[node] ?? node + 1
export const keyOf = (document: JsonDocument, node: number): number => document.keys[node] ?? -1

/** Scalars and empty containers. */
export const isLeaf = (document: JsonDocument, node: number): boolean =>
  kindOf(document, node) > NODE.array || endOf(document, node) === node + 1

/** A key's name as the text has it; '' for one that a reader made. */
export const shownNameOf = (document: JsonDocument, key: number): string =>
  document.shownNames?.get(key) ?? document.keyNames[key] ?? ''

export const sourceOf = (document: JsonDocument, node: number): string =>
  document.text.slice(document.starts[node], document.stops[node])

/** A string node's characters, unescaped; any other leaf's source; '' for null. */
export function valueOf(document: JsonDocument, node: number): string {
  const kind = kindOf(document, node)
  if (kind === NODE.null) return ''
  if (kind === NODE.text) return document.values?.get(node) ?? sourceOf(document, node)
  const source = sourceOf(document, node)
  return kind === NODE.string ? decodeString(source) : source
}

/** Takes the quotes. */
export function decodeString(source: string): string {
  if (!source.includes('\\')) return source.slice(1, -1)
  const value: unknown = JSON.parse(source)
  return typeof value === 'string' ? value : source
}

export function childrenOf(document: JsonDocument, node: number): number[] {
  const children: number[] = []
  if (!isContainer(document, node)) return children
  for (let child = node + 1; child < endOf(document, node); child = endOf(document, child))
    children.push(child)
  return children
}

export function keysOf(document: JsonDocument, node: number): number[] {
  const keys: number[] = []
  for (let child = node + 1; child < endOf(document, node); child = endOf(document, child))
    keys.push(keyOf(document, child))
  return keys
}
