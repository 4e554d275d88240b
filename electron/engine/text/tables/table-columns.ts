import type { TableBlock } from '../blocks/block.ts'
import { readDate, readNumber } from './read-number.ts'

export interface NumericColumn {
  readonly name: string
  readonly count: number
  /** Three rows each: lowest ascending, highest descending. */
  readonly lowest: readonly number[]
  readonly highest: readonly number[]
}

const EXTREMES_FOUND = 3

/** Least share of numbers or dates. */
const NUMERIC_SHARE = 0.6
/** Rows sampled before reading all. */
const SAMPLE = 60
const MAX_COLUMNS = 60

/** Small tables are split once, large ones per access, which takes no memory. */
export type CellsOf = (row: number) => readonly string[]

export function cellsOf({ rows }: TableBlock): CellsOf {
  if (rows.length > KEPT_ROWS) return (row) => rows[row]?.cells ?? []
  const kept: (readonly string[])[] = []
  return (row) => (kept[row] ??= rows[row]?.cells ?? [])
}

const KEPT_ROWS = 1000

/** Numbers, dates, years. */
export function columnsOf(table: TableBlock, cells: CellsOf): NumericColumn[] {
  const count = table.rows.length
  if (count < 2) return []
  const columns = table.header.cells.slice(0, MAX_COLUMNS).flatMap((name, c) => {
    const values = new Float64Array(count)
    const read = [readNumber, readDate].find((way) => readSample(cells, c, way, values))
    return read === undefined ? [] : [{ name, c, read, values }]
  })
  if (columns.length === 0) return []
  for (let r = SAMPLE; r < count; r++) {
    const row = cells(r)
    for (const { c, read, values } of columns) values[r] = read(row[c] ?? '')
  }
  return columns
    .filter(({ values }) => isReadable(values))
    .map(({ name, values }) => ({ name, ...extremesOf(values) }))
}

/** False once too many are unreadable. */
function readSample(
  cells: CellsOf,
  c: number,
  read: (cell: string) => number,
  values: Float64Array,
): boolean {
  const count = Math.min(SAMPLE, values.length)
  let readable = count
  for (let r = 0; r < count; r++) {
    const value = read(cells(r)[c] ?? '')
    values[r] = value
    if (Number.isNaN(value) && --readable < NUMERIC_SHARE * count) return false
  }
  return true
}

function isReadable(values: Float64Array): boolean {
  let readable = 0
  for (const value of values) if (!Number.isNaN(value)) readable++
  return readable >= NUMERIC_SHARE * values.length
}

/** One pass: sorting a large table's rows would dominate. Ties keep row order. */
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

/** Drops the last row. */
function insert(rows: number[], row: number, staysBefore: (other: number) => boolean): void {
  let place = rows.length
  while (place > 0 && !staysBefore(rows[place - 1] ?? 0)) place--
  if (place === EXTREMES_FOUND) return
  rows.splice(place, 0, row)
  if (rows.length > EXTREMES_FOUND) rows.pop()
}
