import { childrenOf, endOf, kindOf, NODE, valueOf } from './json-document.ts'
import type { JsonDocument } from './json-document.ts'
import { headerAbove } from './table-header.ts'

/** Equally long lists, like databases return: {"columns": ["id", "name"], "rows": [[1, "Ada"], …]}. */
export interface TupleRows {
  /** Per place, if known. */
  readonly names: readonly (string | undefined)[]
  /** Their nodes, printed with rows. */
  readonly header: readonly number[]
}

const FEWEST_ROWS = 3
const WIDEST = 100

/** Detects such a table and its header: a list of names beside or above it, or its first row. */
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
  const header = headerAbove(document, node, width) ?? headerInside(document, node)
  return { names: namesOf(document, header, width), header }
}

/** 0 unless all are scalars. */
function widthOf(document: JsonDocument, node: number): number {
  const end = endOf(document, node)
  if (kindOf(document, node) !== NODE.array) return 0
  for (let child = node + 1; child < end; child++) if (kindOf(document, child) <= NODE.array) return 0
  return end - node - 1
}

/** When all words without digits and the second row isn't. */
function headerInside(document: JsonDocument, node: number): number[] {
  const first = childrenOf(document, node + 1)
  const second = childrenOf(document, endOf(document, node + 1))
  const isWord = (cell: number): boolean =>
    kindOf(document, cell) === NODE.string && !/^$|\d/.test(valueOf(document, cell))
  const names = new Set(first.map((cell) => valueOf(document, cell)))
  return names.size === first.length && first.every(isWord) && !second.every(isWord) ? first : []
}

function namesOf(document: JsonDocument, header: readonly number[], width: number): (string | undefined)[] {
  return Array.from({ length: width }, (_, place) => {
    const node = header[place]
    return node === undefined ? undefined : valueOf(document, node)
  })
}
