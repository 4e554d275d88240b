import { isBlank, lineOf, trimEnd, trimStart } from '../source-lines.ts'
import type { SourceLines } from '../source-lines.ts'
import { findContinued } from './continued-rows.ts'
import { readFields } from './fields.ts'
import { findHeader, FoundTable, ID } from './found-table.ts'
import { endAtNames, joinNames } from './header-rows.ts'
import { areNamesApart, wholeRows } from './names-apart.ts'
import { withoutSentences } from './sentences.ts'

/** Rows and characters of a row that tell where columns begin. */
const SAMPLE = 300
const WIDEST = 600
/** Least share of rows that reach a separating blank, and that fill a column. */
const REACH = 0.3
const FILLED = 0.2
/** Share of rows that may cross a column's edge. */
const CROSSING = 0.03
const UNCLEAR = 0.15
/** One blank separates columns only where this many rows have it. */
const ROWS_OF_ONE_BLANK = 5
/** Lines above a header in the same group. */
const TITLES = 4
const LEAST_ROWS = 3
/** Prose has longer pieces between its gaps. */
const LONGEST_CELL = 60

/** Columns separated by blanks at the same places of most rows; undefined for other lines. */
export function readAligned(lines: SourceLines, from: number, to: number): FoundTable | undefined {
  const table = findAligned(lines, from, to)
  if (table?.hasHeader !== true || table.widthOf(0) < 2) return table
  if (table.continued.size > 0) return table
  joinNames(table, lines.text)
  endAtNames(table, lines)
  if (table.valueOf(lines.text, 0) !== '') findContinued(table, lines.text, table.endOfRecord(0))
  return table
}

function findAligned(lines: SourceLines, from: number, to: number): FoundTable | undefined {
  const [first, end] = withoutSentences(lines, from, endAtSums(lines, from, to))
  const underline = underlineOf(lines, first, end)
  if (underline !== undefined) {
    const edges = startsOfUnderline(lineOf(lines, underline))
    const table = cut(lines, Math.max(first, underline - 1), end, edges, [], true)
    if (table !== undefined) {
      table.hasHeader = underline > first || isUnderline(lines, first + 2)
      if (table.hasHeader) findContinued(table, lines.text, 1)
      return table
    }
  }
  if (end - first < LEAST_ROWS) return undefined
  const step = Math.max(1, Math.ceil((end - first) / SAMPLE))
  const ink = new Ink()
  for (let line = first; line < end; line += step) if (!ink.count(lines, line, 1)) return undefined
  let whole: FoundTable | undefined
  let bare: FoundTable | undefined
  for (let title = 0; title <= TITLES && end - first - title >= LEAST_ROWS; title++) {
    if (title > 0 && (title - 1) % step === 0) ink.count(lines, first + title - 1, -1)
    if (isLine(lines, first + title)) continue
    const edges = edgesOf(lines, first + title, ink)
    // A command, or a sentence, above the header that divides the columns.
    if (title === 0 && edges.length >= 2 && edges.length * FEWER <= columnsBelow(lines, first, end, ink))
      continue
    const table =
      edges.length < 2 ? undefined : cut(lines, first + title, end, edges, rightEdgesOf(edges, ink))
    if (table === undefined) continue
    table.hasHeader = findHeader(table, lines.text)
    const fields = table.hasHeader ? readFields(lines, table) : undefined
    if (fields !== undefined) return fields
    if (edges.length === 2 && namesRows(table, lines.text)) return bare
    if (isTree(table, lines.text)) return bare
    if (table.hasHeader && areNamesApart(lines, table)) {
      if (edges.length >= LEAST_BELOW) whole ??= wholeRows(lines, table)
      else bare ??= table
    } else if (table.hasHeader) return table
    // Two columns of words may be anything.
    else if (whole === undefined && (edges.length > 2 || isMeasured(table, lines.text))) {
      bare ??= table
      if (!crossesEdges(lines, first + title, edges)) break
    }
  }
  return whole ?? bare
}

/** Words across the columns' edges, as in a title. */
function crossesEdges(lines: SourceLines, line: number, edges: readonly number[]): boolean {
  const source = lineOf(lines, line)
  return edges.some((edge) => edge > 0 && /^\S\S$/.test(source.slice(edge - 1, edge + 1)))
}

