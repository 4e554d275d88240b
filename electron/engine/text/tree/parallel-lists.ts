import { childrenOf, isLeaf, kindOf, NODE, valueOf } from './json-document.ts'
import type { JsonDocument } from './json-document.ts'
import { headerAbove } from './table-header.ts'

/** Columns written as lists, as charts, weather services and data frames do: {"city": ["Ulm", …], "rain": [1.2, …]}. */
export interface ParallelLists {
  /** By element: all elements of its row, itself too, in document order. */
  readonly rows: ReadonlyMap<number, readonly number[]>
  /** Lists of which a row is looked up by a name, not by a time. */
  readonly listed: ReadonlySet<number>
}

const FEWEST_ROWS = 3
/** Without any number, lists of the same length may be so by chance. */
const FEWEST_WORDS = 8
const MOST_LISTS = 24
const DATE = /^\d{4}-\d\d(?:[-"]|$)/

/** `isAsked`: whether a time is one that is looked up; its column is then listed too. */
export function findParallelLists(
  document: JsonDocument,
  isAsked: (time: string) => boolean,
): ParallelLists | undefined {
  const rows = new Map<number, readonly number[]>()
  const listed = new Set<number>()
  for (let node = document.root; node < document.count; node++)
    for (const lists of columnsIn(document, node)) {
      const columns = lists.map((list) => childrenOf(document, list))
      const isNamed = columns.some((column) => namesRows(document, column, isAsked))
      if (isNamed) for (const list of lists) listed.add(list)
      for (let row = 0; row < (columns[0]?.length ?? 0); row++) {
        const cells = columns.map((column) => column[row] ?? -1)
        for (const cell of cells) rows.set(cell, cells)
      }
    }
  return rows.size === 0 ? undefined : { rows, listed }
}

/** Groups of lists that are as long as each other. */
function columnsIn(document: JsonDocument, node: number): number[][] {
  const kind = kindOf(document, node)
  if (kind !== NODE.object && kind !== NODE.array) return []
  const byLength = new Map<number, number[]>()
  const children = childrenOf(document, node)
  for (const child of children) {
    const length = kindOf(document, child) === NODE.array ? lengthOf(document, child) : 0
    if (length < FEWEST_ROWS) continue
    byLength.set(length, [...(byLength.get(length) ?? []), child])
  }
  return [...byLength]
    .filter(([length, lists]) => {
      if (lists.length < 2 || lists.length > MOST_LISTS) return false
      if (kind === NODE.array && !areColumns(document, node, children.length, length)) return false
      return length >= FEWEST_WORDS || lists.some((list) => isOf(document, list, NODE.number))
    })
    .map(([, lists]) => lists)
}

/** In a list they are rows, unless a header names them and not their elements, or there are two. */
const areColumns = (document: JsonDocument, node: number, lists: number, length: number): boolean =>
  childrenOf(document, node).every((list) => lengthOf(document, list) === length) &&
  lists !== length &&
  (lists === 2 || headerAbove(document, node, lists) !== undefined) &&
  headerAbove(document, node, length) === undefined

/** 0 unless all are scalars. */
function lengthOf(document: JsonDocument, list: number): number {
  const elements = childrenOf(document, list)
  return elements.every((each) => isLeaf(document, each)) ? elements.length : 0
}

const isOf = (document: JsonDocument, list: number, kind: number): boolean =>
  childrenOf(document, list).some((each) => kindOf(document, each) === kind)

/** By words, or by a time that is asked for. */
function namesRows(
  document: JsonDocument,
  column: readonly number[],
  isAsked: (time: string) => boolean,
): boolean {
  if (!column.every((cell) => kindOf(document, cell) === NODE.string)) return false
  const texts = column.map((cell) => valueOf(document, cell))
  return texts.every((text) => DATE.test(text)) ? texts.some(isAsked) : new Set(texts).size * 2 > texts.length
}
