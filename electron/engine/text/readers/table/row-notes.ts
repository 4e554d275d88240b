import { isBlank, lineOf, trimStart } from '../source-lines.ts'
import type { SourceLines } from '../source-lines.ts'
import { isBarLine, isRule } from './drawn.ts'

/** A line between the rows of a table, about the row above it. */
export interface RowNote {
  readonly start: number
  readonly stop: number
}

export interface LinesOfTables {
  /** Without the notes. */
  readonly lines: SourceLines
  /** In document order. */
  readonly notes: readonly RowNote[]
}

/** Rows that a group has at the least, for lines between them to be notes. */
const LEAST_ROWS = 4
const MOST_NOTES = 0.4
const AT_FIRST_COLUMN = 0.6
/** In blanks, from where rows begin. */
const DEEPER = 2
const GAP = /\S {2,}\S/
const WORDS = /\S \S/
const CONTENT = /[\p{L}\p{N}]/u
const MOST_BARE = 0.2

/** Takes lines between rows out: those without bars between lines with bars, and deeper ones below aligned rows. */
export function takeRowNotes(lines: SourceLines): LinesOfTables {
  const isNote = new Uint8Array(lines.count)
  let count = 0
  for (let first = 0, end = 0; first < lines.count; first = end + 1) {
    end = first
    while (end < lines.count && !isBlank(lines, end)) end++
    if (end - first < LEAST_ROWS) continue
    for (const line of barredNotes(lines, first, end) ?? deeperNotes(lines, first, end)) {
      isNote[line] = 1
      count++
    }
  }
  if (count === 0) return { lines, notes: [] }
  const { text, starts, stops, size } = lines
  const notes: RowNote[] = []
  for (let line = 0; line < lines.count; line++)
    if (isNote[line] === 1)
      notes.push({ start: trimStart(text, starts[line] ?? 0, stops[line] ?? 0), stop: stops[line] ?? 0 })
  const without = (places: Int32Array): Int32Array => places.filter((_, line) => isNote[line] === 0)
  const view = { text, size, count: lines.count - count, starts: without(starts), stops: without(stops) }
  return { lines: view, notes }
}

/** Undefined where bars don't draw the group. */
function barredNotes(lines: SourceLines, first: number, end: number): number[] | undefined {
  const isOfTable = (line: number): boolean => {
    const source = lineOf(lines, line)
    return isBarLine(source) || isRule(source)
  }
  const drawn: number[] = []
  let bare = 0
  for (let line = first; line < end; line++) {
    if (!isOfTable(line)) continue
    drawn.push(line)
    if (!isRule(lineOf(lines, line)) && !CONTENT.test(lineOf(lines, line))) bare++
  }
  // Marks below quoted lines of source code.
  if (bare > drawn.length * MOST_BARE) return undefined
  if (drawn.length < Math.max(LEAST_ROWS, (1 - MOST_NOTES) * (end - first))) return undefined
  const notes: number[] = []
  for (let line = drawn[0] ?? end; line < (drawn.at(-1) ?? first); line++)
    if (!isOfTable(line)) notes.push(line)
  return notes
}

function deeperNotes(lines: SourceLines, first: number, end: number): number[] {
  const { text, starts, stops } = lines
  const columnOf = (line: number): number =>
    trimStart(text, starts[line] ?? 0, stops[line] ?? 0) - (starts[line] ?? 0)
  const margin = columnOf(first)
  const header = lineOf(lines, first)
  const notes: number[] = []
  let rows = 0
  let withGaps = 0
  for (let line = first; line < end; line++) {
    const column = columnOf(line)
    if (column === margin) rows++
    const source = lineOf(lines, line)
    const hasGap = GAP.test(source)
    // At the start of a column's name it goes on with that column.
    const isOfColumn = header.startsWith('  ', column - 2) && /^\S/.test(header.slice(column))
    const isNote = hasGap ? GAP.test(header) && !isInColumns(source, header) : WORDS.test(source)
    if (line > first && column >= margin + DEEPER && !isOfColumn && isNote) notes.push(line)
    else if (hasGap) withGaps++
  }
  const others = end - first - notes.length
  const areRows = rows >= AT_FIRST_COLUMN * others && withGaps >= AT_FIRST_COLUMN * others
  return areRows && others >= LEAST_ROWS && notes.length <= MOST_NOTES * (end - first) ? notes : []
}

/** Whether half of the words behind gaps begin or end where the header has one. */
function isInColumns(source: string, header: string): boolean {
  let inside = 0
  let all = 0
  for (const { index, 0: cell } of source.matchAll(CELL)) {
    const end = index + cell.length
    const begins = header.charAt(index) > ' ' && header.charAt(index - 1) <= ' '
    const ends = header.charAt(end - 1) > ' ' && header.charAt(end) <= ' '
    if (begins || ends) inside++
    all++
  }
  return inside * 2 >= all
}

const CELL = /\S+(?: \S+)*/g