/** How many columns have names in the second line. */
function columnsBelow(lines: SourceLines, first: number, end: number, ink: Ink): number {
  ink.count(lines, first, -1)
  const edges = edgesOf(lines, first + 1, ink)
  ink.count(lines, first, 1)
  const table =
    edges.length < LEAST_BELOW ? undefined : cut(lines, first + 1, end, edges, rightEdgesOf(edges, ink))
  return table !== undefined && findHeader(table, lines.text) ? edges.length : 0
}

const LEAST_BELOW = 4
const FEWER = 1.5

/** Keys and values, not columns. */
function namesRows(table: FoundTable, text: string): boolean {
  let named = 0
  for (const cell of table.rows) if (text.charCodeAt(table.stopOf(cell) - 1) === COLON) named++
  return named > table.rows.length / 2
}

/** Branches of a tree. */
function isTree(table: FoundTable, text: string): boolean {
  let branches = 0
  for (const cell of table.rows) if (isBranch(text, table.startOf(cell))) branches++
  return branches > table.rows.length / 3
}

function isBranch(text: string, start: number): boolean {
  for (let i = start; i < start + 3; i++) {
    const sign = text.charAt(i)
    if (sign === '') return false
    if ('├└│╰'.includes(sign)) return true
    if (i < start + 2 && text.charCodeAt(i + 1) === DASH && '|`+'.includes(sign)) return true
  }
  return false
}

const DASH = 0x2d

/** Names and numbers, or ids and what they are of. */
function isMeasured(table: FoundTable, text: string): boolean {
  let numbers = 0
  let ids = 0
  for (const cell of table.rows) {
    if (isNumeral(text.charCodeAt(table.startOf(cell + 1)))) numbers++
    if (ID.test(table.valueOf(text, cell))) ids++
  }
  return Math.max(numbers, ids) > table.rows.length / 2
}

const isNumeral = (code: number): boolean => (code >= 0x30 && code <= 0x39) || code === 0x2d

const COLON = 0x3a

/** The line of dashes below a header, one run a column. */
function underlineOf(lines: SourceLines, first: number, end: number): number | undefined {
  for (let line = first; line < Math.min(end, first + TITLES + 2); line++)
    if (isUnderline(lines, line)) return line
  return undefined
}

export function isUnderline(lines: SourceLines, line: number): boolean {
  const start = trimStart(lines.text, lines.starts[line] ?? 0, lines.stops[line] ?? 0)
  return '-=+'.includes(lines.text.charAt(start)) && startsOfUnderline(lineOf(lines, line)).length > 1
}

/** A line drawn through all columns. */
function isLine({ text, starts, stops }: SourceLines, line: number): boolean {
  const start = starts[line] ?? 0
  const stop = stops[line] ?? 0
  if (stop - start < LEAST_DRAWN || !'-=_─━═'.includes(text.charAt(start))) return false
  for (let at = start + 1; at < stop; at++) if (text[at] !== text[start]) return false
  return true
}

const LEAST_DRAWN = 12

/** Rows without the one or two below a line at their end, which sum them up. */
function endAtSums(lines: SourceLines, first: number, end: number): number {
  for (let line = end - 1; line > end - 5 && line - first > MOST_SUMS * 3; line--)
    if (isLine(lines, line) && line < end - 1 && !isLine(lines, line + 1)) return line
  return end
}

const MOST_SUMS = 2

export function startsOfUnderline(line: string): number[] {
  if (!/^[\s|+=-]+$/.test(line)) return []
  const starts = Array.from(line.matchAll(line.includes('=') ? /={2,}/g : /-{2,}/g), ({ index }) => index)
  const first = line.search(/\S/)
  if (first < (starts[0] ?? 0)) starts.unshift(first)
  return starts
}

/** How many of some lines have a character at each place, and how many end there. */
class Ink {
  readonly occupied = new Int32Array(WIDEST)
  readonly reached = new Int32Array(WIDEST + 1)
  rows = 0

