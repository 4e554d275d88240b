import type { TableBlock } from './block.ts'
import { readDate, readNumber } from './read-number.ts'

export interface NumericColumn {
  readonly name: string
  /** Indexes of the rows that hold a value, lowest first. */
  readonly ascending: readonly number[]
}

/** A column counts as numeric when at least this share of its rows reads as numbers or dates. */
const NUMERIC_SHARE = 0.6
/** Larger tables are judged by this many rows before all are read. */
const SAMPLE = 60
const MAX_COLUMNS = 60

/** The columns that have an order: numbers, dates, years. */
export function columnsOf(table: TableBlock): NumericColumn[] {
  if (table.rows.length < 2) return []
  const columns: NumericColumn[] = []
  for (const [c, name] of table.header.cells.slice(0, MAX_COLUMNS).entries()) {
    for (const read of [readNumber, readDate]) {
      const sample = table.rows.slice(0, SAMPLE)
      if (readable(sample.map((row) => read(row.cells[c] ?? ''))) < NUMERIC_SHARE * sample.length) continue
      const values = table.rows.map((row) => read(row.cells[c] ?? ''))
      if (readable(values) < NUMERIC_SHARE * values.length) continue
      const ascending = values.map((_, i) => i).filter((i) => !Number.isNaN(values[i] ?? Number.NaN))
      ascending.sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0) || a - b)
      columns.push({ name, ascending })
      break
    }
  }
  return columns
}

const readable = (values: readonly number[]) => values.filter((value) => !Number.isNaN(value)).length

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
  const found: RareCell[] = []
  for (let c = 0; c < Math.min(MAX_COLUMNS, table.header.cells.length); c++) {
    const rows = new Map<string, number[]>()
    let total = 0
    let most = 0
    for (const [r, row] of table.rows.entries()) {
      const value = row.cells[c] ?? ''
      if (value === '' || value.length > MAX_CELL) continue
      const same = rows.get(value)
      if (same === undefined) rows.set(value, [r])
      else same.push(r)
      total++
      most = Math.max(most, same?.length ?? 1)
      if (total === JUDGED_AFTER && isVaried(rows.size, total)) break
    }
    if (total < 6 || most / total < RULING || rows.size < 2 || isVaried(rows.size, total)) continue
    for (const same of rows.values())
      if (same.length <= Math.max(2, total * 0.1))
        for (const row of same) found.push({ row, share: most / total })
  }
  return found
}
