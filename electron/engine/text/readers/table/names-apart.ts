import { isBlank, lineOf } from '../source-lines.ts'
import type { SourceLines } from '../source-lines.ts'
import { FoundTable } from './found-table.ts'

const SAMPLE = 300
const GAP = / {2}/

/**
 * Whether one blank separates all names of a header, and one of them isn't where most of its values begin or end.
 * Rows of one word for each name are clear.
 */
export function areNamesApart(lines: SourceLines, table: FoundTable): boolean {
  if (GAP.test(lineOf(lines, table.first).trim())) return false
  const { text } = lines
  const rows = Math.min(table.rows.length, SAMPLE)
  const width = table.widthOf(0)
  const placeOf = (cell: number): number => {
    const start = table.startOf(cell)
    return start - text.lastIndexOf('\n', start - 1) - 1
  }
  let areWords = true
  let areApart = false
  for (let column = 0; column < width; column++) {
    const name = (table.rows[0] ?? 0) + column
    const from = placeOf(name)
    const to = from + table.stopOf(name) - table.startOf(name)
    let apart = 0
    for (let row = 0; row < rows; row++) {
      const cell = (table.rows[row] ?? 0) + column
      const value = table.valueOf(text, cell)
      areWords &&= value !== '' && !value.includes(' ')
      const start = placeOf(cell)
      const stop = start + value.length
      if (start === stop || GAP.test(value) || (start !== from && stop !== to)) apart++
    }
    if (from < to && apart > rows / 2) areApart = true
  }
  return areApart && !areWords
}

/** Lines below a header whose names are not over values: each is one cell. */
export function wholeRows(lines: SourceLines, { first, end }: FoundTable): FoundTable {
  const table = new FoundTable('aligned', '  ', first)
  table.end = end
  table.hasHeader = true
  for (let line = first; line < end; line++) {
    if (isBlank(lines, line)) continue
    table.beginRow()
    table.add(lines.starts[line] ?? 0, lines.stops[line] ?? 0)
  }
  return table
}