  /** Adds a line, or takes it away; false for one with tabs, whose places are unknown. */
  count(lines: SourceLines, line: number, by: 1 | -1): boolean {
    if (isLine(lines, line)) return true
    const { text, starts, stops } = lines
    const start = starts[line] ?? 0
    const length = Math.min(WIDEST, (stops[line] ?? 0) - start)
    if (length === 0) return true
    this.rows += by
    this.reached[length]! += by
    for (let at = 0; at < length; at++) {
      const code = text.charCodeAt(start + at)
      if (code === 9) return false
      if (code !== 32) this.occupied[at]! += by
    }
    return true
  }
}

/** Where columns begin. */
function edgesOf(lines: SourceLines, first: number, { occupied, reached, rows }: Ink): number[] {
  if (rows < LEAST_ROWS) return []
  const crossing = Math.floor(rows * CROSSING)
  const header = headerAt(lines, first)
  const narrowest = rows >= ROWS_OF_ONE_BLANK ? 1 : 2
  const edges: number[] = []
  let longer = rows
  let blanks = narrowest
  let isReached = true
  for (let at = 0; at < WIDEST; at++) {
    longer -= reached[at] ?? 0
    if (at > 0 && longer < rows * REACH) isReached = false
    const isNamed = at < header.length && header[at] !== ' ' && (at < 2 || header.slice(at - 2, at) === '  ')
    if (!isReached && !isNamed) {
      if (longer === 0) break
      blanks = (occupied[at] ?? 0) <= crossing ? blanks + 1 : 0
      continue
    }
    if ((occupied[at] ?? 0) <= crossing && !(isNamed && blanks >= narrowest)) {
      blanks++
      continue
    }
    if (blanks >= narrowest && !isInName(header, at, occupied)) edges.push(at)
    blanks = 0
  }
  return mergeUnnamed(edges, occupied, rows, header)
}

/** A line of names, with those below it of the columns at its blank beginning: pandas writes names of rows there. */
function headerAt(lines: SourceLines, line: number): string {
  const header = lineOf(lines, line)
  if (line + 2 >= lines.count || !/^ {2,}\S/.test(header)) return header
  const below = lineOf(lines, line + 1).trimEnd()
  const room = header.search(/\S/)
  const isNaming = /^\p{L}[^\d]*$/u.test(below) && below.length < room && /\d/.test(lineOf(lines, line + 2))
  return isNaming ? below.padEnd(room) + header.slice(room) : header
}

/** A further word of a name, with nothing below it in any row: "LAST SEEN". */
function isInName(header: string, at: number, occupied: Int32Array): boolean {
  if (!/\S \S/.test(header.slice(Math.max(0, at - 2), at + 1))) return false
  for (let place = at; place < header.length && header[place] !== ' '; place++)
    if ((occupied[place] ?? 0) > 1) return false
  return true
}

/** Columns that hardly any row fills, or that a name above spans, belong to the one before. */
function mergeUnnamed(
  edges: readonly number[],
  occupied: Int32Array,
  rows: number,
  header: string,
): number[] {
  const isNaming = /\S {2,}\S|^\S+(?: \S+)*$/.test(header.trim())
  return edges.filter((edge, column) => {
    if (column === 0) return true
    const next = edges[column + 1] ?? WIDEST
    const most = mostInk(occupied, edge, next)
    const cutsName = /^\S\S/.test(header.slice(edge - 1, edge + 1))
    // Numbers aligned to the right of a longer name; few rows may cross the edge.
    const isNameOnly = mostInk(occupied, edges[column - 1] ?? 0, edge) <= Math.max(1, rows * CROSSING)
    if (cutsName && isNameOnly) return false
    const name = header.slice(edge, next).trim()
    if (name !== '') return true
    return !isNaming && most >= rows * FILLED
  })
}

function mostInk(occupied: Int32Array, from: number, to: number): number {
  let most = 0
  for (let at = from; at < to; at++) most = Math.max(most, occupied[at] ?? 0)
  return most
}

