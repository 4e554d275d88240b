import { isBlank, lineOf } from '../source-lines.ts'
import type { SourceLines } from '../source-lines.ts'
import { FoundTable } from './found-table.ts'

/** Rows that may have fewer fields, or others than the columns that are known by their places. */
const OTHERS = 0.03
/** Names of several columns under which values overflow, such as those of `ps aux`. */
const MERGED = /\S {2,}\S/

/**
 * The rows of an aligned table whose values overflow their columns: fields between blanks, as many as the header has
 * names; the last takes the rest. Undefined where the columns are clear, or fields don't agree with them.
 */
export function readFields(lines: SourceLines, aligned: FoundTable): FoundTable | undefined {
  const { text } = lines
  const names = aligned.valuesOf(text, 0)
  if (!names.some((name) => MERGED.test(name))) return undefined
  const columns = names.flatMap((name) => name.split(/\s+/))
  if (columns.includes('')) return undefined
  const table = new FoundTable('aligned', '  ', aligned.first)
  table.end = aligned.end
  table.hasHeader = true
  let others = 0
  let row = 0
  for (let line = aligned.first; line < aligned.end; line++) {
    if (isBlank(lines, line)) continue
    if (!addFields(lines, line, columns.length, table) || !agrees(text, aligned, table, row)) others++
    row++
  }
  return others > table.rows.length * OTHERS ? undefined : table
}

/** False where the line has too few. */
function addFields(lines: SourceLines, line: number, count: number, table: FoundTable): boolean {
  const base = lines.starts[line] ?? 0
  const source = lineOf(lines, line)
  table.beginRow()
  let added = 0
  for (const { 0: field, index } of source.matchAll(/\S+/g)) {
    added++
    const isLast = added === count
    table.add(base + index, base + (isLast ? source.trimEnd().length : index + field.length))
    if (isLast) return true
  }
  for (let missing = added; missing < count; missing++) table.add(base + source.length, base + source.length)
  return false
}

/** Each clear column of the aligned row begins where a field does. */
function agrees(text: string, aligned: FoundTable, table: FoundTable, row: number): boolean {
  const starts = new Set<number>()
  for (let cell = table.rows[row] ?? 0; cell < table.rowEnd(row); cell++) starts.add(table.startOf(cell))
  let clear = 0
  let found = 0
  for (let cell = aligned.rows[row] ?? 0; cell < aligned.rowEnd(row); cell++) {
    if (aligned.valueOf(text, cell) === '') continue
    clear++
    if (starts.has(aligned.startOf(cell))) found++
  }
  return found >= clear * MOST
}

const MOST = 0.7
