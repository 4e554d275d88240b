import { isBlank, lineOf } from '../source-lines.ts'
import type { SourceLines } from '../source-lines.ts'
import { findHeader, FoundTable } from './found-table.ts'

const LEAST_COLUMNS = 3
const LEAST_ROWS = 3
/** Least share of rows with a field for each name; others have more. */
const EXACT = 0.5
const COMMENT = /^#\s/
const FIELD = /\S+/g
const NAME = /<[^<>]*>|\S+/g
const NUMBER = /^-?\d[\d.,]*%?$/

/**
 * Rows below a line behind a comment sign that names their fields, which blanks separate: "# name <size> <count>". No
 * row has fewer fields than names; the last takes the rest.
 */
export function readBelowComment(lines: SourceLines, first: number): FoundTable | undefined {
  const header = lineOf(lines, first)
  const width = COMMENT.test(header) ? header.match(NAME)!.length - 1 : 0
  if (width < LEAST_COLUMNS) return undefined
  const table = new FoundTable('aligned', '  ', first)
  let exact = 0
  let line = first
  for (; line < lines.count && !isBlank(lines, line); line++) {
    const source = lineOf(lines, line)
    const base = lines.starts[line]!
    const fields = [...source.matchAll(line === first ? NAME : FIELD)].slice(line === first ? 1 : 0)
    if (fields.length < width || (line > first && source.startsWith('#'))) break
    if (fields.length === width) exact++
    table.beginRow()
    for (const [i, { 0: field, index }] of fields.slice(0, width).entries())
      table.add(
        line === first && i === 0 ? base : base + index,
        base + (i === width - 1 ? source.length : index + field.length),
      )
  }
  table.end = line
  const isTable =
    table.rows.length > LEAST_ROWS &&
    exact >= EXACT * table.rows.length &&
    hasNumbers(table, lines.text, width) &&
    findHeader(table, lines.text)
  table.hasHeader = isTable
  return isTable ? table : undefined
}

/** Whether such rows are most of a text. */
export function areFieldsNamed(lines: SourceLines): boolean {
  for (let line = 0; line < lines.count; line++) {
    const table = readBelowComment(lines, line)
    if (table !== undefined) return table.rows.length > lines.count / 2
  }
  return false
}

/** A column of numbers below a name that is none. */
function hasNumbers(table: FoundTable, text: string, width: number): boolean {
  for (let column = 0; column < width; column++)
    if (table.rows.every((cell, row) => NUMBER.test(table.valueOf(text, cell + column)) === row > 0))
      return true
  return false
}
