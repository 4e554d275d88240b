import { childrenOf, endOf, isLeaf, keyOf, keysOf, kindOf, NODE, parentOf } from './json-document.ts'
import type { JsonDocument } from './json-document.ts'
import { findNamedCells } from './named-cells.ts'
import { findParallelLists } from './parallel-lists.ts'
import { findRowNames } from './row-names.ts'
import { isSeries } from './series.ts'
import { findTupleRows } from './tuple-rows.ts'
import type { TupleRows } from './tuple-rows.ts'

/** Values without parts, and their records. */
export interface JsonLeaves {
  readonly document: JsonDocument
  readonly count: number
  /** Node of each leaf, in document order. */
  readonly nodes: Int32Array
  /** Per node: the number of leaves before it; a subtree has leaves `before[node]` to `before[end]`. */
  readonly before: Int32Array
  /** Per node: id of its path from the root; all elements of an array share one. */
  readonly paths: Int32Array
  readonly pathCount: number
  readonly pathParents: readonly number[]
  /** Per path: its last key, below 0 for an array element or a place in a row. */
  readonly pathKeys: readonly number[]
  /** Per path: name of its last step (a key, or the place's table header), if any. */
  readonly pathNames: readonly (string | undefined)[]
  /** Per path: its last name, the label of its values; '' when none. */
  readonly pathLabels: readonly string[]
  /** Nodes that come together: of a pair, the name and its value. */
  readonly partners: ReadonlyMap<number, number>
  /** By element of lists that are columns: the elements of its row. */
  readonly parallel: ReadonlyMap<number, readonly number[]>
  /** Names of places, by list: rows of tables, lists of cells that a header names, and matrices. */
  readonly rows: ReadonlyMap<number, readonly (string | undefined)[]>
  /** Rows of matrices that a list beside them names. */
  readonly rowNames: ReadonlyMap<number, string>
  /** Tables of list rows: each one's header nodes, by the table's node. */
  readonly tables: ReadonlyMap<number, readonly number[]>
  /** Outermost records: objects in an array or in a map of similar objects, and table rows. */
  readonly records: readonly number[]
  /** Per node: its outermost record (a node), -1 outside records. */
  readonly outerRecords: Int32Array
  /** Per node: its nearest record, -1 outside records. */
  readonly innerRecords: Int32Array
}

const ELEMENT = -1
/** Places in a row count down from here. */
const FIRST_PLACE = -2
const MOST_PLACES = 128
/** An object with this many object members that share keys maps ids to records. */
const MAP_MEMBERS = 4
const MAP_SAMPLE = 32
/** Of the nodes in a list's only element. */
const FRAMED = 0.8

