import type { TableBlock } from './block.ts'
import { readDate, readNumber } from './read-number.ts'

export interface NumericColumn {
  readonly name: string
  /** How many rows hold a value. */
  readonly count: number
  /** The rows of the three lowest values, the lowest first, and of the three highest, the highest first. */
  readonly lowest: readonly number[]
  readonly highest: readonly number[]
}

/** How many extremes of a column are found. */
export const EXTREMES_FOUND = 3

/** A column counts as numeric when at least this share of its rows reads as numbers or dates. */
const NUMERIC_SHARE = 0.6
/** Larger tables are judged by this many rows before all are read. */
const SAMPLE = 60
const MAX_COLUMNS = 60

/** The columns that have an order: numbers, dates, years. */
export function columnsOf(table: TableBlock): NumericColumn[] {
  if (table.rows.length < 2) return []
  const sample = table.rows.slice(0, SAMPLE).map((row) => row.cells)
  const columns = table.header.cells.slice(0, MAX_COLUMNS).flatMap((name, c) => {
    const read = [readNumber, readDate].find((way) => isReadable(sample.map((cells) => way(cells[c] ?? ''))))
    return read === undefined ? [] : [{ name, c, read, values: new Float64Array(table.rows.length) }]
  })
  if (columns.length === 0) return []
  for (const [r, { cells }] of table.rows.entries())
    for (const { c, read, values } of columns) values[r] = read(cells[c] ?? '')
  return columns
    .filter(({ values }) => isReadable(values))
    .map(({ name, values }) => ({ name, ...extremesOf(values) }))
}

function isReadable(values: readonly number[] | Float64Array): boolean {
  let readable = 0
  for (const value of values) if (!Number.isNaN(value)) readable++
  return readable >= NUMERIC_SHARE * values.length
}

/** In one pass: sorting the rows of a large table takes longer than all else. Equal values stand in the order of the rows. */
function extremesOf(values: Float64Array): Omit<NumericColumn, 'name'> {
  const valueAt = (row: number): number => values[row] ?? 0
  const lowest: number[] = []
  const highest: number[] = []
  let count = 0
  for (let row = 0; row < values.length; row++) {
    const value = valueAt(row)
    if (Number.isNaN(value)) continue
    count++
    insert(lowest, row, (other) => valueAt(other) <= value)
    insert(highest, row, (other) => valueAt(other) > value)
  }
  return { count, lowest, highest }
}

/** Puts a row behind those that stay before it, and lets the last one go. */
function insert(rows: number[], row: number, staysBefore: (other: number) => boolean): void {
  let place = rows.length
  while (place > 0 && !staysBefore(rows[place - 1] ?? 0)) place--
  if (place === EXTREMES_FOUND) return
  rows.splice(place, 0, row)
  if (rows.length > EXTREMES_FOUND) rows.pop()
}

export interface RareCell {
  readonly row: number
  /** Share of the column's rows that have its ruling value: the higher, the odder the cell. */
  readonly share: number
}

const MAX_CELL = 40
/** A value rules a column from this share on. */
const RULING = 0.55

/** Columns of many values are given up after so many rows. */
const JUDGED_AFTER = 200
const isVaried = (values: number, rows: number) => values > Math.max(4, rows * 0.3)

/** Rows whose value is rare in a column ruled by another value: the one pod that is not Running. */
export function rareCells(table: TableBlock): RareCell[] {
  if (table.rows.length < 6) return []
  const columns = table.header.cells
    .slice(0, MAX_COLUMNS)
    .map((): Column => ({ values: new Map(), total: 0, most: 0 }))
  const rare = Math.max(2, table.rows.length * RARE)
  for (const [r, { cells }] of table.rows.entries())
    for (const [c, column] of columns.entries()) addCell(column, cells[c] ?? '', r, rare)
  const found: RareCell[] = []
  for (const { values, total, most } of columns) {
    if (total < 6 || most / total < RULING || values.size < 2 || isVaried(values.size, total)) continue
    for (const { count, rows } of values.values())
      if (count <= Math.max(2, total * RARE)) for (const row of rows) found.push({ row, share: most / total })
  }
  return found
}

interface Column {
  /** By value: how many rows have it, and which, as long as it may still be rare. */
  readonly values: Map<string, { count: number; readonly rows: number[] }>
  total: number
  most: number
}

/** Up to this share of a column's rows a value is rare. */
const RARE = 0.1

function addCell(column: Column, value: string, row: number, rare: number): void {
  if (value === '' || value.length > MAX_CELL) return
  if (column.total >= JUDGED_AFTER && isVaried(column.values.size, column.total)) return
  const same = column.values.get(value)
  if (same === undefined) column.values.set(value, { count: 1, rows: [row] })
  else {
    same.count++
    if (same.rows.length < rare) same.rows.push(row)
  }
  column.total++
  column.most = Math.max(column.most, same?.count ?? 1)
}
