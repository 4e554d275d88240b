import type { SourceLines } from '../source-lines.ts'
import type { FoundTable } from './found-table.ts'

/** A name of a column, or its unit; no value that is missing. */
const NAME = /^[([]?[\p{L}%_#][^\d;{}"=]*$/u
const MISSING = /^(?:n\/?a|nan|null|none|nil|inf|unknown|true|false|yes|no)$/i
const DIGIT = /\d/
/** Least share of a column's values with digits, and rows that tell. */
const TYPED = 0.8
const LEAST_ROWS = 2

/** By column: how many cells are filled, and how many of these have digits. */
interface Typed {
  readonly filled: number[]
  readonly digits: number[]
}

const cellsOf = (table: FoundTable, text: string, row: number): (readonly [number, string])[] =>
  table.valuesOf(text, row).flatMap((value, column) => (value === '' ? [] : [[column, value] as const]))

function count(typed: Typed, cells: readonly (readonly [number, string])[]): void {
  for (const [column, value] of cells) {
    typed.filled[column] = (typed.filled[column] ?? 0) + 1
    if (DIGIT.test(value)) typed.digits[column] = (typed.digits[column] ?? 0) + 1
  }
}

/** Different names, each in a column whose values have digits. */
function areNames(cells: readonly (readonly [number, string])[], { filled, digits }: Typed): boolean {
  return (
    cells.length > 0 &&
    new Set(cells.map(([, value]) => value)).size === cells.length &&
    cells.every(
      ([column, value]) =>
        NAME.test(value) &&
        !MISSING.test(value) &&
        (filled[column] ?? 0) >= LEAST_ROWS &&
        (digits[column] ?? 0) >= TYPED * (filled[column] ?? 0),
    )
  )
}

/**
 * Ends a table with a header before further names, where the next columns of the same rows begin, as R prints them, or
 * the header is repeated. The first column has a name where the header has one there.
 */
export function endAtNames(table: FoundTable, { text, starts }: SourceLines): void {
  const header = table.valuesOf(text, 0)
  const typed: Typed = { filled: [], digits: [] }
  let line = table.first
  for (let row = table.endOfRecord(0); row < table.rows.length - 1; row++) {
    const cells = cellsOf(table, text, row)
    const hasFirst = cells[0]?.[0] === 0
    const isAgain = cells.length > 1 && cells.every(([column, value]) => header[column] === value)
    if (row < LEAST_ROWS || !((hasFirst === (header[0] !== '') && areNames(cells, typed)) || isAgain)) {
      count(typed, cells)
      continue
    }
    const cell = table.rows[row] ?? 0
    while ((starts[line + 1] ?? Infinity) <= table.startOf(cell + (cells[0]?.[0] ?? 0))) line++
    table.endAfter({ rows: row, cells: cell, exceptions: table.exceptions, end: line })
    return
  }
}

/** Names in the second line, which go on with the first: of columns without one there, or units below names. */
export function joinNames(table: FoundTable, text: string): void {
  if (table.rows.length < LEAST_ROWS + 2) return
  const header = table.valuesOf(text, 0)
  const cells = cellsOf(table, text, 1)
  const typed: Typed = { filled: [], digits: [] }
  for (let row = 2; row < Math.min(table.rows.length, MOST_ROWS); row++)
    count(typed, cellsOf(table, text, row))
  const areUnnamed =
    cells.length > 0 &&
    header[0] === '' &&
    cells.every(([column, value]) => header[column] === '' && NAME.test(value)) &&
    (typed.filled[0] ?? 0) > 0
  if (areUnnamed || (cells.length > 1 && areNames(cells, typed))) table.continued.add(1)
}

const MOST_ROWS = 60
