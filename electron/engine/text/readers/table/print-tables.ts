import { endOf, keyOf, parentOf, sourceOf, valueOf } from '../../tree/json-document.ts'
import type { JsonDocument } from '../../tree/json-document.ts'
import type { FoundTable } from './found-table.ts'

export interface PlacedTable extends Pick<FoundTable, 'form' | 'separator'> {
  /** Cells of the row that names the columns. */
  readonly header: readonly string[] | undefined
  /** The line above it. */
  readonly title: string | undefined
  /** By column: its key. */
  readonly keys: readonly number[]
}

type TextOf = (node: number) => string

/** Least share of the printed rows' cells that are chosen, for rows in columns; others name each value. */
const DENSE = 0.5
/** A row with less of the printed columns names its values among others, too. */
const SPARSE = 0.3
const CUT = '…'
/** Before a note below a row. */
const NOTE = '    '

/** Chosen cells below their table's header, each table below its title; other lines as they are. */
export function printTables(
  document: JsonDocument,
  tables: ReadonlyMap<number, PlacedTable>,
  chosen: readonly number[],
  textOf: TextOf,
): string {
  const out: string[] = []
  for (let from = 0, to = 0; from < chosen.length; from = to) {
    const leaf = chosen[from] ?? 0
    const array = parentOf(document, parentOf(document, leaf))
    const placed = tables.get(array)
    to = from + 1
    if (placed === undefined) {
      out.push(textOf(leaf))
      continue
    }
    while (to < chosen.length && (chosen[to] ?? 0) < endOf(document, array)) to++
    if (placed.title !== undefined) out.push(placed.title)
    printTable(document, placed, chosen.slice(from, to), textOf, out)
  }
  return out.join('\n')
}

interface Row {
  readonly node: number
  /** By column: the chosen leaf. */
  readonly leaves: Map<number, number>
  /** Lines below it. */
  readonly notes: number[]
}

function printTable(
  document: JsonDocument,
  { form, separator: sign, header: names, keys }: PlacedTable,
  chosen: readonly number[],
  textOf: TextOf,
  out: string[],
): void {
  const columnOf = new Map(keys.map((key, column) => [key, column]))
  const rows: Row[] = []
  const used = new Set<number>()
  let cells = 0
  for (const leaf of chosen) {
    const node = parentOf(document, leaf)
    let row = rows.at(-1)
    if (row?.node !== node) rows.push((row = { node, leaves: new Map(), notes: [] }))
    const column = columnOf.get(keyOf(document, leaf))
    if (column === undefined) {
      row.notes.push(leaf)
      continue
    }
    row.leaves.set(column, leaf)
    used.add(column)
    cells++
  }
  const write = (leaf: number): string => cellOf(document, form, leaf, textOf)
  const nameOf = (column: number): string => document.keyNames[keys[column] ?? 0] ?? ''
  const named = ({ node, leaves }: Row): string => {
    const values = [...leaves].map(([column, leaf]) => `${nameOf(column)}: ${write(leaf)}`)
    if (leaves.size < columnsOf(document, node, columnOf).size) values.push(CUT)
    return values.join('; ')
  }
  const addNotes = (row: Row): void => {
    for (const note of row.notes) out.push(NOTE + textOf(note))
  }
  if (cells < rows.length * used.size * DENSE) {
    for (const row of rows) {
      out.push(named(row))
      addNotes(row)
    }
    return
  }
  const columns = [...used].sort((one, other) => one - other)
  const isSparse = ({ leaves }: Row): boolean => leaves.size < columns.length * SPARSE
  const lines = rows.map((row) => {
    const { node, leaves } = row
    if (isSparse(row)) return { cells: [named(row)], gaps: [] }
    const given = columnsOf(document, node, columnOf)
    const cells = columns.map((column) => {
      const leaf = leaves.get(column)
      return leaf === undefined ? (given.has(column) ? CUT : '') : write(leaf)
    })
    return { cells, gaps: columns.map((column) => gapAfter(document, leaves.get(column))) }
  })
  const header = names === undefined ? [] : columns.map((column) => names[column] ?? '')
  if (columns.length < keys.length) header.push(CUT)
  const isAligned = form === 'aligned'
  const isHoled =
    isAligned && [header, ...lines.map(({ cells }) => cells)].some((cells) => cells.includes(''))
  const separator = isHoled ? ' | ' : sign
  if (names !== undefined || columns.length < keys.length) out.push(header.join(separator))
  for (const [at, { cells, gaps }] of lines.entries()) {
    // Not all that is read as a table is one: a blank between words stays one.
    const between = (place: number): string =>
      isAligned && !isHoled && gaps[place] === ' ' ? ' ' : separator
    out.push(cells.map((cell, place) => (place < cells.length - 1 ? cell + between(place) : cell)).join(''))
    const row = rows[at]
    if (row !== undefined) addNotes(row)
  }
}

/** What the source has behind a cell, up to two characters. */
function gapAfter(document: JsonDocument, leaf: number | undefined): string {
  if (leaf === undefined) return ''
  const stop = (document.starts[leaf] ?? 0) + sourceOf(document, leaf).length
  return /^[ \t]{0,2}/.exec(document.text.slice(stop, stop + 2))?.[0] ?? ''
}

function columnsOf(document: JsonDocument, row: number, columnOf: ReadonlyMap<number, number>): Set<number> {
  const columns = new Set<number>()
  const add = (column: number | undefined): void => void (column !== undefined && columns.add(column))
  for (let leaf = row + 1; leaf < endOf(document, row); leaf++) add(columnOf.get(keyOf(document, leaf)))
  return columns
}

/** With the quotes of the source, unless it is cut. */
function cellOf(document: JsonDocument, form: FoundTable['form'], leaf: number, textOf: TextOf): string {
  const shown = textOf(leaf)
  if (form === 'aligned' || shown !== valueOf(document, leaf)) return shown
  // With the bars that it escapes.
  if (form === 'drawn')
    return document.values?.has(leaf) === true && shown.includes('|') ? sourceOf(document, leaf) : shown
  const start = document.starts[leaf] ?? 0
  return document.text[start - 1] === '"' ? `"${sourceOf(document, leaf)}"` : sourceOf(document, leaf)
}