/** `hasSeries`: long lists of numbers count as one value, unless their elements are named, or are at a time that is asked for. */
export function findLeaves(
  document: JsonDocument,
  hasSeries = true,
  isAsked: (time: string) => boolean = () => false,
): JsonLeaves {
  const { count, root } = document
  const nodes = new Int32Array(count)
  const before = new Int32Array(count + 1)
  const paths = new Int32Array(count)
  const outerRecords = new Int32Array(count).fill(-1)
  // One array until a record is inside another.
  let innerRecords = outerRecords
  const isMap = new Uint8Array(count)
  const tables = new Map<number, TupleRows>()
  const rows = new Map<number, readonly (string | undefined)[]>()
  const rowNames = new Map<number, string>()
  const pathParents: number[] = [-1]
  const pathKeys: number[] = [-1]
  const pathNames: (string | undefined)[] = [undefined]
  const pathLabels: string[] = ['']
  const pathIds = new Map<number, number>()
  // Most keys are on one path only: the last parent and path of each.
  const lastParents = new Int32Array(document.keyNames.length).fill(-1)
  const lastPaths = new Int32Array(document.keyNames.length)
  const records: number[] = []
  let leaves = 0
  const named = findNamedCells(document)
  const parallel = hasSeries ? findParallelLists(document, isAsked) : undefined
  for (const [list, names] of named?.rows ?? []) rows.set(list, names)
  /** Behind those of the document: a key for the values of a name, and one for where it is written. */
  const nameKeys = new Map<string, number>()
  const fieldKey = (name: string): number => {
    const known = nameKeys.get(name)
    if (known !== undefined) return known
    nameKeys.set(name, document.keyNames.length + 1 + nameKeys.size)
    return document.keyNames.length + nameKeys.size
  }
  const stride = document.keyNames.length + 1 + 2 * (named?.names.size ?? 0) + MOST_PLACES

  const pathUnder = (parent: number, key: number): number => {
    if (key < 0 || lastParents[key] !== parent) {
      const path = findPath(parent, key, document.keyNames[key])
      if (key < 0) return path
      lastParents[key] = parent
      lastPaths[key] = path
    }
    return lastPaths[key] ?? 0
  }
  const findPath = (parent: number, key: number, name: string | undefined): number => {
    const place = parent * stride + key + MOST_PLACES
    let path = pathIds.get(place)
    if (path === undefined) {
      path = pathParents.length
      pathParents.push(parent)
      pathKeys.push(key)
      pathNames.push(name)
      pathLabels.push(name ?? pathLabels[parent] ?? '')
      pathIds.set(place, path)
    }
    return path
  }

  for (let node = root; node < count; node++) {
    before[node] = leaves
    const parent = parentOf(document, node)
    const kind = kindOf(document, node)
    const isObject = kind === NODE.object
    if (parent >= 0) {
      const isElement = kindOf(document, parent) === NODE.array || isMap[parent] === 1
      const table = tables.size === 0 ? undefined : tables.get(parentOf(document, parent))
      const place = node - parent - 1
      const name = named?.names.get(node)
      const field = name ?? named?.names.get(named.partners.get(node) ?? -1)
      paths[node] = table
        ? findPath(paths[parent] ?? 0, FIRST_PLACE - place, table.names[place])
        : field !== undefined
          ? findPath(paths[parentOf(document, parent)] ?? 0, fieldKey(name ?? `\0${field}`), name)
          : pathUnder(paths[parent] ?? 0, isElement ? ELEMENT : keyOf(document, node))
      outerRecords[node] = outerRecords[parent] ?? -1
      innerRecords[node] = innerRecords[parent] ?? -1
      const isRow =
        named?.lists.has(node) === true || (isObject && named?.cells.has(node) !== true) || tables.has(parent)
      const ofTable = tables.get(parent)
      if (ofTable !== undefined) rows.set(node, ofTable.names)
      if (isRow && (isElement || ofTable !== undefined)) {
        const outer = outerRecords[node] ?? -1
        if (outer === -1 || isFrame(document, outer, parent)) {
          outerRecords[node] = node
          records.push(node)
        } else if (innerRecords === outerRecords) innerRecords = outerRecords.slice()
        innerRecords[node] = node
      }
    }
    const isList =
      hasSeries &&
      kind === NODE.array &&
      parallel?.listed.has(node) !== true &&
      !rowNames.has(node) &&
      isSeries(document, node)
    const table = kind === NODE.array && !isList ? findTupleRows(document, node) : undefined
    if (table) {
      tables.set(node, table)
      // Names that are cut with their rows have the rows' places.
      const names = parallel?.rows.has(node + 2) === true ? undefined : findRowNames(document, node)
      if (names !== undefined) rows.set(node, names)
      for (const [place, row] of names === undefined ? [] : childrenOf(document, node).entries())
        if (names?.[place] !== undefined) rowNames.set(row, names[place])
    }
    if (isObject && isMapOfRecords(document, node)) isMap[node] = 1
    if (isList || isLeaf(document, node)) {
      nodes[leaves++] = node
      const end = endOf(document, node)
      for (let inside = node + 1; inside < end; inside++) before[inside] = leaves
      node = end - 1
    }
  }
  before[count] = leaves
  return {
    document,
    count: leaves,
    nodes: nodes.subarray(0, leaves),
    before,
    paths,
    pathCount: pathParents.length,
    pathParents,
    pathKeys,
    pathNames,
    pathLabels,
    partners: named?.partners ?? new Map(),
    parallel: parallel?.rows ?? new Map(),
    rows,
    rowNames,
    tables: new Map([
      ...[...tables].map(([node, { header }]) => [node, header] as const),
      ...(named?.headers ?? []),
    ]),
    records,
    outerRecords,
    innerRecords,
  }
}

/** End exclusive. */
export const leavesOf = (leaves: JsonLeaves, node: number): readonly [number, number] => [
  leaves.before[node] ?? 0,
  leaves.before[endOf(leaves.document, node)] ?? leaves.count,
]

export const pathOf = (leaves: JsonLeaves, leaf: number): number => leaves.paths[leaves.nodes[leaf] ?? 0] ?? 0

/** '' for elements of unnamed lists. */
export const labelOf = (leaves: JsonLeaves, path: number): string => leaves.pathLabels[path] ?? ''

/** With quotes. */
export function lengthOf(leaves: JsonLeaves, leaf: number): number {
  const node = leaves.nodes[leaf] ?? 0
  return (leaves.document.stops[node] ?? 0) - (leaves.document.starts[node] ?? 0)
}

/** True for null, "", {} and []. */
export function isEmpty(leaves: JsonLeaves, leaf: number): boolean {
  const node = leaves.nodes[leaf] ?? 0
  const kind = kindOf(leaves.document, node)
  if (kind === NODE.null) return true
  return kind === NODE.string
    ? lengthOf(leaves, leaf) === 2
    : kind <= NODE.array && isLeaf(leaves.document, node)
}

/** The only element of its list, most of which is a list of its own: that one has the records. */
function isFrame(document: JsonDocument, record: number, list: number): boolean {
  const parent = parentOf(document, record)
  const end = endOf(document, record)
  if (record !== parent + 1 || end !== endOf(document, parent)) return false
  return endOf(document, list) - list > FRAMED * (end - record)
}

/** Many objects with mostly equal keys. */
function isMapOfRecords(document: JsonDocument, node: number): boolean {
  const members: number[][] = []
  const uses = new Map<number, number>()
  let count = 0
  for (let child = node + 1; child < endOf(document, node); child = endOf(document, child)) {
    if (kindOf(document, child) !== NODE.object) return false
    count++
    if (members.length >= MAP_SAMPLE) continue
    const keys = keysOf(document, child)
    members.push(keys)
    for (const key of keys) uses.set(key, (uses.get(key) ?? 0) + 1)
  }
  if (count < MAP_MEMBERS) return false
  const isUsual = (key: number): boolean => (uses.get(key) ?? 0) * 3 >= members.length
  const alike = members.filter((keys) => keys.length > 0 && keys.filter(isUsual).length * 2 >= keys.length)
  return alike.length * 2 > members.length
}
