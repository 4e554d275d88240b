import { isBlank, isSpace, lineOf, trimEnd } from '../source-lines.ts'
import type { SourceLines } from '../source-lines.ts'
import { FoundTable } from './found-table.ts'

/** Any number of tabs, as many as fill a column's width. */
const TABS = '\t+'
const DELIMITERS = ['\t', TABS, ';', ',', '|'] as const
const QUOTE = 34
const SAMPLE = 200
/** Least share of lines with the usual number of cells, by that number. */
const REGULAR = 0.85
const REGULAR_PAIRS = 0.95
/** Quoted cells may contain line breaks. */
const LONGEST_CELL = 20_000
/** Prose separates by a comma and a blank. */
const MOST_SPACED = 0.5
/** Share of cells whose brackets don't close. */
const MOST_BROKEN = 0.1

/** The delimiter under which most of the lines have equally many cells. */
export function delimiterOf(lines: SourceLines, first: number, end: number): string | undefined {
  let best: { readonly delimiter: string; readonly worth: number } | undefined
  for (const delimiter of DELIMITERS) {
    const worth = regularity(lines, first, end, delimiter)
    if (worth > (best?.worth ?? 0)) best = { delimiter, worth }
  }
  return best?.delimiter
}

function regularity(lines: SourceLines, first: number, end: number, delimiter: string): number {
  const { text } = lines
  const needed = delimiter === TABS ? '\t\t' : delimiter
  if (!text.slice(lines.starts[first], lines.stops[end - 1]).includes(needed)) return 0
  const mostUndivided = Math.max(1, (1 - REGULAR) * Math.min(SAMPLE, end - first))
  const counts = new Map<number, number>()
  let rows = 0
  let width = 0
  let spaced = 0
  let broken = 0
  let cells = 0
  let indented = 0
  let isSecondFilled = false
  let decimals = 0
  let undivided = 0
  const columns = new Map<number, number>()
  const table = new FoundTable('delimited', delimiter, first)
  for (let line = first; line < end && rows < SAMPLE; line++) {
    if (isBlank(lines, line) || isNote(lines, line, delimiter)) continue
    table.truncate(0)
    line = readWholeRow(lines, line, end, table, delimiter, width)
    const count = table.cells
    if (rows === 0) width = count
    rows++
    if (count === 1 && ++undivided > mostUndivided) return 0
    counts.set(count, (counts.get(count) ?? 0) + 1)
    cells += count - 1
    if (table.startOf(0) === table.stopOf(0)) indented++
    if (count > 1 && table.startOf(1) !== table.stopOf(1)) isSecondFilled = true
    if (delimiter === TABS && count > 1) {
      const column = columnAt(text, lines.starts[line] ?? 0, table.startOf(1))
      columns.set(column, (columns.get(column) ?? 0) + 1)
    }
    if (delimiter !== ',') continue
    if (count === 2 && hasDecimal(text.slice(table.startOf(0), table.stopOf(1)))) decimals++
    for (let cell = 0; cell < count; cell++) {
      if (!isBalanced(text, table.startOf(cell), table.stopOf(cell))) broken++
      if (cell > 0 && text.charCodeAt(table.startOf(cell) - 1) === 32) spaced++
    }
  }
  const [usual, share] = mostCommon(counts, rows)
  if (delimiter === TABS && mostCommon(columns, rows)[1] < FILLED) return 0
  const isSpaced = delimiter === ',' && spaced > cells * MOST_SPACED
  if (rows < 2 || (isSpaced && (rows < SAMPLE || usual < 3))) return 0
  const others = Math.round((1 - share) * rows)
  if (usual < 2 || (share < (usual === 2 ? REGULAR_PAIRS : REGULAR) && (usual < 3 || others > 1))) return 0
  if (usual === 2 && (rows < 3 || indented > rows / 2 || !isSecondFilled)) return 0
  if (usual === 2 && decimals * 2 > rows) return 0
  if (delimiter === ',' && broken > cells * MOST_BROKEN) return 0
  return share + Math.min(0.1, usual * 0.01)
}

