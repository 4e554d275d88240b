import { childrenOf, endOf, keyOf, kindOf, NODE, parentOf, valueOf } from './json-document.ts'
import type { JsonDocument } from './json-document.ts'
import { headerAbove, nameNode } from './table-header.ts'

/** Values whose field is named by another value: in pairs of a name and a value, or by a header elsewhere in the document. */
export interface NamedCells {
  /** By the value's node. */
  readonly names: ReadonlyMap<number, string>
  /** Of pairs: the node that names the value, and the other way round. */
  readonly partners: ReadonlyMap<number, number>
  /** Objects that are a cell, not a record. */
  readonly cells: ReadonlySet<number>
  /** Lists of cells. */
  readonly lists: ReadonlySet<number>
  /** Names of places, by list of cells. */
  readonly rows: ReadonlyMap<number, readonly string[]>
  /** Name nodes of a header, by the list of records that it describes. */
  readonly headers: ReadonlyMap<number, readonly number[]>
}

/** Lists that share names are records of the same fields. */
const FEWEST_LISTS = 3
const WIDEST = 100
const LONGEST_NAME = 80
const VALUE = /^(?:val(?:ue)?s?|v)$/i
/** Conditions, as Kubernetes lists them: a type, and whether it applies. */
const CONDITION = { type: /^type$/i, status: /^(?:status|state)$/i }

/** Undefined without any. */
export function findNamedCells(document: JsonDocument): NamedCells | undefined {
  const found = {
    names: new Map<number, string>(),
    partners: new Map<number, number>(),
    cells: new Set<number>(),
    lists: new Set<number>(),
    rows: new Map<number, readonly string[]>(),
    headers: new Map<number, readonly number[]>(),
  }
  const pairs = new Map<number, (readonly [name: number, value: number])[]>()
  const uses = new Map<string, number>()
  const looked = new Set<number>()
  for (let node = document.root; node < document.count; node++) {
    if (kindOf(document, node) !== NODE.array || kindOf(document, node + 1) !== NODE.object) continue
    const ofList = pairsOf(document, node)
    if (ofList !== undefined) {
      pairs.set(node, ofList)
      for (const [name] of ofList) {
        const text = valueOf(document, name)
        uses.set(text, (uses.get(text) ?? 0) + 1)
      }
    }
    const records = parentOf(document, parentOf(document, node))
    if (records < 0 || looked.has(records) || cellsOf(document, node) === undefined) continue
    looked.add(records)
    nameByHeader(document, records, found)
  }
  for (const [list, ofList] of pairs) {
    const shared = ofList.filter(([name]) => (uses.get(valueOf(document, name)) ?? 0) >= FEWEST_LISTS)
    if (shared.length * 2 < ofList.length) continue
    found.lists.add(list)
    for (const [name, value] of ofList) {
      found.names.set(value, valueOf(document, name))
      found.partners.set(value, name).set(name, value)
      found.cells.add(parentOf(document, name))
    }
  }
  return found.lists.size === 0 ? undefined : found
}

/** Of a list whose objects each have a name, unlike the others, and a value under equal keys: tags, attributes, columns. */
function pairsOf(
  document: JsonDocument,
  list: number,
): (readonly [name: number, value: number])[] | undefined {
  const pairs: (readonly [number, number])[] = []
  const seen = new Set<string>()
  for (let cell = list + 1; cell < endOf(document, list); cell = endOf(document, cell)) {
    if (kindOf(document, cell) !== NODE.object || pairs.length === WIDEST) return undefined
    const members = childrenOf(document, cell)
    const called = (pattern: RegExp): number =>
      members.find((child) => pattern.test(document.keyNames[keyOf(document, child)] ?? '')) ?? -1
    const [type, status] = [called(CONDITION.type), called(CONDITION.status)]
    const isCondition = type >= 0 && status >= 0 && kindOf(document, type) === NODE.string
    const name = isCondition ? type : nameNode(document, cell)
    const value = isCondition ? status : onlyValueIn(document, called(VALUE))
    if (name < 0 || value < 0) return undefined
    const text = valueOf(document, name)
    if (seen.has(text) || text.length > LONGEST_NAME) return undefined
    seen.add(text)
    pairs.push([name, value])
  }
  return pairs
}

/** `{ "stringValue": "gateway" }`: what a type has alone in its object, as in traces; other values are themselves. */
function onlyValueIn(document: JsonDocument, value: number): number {
  const isOnly = value >= 0 && kindOf(document, value) === NODE.object && endOf(document, value) === value + 2
  return isOnly && kindOf(document, value + 1) > NODE.array ? value + 1 : value
}

/** The values of a list of objects with one value each. */
function cellsOf(document: JsonDocument, list: number): number[] | undefined {
  const cells: number[] = []
  for (let cell = list + 1; cell < endOf(document, list); cell += 2) {
    if (kindOf(document, cell) !== NODE.object || endOf(document, cell) !== cell + 2) return undefined
    if (kindOf(document, cell + 1) <= NODE.array || cells.length === WIDEST) return undefined
    cells.push(cell + 1)
  }
  return cells
}

/** Lists of cells under one key of many records, and the header elsewhere that has as many names. */
function nameByHeader(
  document: JsonDocument,
  records: number,
  found: {
    names: Map<number, string>
    cells: Set<number>
    lists: Set<number>
    rows: Map<number, readonly string[]>
    headers: Map<number, readonly number[]>
  },
): void {
  if (kindOf(document, records) !== NODE.array) return
  const byKey = new Map<number, number[][]>()
  let count = 0
  for (const record of childrenOf(document, records)) {
    count++
    for (const list of childrenOf(document, record)) {
      const cells = kindOf(document, list) === NODE.array ? cellsOf(document, list) : undefined
      if (cells === undefined || cells.length === 0) continue
      const known = byKey.get(keyOf(document, list))
      if (known === undefined) byKey.set(keyOf(document, list), [cells])
      else known.push(cells)
    }
  }
  const headers: number[] = []
  for (const [key, lists] of byKey) {
    const width = lists[0]?.length ?? 0
    if (lists.length < Math.max(FEWEST_LISTS, count / 2) || lists.some((cells) => cells.length !== width))
      continue
    const header = headerAbove(document, records, width, document.keyNames[key] ?? '')
    if (header === undefined) continue
    headers.push(...header)
    const names = header.map((name) => valueOf(document, name))
    for (const cells of lists) {
      const list = parentOf(document, parentOf(document, cells[0] ?? 0))
      found.lists.add(list)
      found.rows.set(list, names)
      cells.forEach((cell, place) => {
        found.cells.add(parentOf(document, cell))
        found.names.set(cell, names[place] ?? '')
      })
    }
  }
  if (headers.length > 0) found.headers.set(records, headers)
}
