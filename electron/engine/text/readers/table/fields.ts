import { isBlank, lineOf } from '../source-lines.ts'
import type { SourceLines } from '../source-lines.ts'
import { FoundTable } from './found-table.ts'

/** Rows that may have fewer fields, or others than the columns that are known by their places. */
const OTHERS = 0.03
/** Names of several columns under which values overflow, such as those of `ps aux`. */
const MERGED = /\S {2,}\S/

/** Where names end: names may have a blank inside, or one behind them. */
const SPLITS = [/\S+(?: \S+)*/g, /\S+/g]

/**
 * The rows of an aligned table whose values overflow their columns: fields between blanks, as many as the header has
 * names; the last takes the rest. Undefined where the columns are clear, or fields don't agree with them.
 */
export function readFields(lines: SourceLines, aligned: FoundTable): FoundTable | undefined {
  const names = aligned.valuesOf(lines.text, 0)
  if (names.includes('') || !names.some((name) => MERGED.test(name))) return undefined
  for (const split of SPLITS) {
    const table = fieldsBy(split, lines, aligned, names)
    if (table !== undefined) return table
  }
  return undefined
}

function fieldsBy(
  split: RegExp,
  lines: SourceLines,
  aligned: FoundTable,
  names: readonly string[],
): FoundTable | undefined {
  const table = new FoundTable('aligned', '  ', aligned.first)
  table.end = aligned.end
  table.hasHeader = true
  /** By aligned column: the number of the field that begins it. */
  const fields: number[] = []
  let count = 0
  for (const name of names) {
    fields.push(count)
    count += name.match(split)?.length ?? 0
  }
  let others = 0
  let row = 0
  for (let line = aligned.first; line < aligned.end; line++) {
    if (isBlank(lines, line)) continue
    const isWhole = addFields(lines, line, count, table, row === 0 ? split : /\S+/g)
    if (!isWhole || !agrees(lines.text, aligned, table, row, fields)) others++
    row++
  }
  return others > table.rows.length * OTHERS ? undefined : table
}

/** False where the line has too few. */
function addFields(
  lines: SourceLines,
  line: number,
  count: number,
  table: FoundTable,
  split: RegExp,
): boolean {
  const base = lines.starts[line] ?? 0
  const source = lineOf(lines, line)
  table.beginRow()
  let added = 0
  for (const { 0: field, index } of source.matchAll(split)) {
    added++
    const isLast = added === count
    table.add(base + index, base + (isLast ? source.trimEnd().length : index + field.length))
    if (isLast) return true
  }
  for (let missing = added; missing < count; missing++) table.add(base + source.length, base + source.length)
  return false
}

/** Clear columns of the aligned row begin where the fields do that have their numbers. */
function agrees(
  text: string,
  aligned: FoundTable,
  table: FoundTable,
  row: number,
  fields: readonly number[],
): boolean {
  const first = table.rows[row] ?? 0
  const firstAligned = aligned.rows[row] ?? 0
  let clear = 0
  let found = 0
  for (const [column, field] of fields.entries()) {
    const cell = firstAligned + column
    if (aligned.valueOf(text, cell) === '') continue
    clear++
    if (table.startOf(first + field) === aligned.startOf(cell)) found++
  }
  return found >= clear * MOST
}

const MOST = 0.7
