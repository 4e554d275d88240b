import type { TableBlock } from './block.ts'
import { readDate, readNumber } from './read-number.ts'

export interface NumericColumn {
  readonly name: string
  /** Indexes of the rows that hold a value, lowest first. */
  readonly ascending: Uint32Array
}

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
    .map(({ name, values }) => ({ name, ascending: ascending(values) }))
}

function isReadable(values: readonly number[] | Float64Array): boolean {
  let readable = 0
  for (const value of values) if (!Number.isNaN(value)) readable++
  return readable >= NUMERIC_SHARE * values.length
}

function ascending(values: Float64Array): Uint32Array {
  const rows = Uint32Array.from(values.keys()).filter((r) => !Number.isNaN(values[r] ?? Number.NaN))
  return rows.sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0) || a - b)
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
    .map((): Column => ({ rows: new Map(), total: 0, most: 0 }))
  for (const [r, { cells }] of table.rows.entries())
    for (const [c, column] of columns.entries()) addCell(column, cells[c] ?? '', r)
  const found: RareCell[] = []
  for (const { rows, total, most } of columns) {
    if (total < 6 || most / total < RULING || rows.size < 2 || isVaried(rows.size, total)) continue
    for (const same of rows.values())
      if (same.length <= Math.max(2, total * 0.1))
        for (const row of same) found.push({ row, share: most / total })
  }
  return found
}

interface Column {
  /** Rows by the value they have in the column. */
  readonly rows: Map<string, number[]>
  total: number
  most: number
}

function addCell(column: Column, value: string, row: number): void {
  if (value === '' || value.length > MAX_CELL) return
  if (column.total >= JUDGED_AFTER && isVaried(column.rows.size, column.total)) return
  const same = column.rows.get(value)
  if (same === undefined) column.rows.set(value, [row])
  else same.push(row)
  column.total++
  column.most = Math.max(column.most, same?.length ?? 1)
}
