import { isBlank, lineOf, type SourceLines } from '../text/readers/source-lines.ts'
import { readDelimited } from '../text/readers/table/delimited.ts'
import { FoundTable } from '../text/readers/table/found-table.ts'

/** Of a code block in Markdown. */
const FENCE = /^[ \t]*(?:`{3,}|~{3,})[^\n`]*$/gm

/** A table ends where its code block does. */
export function withBlankFences(lines: SourceLines): SourceLines {
  const { text, starts } = lines
  if (!text.includes('```') && !text.includes('~~~')) return lines
  const stops = Int32Array.from(lines.stops)
  let line = 0
  for (const { index } of text.matchAll(FENCE)) {
    while (line + 1 < lines.count && (starts[line + 1] ?? 0) <= index) line++
    stops[line] = starts[line] ?? 0
  }
  return { ...lines, stops }
}

/** Whether a line ends like a sentence or like what introduces a table. */
export const endsText = ({ text, stops }: SourceLines, line: number): boolean =>
  '.:!?。：！？'.includes(text.charAt((stops[line] ?? 0) - 1))

/** Of a line of names. */
export const isSentence = (line: string): boolean => /[.:!?,。：！？]$/.test(line.trimEnd())

/** Signs of code and of sentences are in no name. */
const NAME = /^["'*_]*[#\p{L}][\p{L}\p{M}\p{N} _./'’&#°º№-]{0,40}(?:\([^()]{0,20}\))?["'*_:]*$/u
const MOST_WORDS = 5
const RULE = /^[\s|+=-]+$/

/**
 * Reads the rows directly below a line of column names. One row is enough: the names decide, not the shape of many rows.
 */
export function readBelow(lines: SourceLines, line: number, limit: number): FoundTable | undefined {
  let end = line + 1
  while (end < limit && !isBlank(lines, end)) end++
  if (end - line < 2) return undefined
  const header = lineOf(lines, line)
  for (const delimiter of ['\t', ';', ','])
    if (header.includes(delimiter)) {
      const table = isProse(header, delimiter) ? undefined : readDelimited(lines, line, end, delimiter)
      if (table && isTable(table, lines)) return table
    }
  const table = header.includes('  ') ? readSpaced(lines, line, end) : undefined
  return table && isTable(table, lines) ? table : undefined
}

/** Whose commas have a blank behind them. */
const isProse = (header: string, delimiter: string): boolean =>
  delimiter !== '\t' && !new RegExp(`${delimiter}\\S`).test(header)

/** Two columns or more, all with different names, and rows of as many cells: others are dropped. */
function isTable(table: FoundTable, { text }: SourceLines): boolean {
  const names = table.valuesOf(text, 0)
  if (names.length < 2 || new Set(names).size < names.length) return false
  // "DB_PASSWORD:  sesame" is a setting.
  if (table.form === 'aligned' && names.some((name) => name.trimEnd().endsWith(':'))) return false
  if (!names.every((name) => NAME.test(name) && name.trim().split(/\s+/).length <= MOST_WORDS)) return false
  table.hasHeader = true
  return table.rows.some((_, row) => row > 0 && table.widthOf(row) === names.length)
}

const SPACED_CELL = /\S+(?: \S+)*/g

export const spacedCells = (line: string): number => line.match(SPACED_CELL)?.length ?? 0

/** Cells with two blanks or more between them. */
function readSpaced(lines: SourceLines, first: number, end: number): FoundTable {
  const table = new FoundTable('aligned', '  ', first)
  table.end = end
  for (let line = first; line < end; line++) {
    const source = lineOf(lines, line)
    if (RULE.test(source)) continue
    const start = lines.starts[line] ?? 0
    table.beginRow()
    for (const { index, 0: cell } of source.matchAll(SPACED_CELL))
      table.add(start + index, start + index + cell.length)
  }
  return table
}
