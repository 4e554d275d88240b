import { isBlank, lineOf } from '../source-lines.ts'
import type { SourceLines } from '../source-lines.ts'
import { readAligned } from './aligned.ts'
import { readBelowComment } from './commented-header.ts'
import { delimiterOf, isHeader, readDelimited } from './delimited.ts'
import { isBarLine, isNamedRule, isRule, readDrawn } from './drawn.ts'
import { readFolded } from './folded.ts'
import { findHeader, type FoundTable, isTableUnnamed } from './found-table.ts'
import { readStamped, stampedHeaders } from './stamped.ts'

const LEAST_LINES = 3
/** Share of a group's lines. */
const FEW_BARS = 0.2

/** Whether tables among some lines are wanted. */
type Wanted = (first: number, end: number) => boolean

/** Delimited, drawn and aligned tables, in their order. */
export function findTables(lines: SourceLines, isWanted: Wanted = () => true): FoundTable[] {
  const tables: FoundTable[] = []
  const delimiter = delimiterOf(lines, 0, lines.count)
  const isWhole = delimiter !== undefined && delimiter !== '|'
  const stamped = stampedHeaders(lines)
  for (let line = 0; line < lines.count;) {
    const commented = isWhole ? undefined : readBelowComment(lines, line)
    if (commented !== undefined && isWanted(line, commented.end)) {
      tables.push(commented)
      line = commented.end
      continue
    }
    if (isBlank(lines, line) || (!isWhole && isHeading(lines, line))) {
      line++
      continue
    }
    if (!isWhole && !isWanted(line, endOfGroup(lines, line))) {
      line = endOfGroup(lines, line)
      continue
    }
    const table = isWhole
      ? wholeTable(lines, line, delimiter)
      : (readStamped(lines, line, endOfGroup(lines, line), stamped) ??
        belowNames(lines, line) ??
        readFolded(lines, line) ??
        tableOfGroup(lines, line))
    if (table === undefined || !isTableUnnamed(table, lines.text))
      line = isWhole ? line + 1 : endOfGroup(lines, line)
    else {
      tables.push(table)
      line = Math.max(line + 1, table.end)
    }
  }
  return tables
}

/** Names of columns alone in their group, above a blank line: rows without them would lose whose values they have. */
function belowNames(lines: SourceLines, first: number): FoundTable | undefined {
  const rows = first + 2
  if (endOfGroup(lines, first) !== first + 1 || rows >= lines.count || isBlank(lines, rows)) return undefined
  const source = lineOf(lines, first)
  if (source.length > LONGEST_NAMES || !NAMES.test(source)) return undefined
  const table = readAligned(lines, first, endOfGroup(lines, rows))
  const names = source.trim().split(/ {2,}/).length
  return table?.hasHeader === true && table.first === first && table.widthOf(0) >= names ? table : undefined
}

const LONGEST_NAMES = 300
/** Words without digits, with gaps between. */
const NAMES = /^ *[^\d\s]+(?: [^\d\s]+)*(?: {2,}[^\d\s]+(?: [^\d\s]+)*){2,} *$/

function wholeTable(lines: SourceLines, first: number, delimiter: string): FoundTable | undefined {
  const table = readDelimited(lines, first, lines.count, delimiter)
  if (table.rows.length < 2 || table.widthOf(0) < 2) return undefined
  table.hasHeader = findHeader(table, lines.text)
  return table
}

/** Of lines up to the next blank one. */
function tableOfGroup(lines: SourceLines, first: number): FoundTable | undefined {
  const end = endOfGroup(lines, first)
  const drawn = barsWithin(lines, first, end)
  if (drawn !== undefined && drawn[1] - drawn[0] < (end - first) * FEW_BARS) {
    // Bars in cells, such as those of a command line.
    const whole = tableOfLines(lines, first, end)
    if (whole?.hasHeader === true) return whole
  }
  if (drawn !== undefined && drawn[0] >= first + LEAST_LINES) {
    const before = tableOfLines(lines, first, drawn[0])
    if (before !== undefined) return before
  }
  const barred = drawn && (readDrawn(lines, drawn[0], drawn[1]) ?? delimitedBars(lines, drawn))
  return barred ?? tableOfLines(lines, first, end)
}

function tableOfLines(lines: SourceLines, first: number, end: number): FoundTable | undefined {
  const delimiter = end - first < LEAST_LINES ? undefined : delimiterOf(lines, first, end)
  if (delimiter !== undefined) {
    const table = readDelimited(lines, first, end, delimiter)
    if (table.rows.length >= 2 && table.widthOf(0) >= 2) {
      table.hasHeader = findHeader(table, lines.text)
      return table
    }
  }
  return readAligned(lines, first, end)
}

function delimitedBars(lines: SourceLines, [first, end]: readonly [number, number]): FoundTable | undefined {
  if (end - first < LEAST_LINES || delimiterOf(lines, first, end) !== '|') return undefined
  const table = readDelimited(lines, first, end, '|')
  table.hasHeader = findHeader(table, lines.text)
  return table
}

/** The first run of two or more lines with bars or rules; where a rule follows a rule, one table ends and the next begins. */
function barsWithin(lines: SourceLines, first: number, end: number): readonly [number, number] | undefined {
  for (let line = first; line < end; line++) {
    let after = line
    let barred = 0
    for (; after < end; after++) {
      const source = lineOf(lines, after)
      if (isBarLine(source) || isNamedRule(source)) barred++
      else if (!isRule(source)) break
      if (barred >= 2 && isRule(source) && after > line && isRule(lineOf(lines, after - 1))) break
    }
    if (barred >= 2) return [line, after]
    line = Math.max(line, after - 1)
  }
  return undefined
}

const isHeading = (lines: SourceLines, line: number): boolean => {
  if (lines.heads?.has(line) === true) return true
  const start = lines.starts[line] ?? 0
  if (!lines.text.startsWith('#', start) || !/^#{1,6} /.test(lines.text.slice(start, start + 8))) return false
  return !NAMING.some((delimiter) => isHeader(lines, line, delimiter))
}
/** Delimiters of a header behind a comment sign. */
const NAMING = [',', '\t', ';']

function endOfGroup(lines: SourceLines, first: number): number {
  let end = first
  while (end < lines.count && !isBlank(lines, end) && !isHeading(lines, end)) end++
  return end
}
