import { childrenOf, endOf, isLeaf, kindOf, NODE, parentOf, valueOf } from './json-document.ts'
import type { JsonDocument } from './json-document.ts'
import { isSeries } from './series.ts'
import { headerAbove } from './table-header.ts'
import { findTupleRows } from './tuple-rows.ts'
import { unixTime } from './unix-time.ts'

/** Columns written as lists, as charts, weather services and data frames do: {"city": ["Ulm", …], "rain": [1.2, …]}. */
export interface ParallelLists {
  /** By element: all elements of its row, itself too, in document order. */
  readonly rows: ReadonlyMap<number, readonly number[]>
  /** Lists that are shown by rows: one has words, or a time that is looked up. */
  readonly listed: ReadonlySet<number>
}

const FEWEST_ROWS = 3
/** Without any number, lists of the same length may be so by chance. */
const FEWEST_WORDS = 8
const MOST_LISTS = 24
const LONGEST_WHOLE = 40
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
      // Lists are described together or shown by rows together.
      const isListed =
        !lists.every((list) => isSeries(document, list)) ||
        columns.some((column) => namesRows(document, column, isAsked))
      if (isListed) for (const list of lists) listed.add(list)
      for (let row = 0; row < (columns[0]?.length ?? 0); row++) {
        const cells = columns.map((column) => column[row] ?? -1)
        for (const cell of cells) rows.set(cell, cells)
      }
    }
  for (let node = document.root; node < document.count; node++) {
    addWhole(document, node, rows)
    addRecords(document, node, rows)
    addBelow(document, node, isAsked, rows, listed)
  }
  return rows.size === 0 ? undefined : { rows, listed }
}

/** A short list of names, and lists in other objects below that are as long: charts. Each is shown whole, or not at all. */
function addWhole(document: JsonDocument, node: number, rows: Map<number, readonly number[]>): void {
  if (kindOf(document, node) !== NODE.object) return
  for (const axis of childrenOf(document, node)) {
    const names = kindOf(document, axis) === NODE.array ? childrenOf(document, axis) : []
    if (names.length < FEWEST_ROWS || names.length > LONGEST_WHOLE || rows.has(names[0] ?? -1)) continue
    if (!namesRows(document, names, () => true)) continue
    for (let list = node + 1; list < endOf(document, node); list++) {
      const parent = parentOf(document, list)
      if (
        parent === node ||
        kindOf(document, list) !== NODE.array ||
        kindOf(document, parent) !== NODE.object
      )
        continue
      // Scalars are a node each.
      if (endOf(document, list) - list - 1 !== names.length || isSeries(document, list)) continue
      if (!isOf(document, list, NODE.number) || lengthOf(document, list) === 0) continue
      const elements = childrenOf(document, list)
      for (const element of elements)
        rows.set(element, [...new Set([...names, ...elements, ...(rows.get(element) ?? [])])])
      for (const name of names) rows.set(name, names)
    }
  }
}

/** Times of which one is asked for, and lists of numbers as long in objects below: prices of a chart. They are shown by rows. */
function addBelow(
  document: JsonDocument,
  node: number,
  isAsked: (time: string) => boolean,
  rows: Map<number, readonly number[]>,
  listed: Set<number>,
): void {
  if (kindOf(document, node) !== NODE.object) return
  for (const axis of childrenOf(document, node)) {
    const times = kindOf(document, axis) === NODE.array ? childrenOf(document, axis) : []
    if (times.length < FEWEST_ROWS || !areTimes(document, times) || !namesRows(document, times, isAsked))
      continue
    const lists: number[][] = [times]
    for (let list = node + 1; list < endOf(document, node) && lists.length < MOST_LISTS; list++) {
      if (list === axis || kindOf(document, list) !== NODE.array) continue
      // Scalars are a node each.
      if (endOf(document, list) - list - 1 !== times.length || !isOf(document, list, NODE.number)) continue
      if (lengthOf(document, list) === 0) continue
      lists.push(childrenOf(document, list))
      listed.add(list)
    }
    if (lists.length < 2) continue
    listed.add(axis)
    for (const [row, time] of times.entries()) {
      const cells = lists.map((list) => list[row] ?? time)
      for (const cell of cells) rows.set(cell, cells)
    }
  }
}

const areTimes = (document: JsonDocument, column: readonly number[]): boolean =>
  unixTimesOf(document, column) !== undefined ||
  column.every((cell) => kindOf(document, cell) === NODE.string && DATE.test(valueOf(document, cell)))

/** A list of scalars and lists of records or rows beside it that are as long: ids with their documents, an index with its rows. */
function addRecords(document: JsonDocument, node: number, rows: Map<number, readonly number[]>): void {
  if (kindOf(document, node) !== NODE.object) return
  const lists = childrenOf(document, node).filter((child) => kindOf(document, child) === NODE.array)
  if (lists.length < 2) return
  const elements = lists.map((list) => childrenOf(document, list))
  const isScalar = lists.map((list) => lengthOf(document, list) > 0)
  for (const [i, own] of elements.entries()) {
    if (isScalar[i] === true || own.length < FEWEST_ROWS) continue
    const header = findTupleRows(document, lists[i] ?? node)?.header ?? []
    const beside = elements.filter(
      (other, k) => isScalar[k] === true && other.length === own.length && !header.includes(other[0] ?? -1),
    )
    if (beside.length === 0 || beside.length > MOST_LISTS) continue
    for (const [row, element] of own.entries()) {
      const inside: number[] = []
      for (let part = element; part < endOf(document, element) && inside.length <= MOST_LISTS; part++)
        if (isLeaf(document, part)) inside.push(part)
      if (inside.length > MOST_LISTS) continue
      const cells = [...beside.map((list) => list[row] ?? -1), ...inside]
      for (const cell of cells) rows.set(cell, [...new Set([...(rows.get(cell) ?? []), ...cells])])
    }
  }
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

/** As numbers and as dates; undefined unless all are times. */
function unixTimesOf(document: JsonDocument, column: readonly number[]): string[] | undefined {
  if (unixTime(valueOf(document, column[0] ?? 0)) === undefined) return undefined
  const sources = column.map((cell) => valueOf(document, cell))
  const times = sources.map(unixTime)
  return times.some((time) => time === undefined)
    ? undefined
    : times.map((time, row) => `${time ?? ''} ${sources[row] ?? ''}`)
}

/** By words, or by a time that is asked for. */
function namesRows(
  document: JsonDocument,
  column: readonly number[],
  isAsked: (time: string) => boolean,
): boolean {
  const times = unixTimesOf(document, column)
  if (times !== undefined) return times.some(isAsked)
  if (!column.every((cell) => kindOf(document, cell) === NODE.string)) return false
  const texts = column.map((cell) => valueOf(document, cell))
  return texts.every((text) => DATE.test(text)) ? texts.some(isAsked) : new Set(texts).size * 2 > texts.length
}
