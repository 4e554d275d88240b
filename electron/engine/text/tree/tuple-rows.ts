import { childrenOf, endOf, keyOf, kindOf, NODE, parentOf, valueOf } from './json-document.ts'
import type { JsonDocument } from './json-document.ts'

/** Equally long lists, like databases return: {"columns": ["id", "name"], "rows": [[1, "Ada"], …]}. */
export interface TupleRows {
  /** Per place, if known. */
  readonly names: readonly (string | undefined)[]
  /** Their nodes, printed with rows. */
  readonly header: readonly number[]
}

const FEWEST_ROWS = 3
const WIDEST = 100
/** In column descriptions. */
const NAMING = /^(?:name|label|title|field|column|column_?name|key|id)$/i

/** Detects such a table and its header: an adjacent list of names, or its first row. */
export function findTupleRows(document: JsonDocument, node: number): TupleRows | undefined {
  if (kindOf(document, node) !== NODE.array) return undefined
  const width = widthOf(document, node + 1)
  if (width < 2 || width > WIDEST) return undefined
  let rows = 0
  for (let row = node + 1; row < endOf(document, node); row = endOf(document, row)) {
    if (widthOf(document, row) !== width) return undefined
    rows++
  }
  if (rows < FEWEST_ROWS) return undefined
  const header = headerBeside(document, node, width) ?? headerInside(document, node)
  return { names: namesOf(document, header, width), header }
}

/** 0 unless all are scalars. */
function widthOf(document: JsonDocument, node: number): number {
  const end = endOf(document, node)
  if (kindOf(document, node) !== NODE.array) return 0
  for (let child = node + 1; child < end; child++) if (kindOf(document, child) <= NODE.array) return 0
  return end - node - 1
}

function headerBeside(document: JsonDocument, node: number, width: number): number[] | undefined {
  const parent = parentOf(document, node)
  if (parent < 0 || kindOf(document, parent) !== NODE.object) return undefined
  for (const sibling of childrenOf(document, parent)) {
    if (sibling === node || kindOf(document, sibling) !== NODE.array) continue
    const columns = childrenOf(document, sibling)
    if (columns.length !== width) continue
    const names = columns.map((column) => nameNode(document, column))
    if (names.every((name) => name >= 0)) return names
  }
  return undefined
}

/** Of a column's description: itself, or its member name, label, …; -1 without. */
export function nameNode(document: JsonDocument, column: number): number {
  const kind = kindOf(document, column)
  if (kind === NODE.string) return column
  if (kind !== NODE.object) return -1
  const member = childrenOf(document, column).find(
    (child) =>
      kindOf(document, child) === NODE.string && NAMING.test(document.keyNames[keyOf(document, child)] ?? ''),
  )
  return member ?? -1
}

/** When all words and the second row isn't. */
function headerInside(document: JsonDocument, node: number): number[] {
  const first = childrenOf(document, node + 1)
  const second = childrenOf(document, endOf(document, node + 1))
  const isWords = (row: readonly number[]): boolean =>
    row.every((cell) => kindOf(document, cell) === NODE.string)
  return isWords(first) && !isWords(second) ? first : []
}

function namesOf(document: JsonDocument, header: readonly number[], width: number): (string | undefined)[] {
  return Array.from({ length: width }, (_, place) => {
    const node = header[place]
    return node === undefined ? undefined : valueOf(document, node)
  })
}
