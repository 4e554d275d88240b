/** What a node of a parsed JSON text is. Numbers, so that a node's kind fits a byte. */
export const NODE = { object: 0, array: 1, string: 2, number: 3, true: 4, false: 5, null: 6 } as const

/**
 * A parsed JSON text as flat arrays, one place per value in document order (a parent comes before its children).
 * Values are not built: a node names its place in the text, so numbers keep their digits (46.0, ids above 2^53) and a
 * large document costs some 30 bytes per value. Walks need no recursion.
 */
export interface JsonDocument {
  readonly text: string
  /** Nodes in use; the arrays may be longer. */
  readonly count: number
  /** The first node: 1 for one value, 0 for several in a row (JSON lines), then an array that is not in the text. */
  readonly root: number
  readonly kinds: Uint8Array
  /** The containing node, -1 above the root. */
  readonly parents: Int32Array
  /** The first node after the subtree. */
  readonly ends: Int32Array
  /** Place of the value in the text, UTF-16 units, end exclusive. */
  readonly starts: Int32Array
  readonly stops: Int32Array
  /** Index into `keyNames`; -1 for array elements and the root. */
  readonly keys: Int32Array
  /** Each distinct key once, decoded. */
  readonly keyNames: readonly string[]
  /** Each distinct key as JSON, with quotes, ready to print. */
  readonly keyTexts: readonly string[]
}

export const isContainer = (document: JsonDocument, node: number): boolean =>
  (document.kinds[node] ?? NODE.null) <= NODE.array

export const kindOf = (document: JsonDocument, node: number): number => document.kinds[node] ?? NODE.null
export const parentOf = (document: JsonDocument, node: number): number => document.parents[node] ?? -1
export const endOf = (document: JsonDocument, node: number): number => document.ends[node] ?? node + 1
export const keyOf = (document: JsonDocument, node: number): number => document.keys[node] ?? -1

/** True for values without parts: scalars and empty containers. */
export const isLeaf = (document: JsonDocument, node: number): boolean =>
  kindOf(document, node) > NODE.array || endOf(document, node) === node + 1

/** The value as the text has it. */
export const sourceOf = (document: JsonDocument, node: number): string =>
  document.text.slice(document.starts[node], document.stops[node])

/** The characters of a string node, escapes resolved; the source text of any other leaf; '' for null. */
export function valueOf(document: JsonDocument, node: number): string {
  const kind = kindOf(document, node)
  if (kind === NODE.null) return ''
  const source = sourceOf(document, node)
  return kind === NODE.string ? decodeString(source) : source
}

/** The characters of a JSON string given with its quotes. */
export function decodeString(source: string): string {
  if (!source.includes('\\')) return source.slice(1, -1)
  const value: unknown = JSON.parse(source)
  return typeof value === 'string' ? value : source
}

/** The direct children of a node, in order. */
export function childrenOf(document: JsonDocument, node: number): number[] {
  const children: number[] = []
  if (!isContainer(document, node)) return children
  for (let child = node + 1; child < endOf(document, node); child = endOf(document, child))
    children.push(child)
  return children
}

/** The keys of an object, in order. */
export function keysOf(document: JsonDocument, node: number): number[] {
  const keys: number[] = []
  for (let child = node + 1; child < endOf(document, node); child = endOf(document, child))
    keys.push(keyOf(document, child))
  return keys
}