/** The first comma is that of a number behind words: `Sum   30.987,93`. One pattern would take the square of a long line. */
export function hasDecimal(pair: string): boolean {
  const comma = pair.indexOf(',')
  if (comma < 0 || !DECIMALS.test(pair.slice(comma + 1, comma + 5))) return false
  const whole = pair.slice(0, comma)
  const number = WHOLE_NUMBER.exec(whole)
  return number !== null && /\p{L}/u.test(whole.slice(0, number.index))
}

const DECIMALS = /^\d{1,3}(?!\d)/
const WHOLE_NUMBER = /\s[-+]?\d[\d.]*$/

/** A delimiter inside brackets parts words of a sentence or a call. */
function isBalanced(text: string, start: number, stop: number): boolean {
  let open = 0
  for (let at = start; at < Math.min(stop, start + SAMPLE); at++) {
    const code = text.charCodeAt(at)
    if (code === 0x28 || code === 0x7b || code === 0x5b) open++
    else if (code === 0x29 || code === 0x7d || code === 0x5d) open--
  }
  return open === 0
}

/** Least share of second cells that begin at one column, where tabs fill columns: others indent source behind its place. */
const FILLED = 0.7
const TAB_WIDTH = 8

function columnAt(text: string, start: number, at: number): number {
  let column = 0
  for (let i = start; i < at; i++) column += text[i] === '\t' ? TAB_WIDTH - (column % TAB_WIDTH) : 1
  return column
}

function mostCommon(counts: ReadonlyMap<number, number>, all: number): readonly [number, number] {
  let usual = 0
  let most = 0
  for (const [count, rows] of counts)
    if (rows > most) {
      usual = count
      most = rows
    }
  return [usual, most / all]
}

