import type { FoundTable } from './found-table.ts'

/** Wrapped cells: lines of a header, cells that end with psql's `+|`, rows with little in them and no first cell. */
export function findContinued(
  table: FoundTable,
  text: string,
  headerRows: number,
  ruled: ReadonlySet<number> = new Set(),
): void {
  const most = Math.max(1, Math.floor((table.widthOf(0) - 1) / 2))
  let above = 0
  for (let row = 1; row < table.rows.length; row++) {
    const filled = filledIn(table, row)
    const cellsOf = (other: number): number[] => filled.map((column) => (table.rows[other] ?? 0) + column)
    const isOfHeader = row < headerRows && headerRows <= MOST_HEADER_ROWS
    const isMarked = filled.length > 0 && cellsOf(row - 1).every((cell) => isWrapped(table, text, cell))
    const isRest =
      filled.length <= most && filled[0] !== 0 && !cellsOf(above).some((cell) => isEmpty(table, cell))
    if (isOfHeader || isMarked || (filled.length > 0 && isRest && !ruled.has(row))) table.continued.add(row)
    else above = row
    if (isMarked)
      for (const cell of cellsOf(row - 1))
        table.values.set(cell, table.valueOf(text, cell).slice(0, -1).trimEnd())
  }
}

const MOST_HEADER_ROWS = 3

/** psql pads other cells with a blank. */
const isWrapped = (table: FoundTable, text: string, cell: number): boolean =>
  /^\+[|\r\n]/.test(text.slice(table.stopOf(cell) - 1, table.stopOf(cell) + 1))

function filledIn(table: FoundTable, row: number): number[] {
  const columns: number[] = []
  const first = table.rows[row] ?? 0
  for (let cell = first; cell < table.rowEnd(row); cell++)
    if (!isEmpty(table, cell)) columns.push(cell - first)
  return columns
}

const isEmpty = (table: FoundTable, cell: number): boolean => table.startOf(cell) === table.stopOf(cell)