function cut(
  lines: SourceLines,
  first: number,
  end: number,
  edges: readonly number[],
  rights: readonly number[],
  isUnderlined = false,
): FoundTable | undefined {
  const table = new FoundTable('aligned', '  ', first)
  table.end = end
  /** Lines of the rows that have not its form. */
  const others: number[] = []
  let length = 0
  let long = 0
  const mostExceptions = (end - first) * UNCLEAR
  for (let line = first; line < end; line++) {
    if (isBlank(lines, line) || isUnderline(lines, line) || isLine(lines, line)) continue
    const isCut = cutRow(lines, line, edges, rights, table)
    if (!isCut && ++table.exceptions > mostExceptions && !isUnderlined) return undefined
    const second = (table.rows.at(-1) ?? 0) + 1
    if (!isCut || table.startOf(second) >= (lines.stops[line] ?? 0)) others.push(line)
  }
  if (isUnderlined && others.length >= LEAST_OTHERS) endAtOthers(table, lines, others)
  const { rows } = table
  const width = edges.length
  for (let cell = 0; cell < table.cells; cell++) {
    if (cell % width === width - 1) continue
    length += table.stopOf(cell) - table.startOf(cell)
    if (table.stopOf(cell) > table.startOf(cell)) long++
  }
  if (rows.length < LEAST_ROWS - 1 || table.exceptions > rows.length * UNCLEAR) return undefined
  return length > long * LONGEST_CELL || long < rows.length * (width - 1) * 0.4 ? undefined : table
}

/** What follows a table without a blank line between: its last lines, most of which are not rows. */
function endAtOthers(table: FoundTable, lines: SourceLines, others: readonly number[]): void {
  const start = others.findIndex(
    (line, i) =>
      others[i + 1] === line + 1 &&
      table.end - line >= LEAST_OTHERS &&
      (others.length - i) * 2 > table.end - line,
  )
  const line = others[start]
  if (line === undefined) return
  const row = table.rows.findIndex((cell) => table.startOf(cell) >= (lines.starts[line] ?? 0))
  if (row < LEAST_ROWS) return
  table.exceptions = start
  table.truncate(table.rows[row] ?? 0)
  table.rows.length = row
  table.end = line
}

const LEAST_OTHERS = 3

/** False when a word crosses an edge: then words belong to the column that they overlap most, or that ends with them. */
function cutRow(
  lines: SourceLines,
  line: number,
  edges: readonly number[],
  rights: readonly number[],
  table: FoundTable,
): boolean {
  const { text } = lines
  const base = lines.starts[line] ?? 0
  const stop = lines.stops[line] ?? 0
  table.beginRow()
  const crosses = edges.some(
    (edge, column) =>
      column > 0 &&
      base + edge < stop &&
      text.charCodeAt(base + edge - 1) !== 32 &&
      text.charCodeAt(base + edge) !== 32,
  )
  const limits = crosses ? limitsOfWords(text, base, stop, edges, rights) : edges
  for (let column = 0; column < edges.length; column++) {
    const from = column === 0 ? base : Math.min(stop, base + (limits[column] ?? 0))
    const to = column + 1 < edges.length ? Math.min(stop, base + (limits[column + 1] ?? 0)) : stop
    const start = trimStart(text, from, to)
    table.add(start, trimEnd(text, start, to))
  }
  return !crosses
}

/** Edges moved to the nearest blank, or before a word that is flush right with the column. */
function limitsOfWords(
  text: string,
  base: number,
  stop: number,
  edges: readonly number[],
  rights: readonly number[],
): number[] {
  let least = 0
  return edges.map((edge, column) => {
    if (column === 0) return edge
    let before = edge
    while (before > least && text.charCodeAt(base + before - 1) !== 32) before--
    let after = edge
    while (base + after < stop && text.charCodeAt(base + after) !== 32) after++
    const isNearer = edge - before <= after - edge || after === rights[column]
    const limit = before > least && isNearer ? before : after
    least = Math.max(least, limit)
    return limit
  })
}

/** Where the values of columns end that are flush right, as most of theirs have their last character there; else -1. */
function rightEdgesOf(edges: readonly number[], { occupied, rows }: Ink): number[] {
  const crossing = Math.floor(rows * CROSSING)
  return edges.map((edge, column) => {
    const next = edges[column + 1] ?? WIDEST
    let right = next
    while (right > edge && (occupied[right - 1] ?? 0) <= crossing) right--
    const last = occupied[right - 1] ?? 0
    return right > edge && last >= mostInk(occupied, edge, right) * FLUSH ? right : -1
  })
}

const FLUSH = 0.9