/** `# note`, `// note`, `-- note`, or `sep=;` for spreadsheets. A header may begin with `#` and a column name. */
function isNote(lines: SourceLines, line: number, delimiter: string): boolean {
  const start = lines.starts[line] ?? 0
  const code = lines.text.charCodeAt(start)
  if (code !== 0x23 && code !== 0x2f && code !== 0x2d && code !== 0x73) return false
  const source = lineOf(lines, line)
  return code === 0x23
    ? !source.includes(signOf(delimiter)) || (/^#\s/.test(source) && !isHeader(lines, line, delimiter))
    : /^(?:\/\/|--|sep=.$)/.test(source)
}

/** `# name,state,age` above rows of as many cells. */
export function isHeader(lines: SourceLines, line: number, delimiter: string): boolean {
  const cells = countCells(lines, line, delimiter)
  return cells >= LEAST_NAMES && line + 1 < lines.count && countCells(lines, line + 1, delimiter) === cells
}

const LEAST_NAMES = 3

/** Rows from a line to the next blank line that other text follows. */
export function readDelimited(lines: SourceLines, first: number, end: number, delimiter: string): FoundTable {
  const table = new FoundTable('delimited', signOf(delimiter), first)
  let width = 0
  let line = first
  /** Behind the last row with several cells. */
  let divided = { rows: 0, cells: 0, exceptions: 0, end: first }
  for (; line < end; line++) {
    if (isBlank(lines, line)) {
      if (line + 1 < end && isBlank(lines, line + 1)) continue
      const next = line + 1 < end ? countCells(lines, line + 1, delimiter) : 0
      if (next !== width) break
      continue
    }
    if (isNote(lines, line, delimiter)) {
      if (table.rows.length === 0) break
      continue
    }
    const before = table.cells
    table.beginRow()
    const last = readWholeRow(lines, line, end, table, delimiter, width)
    const count = table.cells - before
    if (count < 2 && (delimiter === '|' || width === 0)) {
      table.rows.pop()
      table.truncate(before)
      break
    }
    line = last
    if (width === 0) width = count
    else if (count !== width) table.exceptions++
    if (count > 1)
      divided = {
        rows: table.rows.length,
        cells: table.cells,
        exceptions: table.exceptions,
        end: line + 1,
      }
  }
  table.end = Math.min(line, end)
  // Lines below that nothing divides are a note.
  if (divided.rows < table.rows.length && divided.rows > 0) table.endAfter(divided)
  return table
}

/** Adds a row's cells, with those of the lines that it goes on in where cells have line breaks without quotes; returns its last line. */
function readWholeRow(
  lines: SourceLines,
  first: number,
  end: number,
  table: FoundTable,
  delimiter: string,
  width: number,
): number {
  const before = table.cells
  const last = readRow(lines, first, table, delimiter)
  const count = table.cells - before
  if (width < LEAST_NAMES || count < 2 || !UNQUOTED.includes(signOf(delimiter))) return last
  if (count === width && isDivided(lines, last + 1, delimiter)) return last
  const rest = lastOfRow(lines, last, end, delimiter, count, width)
  for (let line = last; line < rest; line++) {
    const cell = table.cells - 1
    readRow(lines, line + 1, table, delimiter)
    table.joinNext(cell)
  }
  return rest
}

/** The last of the lines that have a row's cells together, or go on with its last one without a delimiter. */
function lastOfRow(
  lines: SourceLines,
  line: number,
  end: number,
  delimiter: string,
  count: number,
  width: number,
): number {
  let cells = count
  let last = line
  for (let next = line + 1; next < Math.min(end, line + MOST_LINES) && !isBlank(lines, next); next++) {
    const more = countCells(lines, next, delimiter) - 1
    if (cells + more > width) return cells === width && more + 1 === width ? last : line
    cells += more
    last = next
  }
  // What has no delimiter below the last row is a note.
  return cells === width && count < width ? last : line
}

/** Those that tools write without quotes around line breaks. */
const UNQUOTED = '|\t'
const MOST_LINES = 30

const signOf = (delimiter: string): string => delimiter.charAt(0)

const isDivided = ({ text, starts, stops }: SourceLines, line: number, delimiter: string): boolean => {
  const found = text.indexOf(signOf(delimiter), starts[line])
  return found >= 0 && found < (stops[line] ?? 0)
}

function countCells(lines: SourceLines, line: number, delimiter: string): number {
  const table = new FoundTable('delimited', delimiter, line)
  readRow(lines, line, table, delimiter)
  return table.cells
}

/** Adds a row's cells; returns its last line. Quotes as in RFC 4180. */
function readRow(lines: SourceLines, first: number, table: FoundTable, delimiter: string): number {
  const { text } = lines
  const sign = signOf(delimiter)
  const behind = (at: number): number => {
    let next = at + 1
    if (delimiter === TABS) while (text[next] === sign) next++
    return Math.min(next, stop)
  }
  let line = first
  let stop = lines.stops[line] ?? 0
  let at = lines.starts[line] ?? 0
  // A trailing tab is a cell, though it is a blank.
  if (sign === '\t') stop = lineStop(lines, line)
  for (;;) {
    let start = at
    while (start < stop && isSpace(text.charCodeAt(start)) && text[start] !== sign) start++
    if (text.charCodeAt(start) === QUOTE && start < stop) {
      const close = closingQuote(text, start + 1, sign)
      if (close >= 0) {
        if (close >= stop) {
          while (line + 1 < lines.count && (lines.starts[line + 1] ?? 0) <= close) line++
          stop = sign === '\t' ? lineStop(lines, line) : (lines.stops[line] ?? 0)
        }
        const inner = text.slice(start + 1, close)
        if (inner.includes('""')) table.values.set(table.cells, inner.replaceAll('""', '"'))
        table.add(start + 1, close)
        const next = text.indexOf(sign, close + 1)
        if (next < 0 || next >= stop) return line
        at = behind(next)
        continue
      }
    }
    const found = text.indexOf(sign, start)
    const next = found < 0 || found >= stop ? stop : found
    table.add(start, trimEnd(text, start, next))
    if (next === stop) return line
    at = behind(next)
  }
}

function lineStop({ text, starts, count }: SourceLines, line: number): number {
  let stop = line + 1 < count ? (starts[line + 1] ?? 0) - 1 : text.length
  if (stop > 0 && text.charCodeAt(stop - 1) === 13) stop--
  return stop
}

/** Before a delimiter or the line's end; -1 when the quote isn't one of a cell. */
function closingQuote(text: string, from: number, delimiter: string): number {
  for (
    let at = text.indexOf('"', from);
    at >= 0 && at - from < LONGEST_CELL;
    at = text.indexOf('"', at + 1)
  ) {
    if (text.charCodeAt(at + 1) === QUOTE) {
      at++
      continue
    }
    let after = at + 1
    while (text[after] === ' ' || text[after] === '\r') after++
    return after >= text.length || text[after] === delimiter || text[after] === '\n' ? at : -1
  }
  return -1
}
