import { isBlank, lineOf, trimEnd, trimStart } from '../source-lines.ts'
import type { SourceLines } from '../source-lines.ts'
import { findContinued } from './continued-rows.ts'
import { FoundTable } from './found-table.ts'

const BARS = '|│┃║¦'
const BAR = /[|│┃║¦]/
/** Dashes, crosses, corners, blocks and the colons of Markdown. */
const RULE = /^[\s+|:=\-_\u2010-\u2015\u2500-\u257f]+$/
const DASHES = /[-=_\u2010-\u2015\u2500-\u257f]{2}/
const LONGEST = 20_000

export const isRule = (line: string): boolean => line.length > 2 && RULE.test(line) && DASHES.test(line)

/** The upper edge of a box with the columns' names in it: `┌─name─┬─size─┐`. */
export const isNamedRule = (line: string): boolean => NAMED_RULE.test(line) && /[\p{L}\p{N}]/u.test(line)
const NAMED_RULE = /^\s{0,20}[┌┏╭╔][─━═][^┬┳╦|│┃║]{0,200}[┬┳╦]/
/** Its parts. */
const NAME_IN_RULE = /[^─━═┬┳╦┌┏╭╔┐┓╮╗\s](?:[^─━═┬┳╦┐┓╮╗]*[^─━═┬┳╦┐┓╮╗\s])?/g

/** Markdown's rule may have one dash a column; so may a row of empty values. */
const isDashRow = (line: string): boolean => line.includes('-') && RULE.test(line)

export const isBarLine = (line: string): boolean => line.length < LONGEST && BAR.test(line)

/**
 * Rows between bars: Markdown, boxes of any characters, psql. A first row of one cell is a title. Undefined unless a rule, or bars at both ends, tell
 * that bars separate cells. `first` to `end` are lines with bars or rules.
 */
export function readDrawn(lines: SourceLines, first: number, end: number): FoundTable | undefined {
  const table = new FoundTable('drawn', ' | ', first)
  table.end = end
  let rules = 0
  let headerRows = 0
  let framed = 0
  let edges: readonly number[] = []
  const isFramed = opensRows(lines, first, end)
  /** Rows below a rule. */
  const ruled = new Set<number>()
  for (let line = first; line < end; line++) {
    if (isBlank(lines, line)) continue
    const source = lineOf(lines, line)
    const rows = table.rows.length
    if (rows === 0 && isNamedRule(source)) {
      addNamesInRule(lines, line, table, isFramed)
      headerRows = 1
      rules++
      ruled.add(1)
      continue
    }
    if (isRule(source) || (rows === 1 && rules === 0 && isDashRow(source))) {
      rules++
      if (rows === 1 && table.widthOf(0) === 1) {
        table.title = table.valueOf(lines.text, 0)
        table.rows.length = 0
        table.truncate(0)
        edges = []
        continue
      }
      ruled.add(rows)
      if (headerRows === 0) headerRows = rows
      continue
    }
    if (rows === 0 && DOUBLED.test(source)) {
      addDoubled(lines, line, table)
      headerRows = 1
      framed++
      continue
    }
    if (splitRow(lines, line, table, isFramed, edges)) framed++
    if (rows === 0) edges = edgesOf(table, lines, line)
  }
  const rows = table.rows.length
  const width = table.widthOf(0)
  if (rows === 0 || width < 2 || (rules === 0 && framed < rows * FRAMED)) return undefined
  for (let row = 1; row < rows; row++) if (table.widthOf(row) !== width) table.exceptions++
  if (table.exceptions > rows * UNEVEN) return undefined
  table.hasHeader = headerRows > 0 && (headerRows < rows || rows === 1)
  if (table.hasHeader) findContinued(table, lines.text, headerRows, ruled)
  return table
}

const FRAMED = 0.9
const UNEVEN = 0.2

/** Whether the first row and most others begin with bars: a row whose first cell is blank may begin with one, too. */
function opensRows(lines: SourceLines, first: number, end: number): boolean {
  let rows = 0
  let opened = 0
  for (let line = first; line < end; line++) {
    if (isBlank(lines, line) || isRule(lineOf(lines, line)) || isNamedRule(lineOf(lines, line))) continue
    if (isBar(lines.text, trimStart(lines.text, lines.starts[line] ?? 0, lines.stops[line] ?? 0))) opened++
    if (++rows === 1 && opened === 0) return false
  }
  return opened * 2 > rows
}

/** Rows that begin before the first bar have a number there. */
function addNamesInRule(lines: SourceLines, line: number, table: FoundTable, isFramed: boolean): void {
  const base = lines.starts[line] ?? 0
  table.beginRow()
  if (!isFramed) table.add(base, base)
  for (const { index, 0: name } of lineOf(lines, line).matchAll(NAME_IN_RULE))
    table.add(base + index, base + index + name.length)
}

/** Names as Confluence and Jira write them: `||Name||Size||` above `|a|1|`. */
const DOUBLED = /^\s*\|\|(?:[^|]+\|\|)+\s*$/

function addDoubled(lines: SourceLines, line: number, table: FoundTable): void {
  const base = lines.starts[line] ?? 0
  table.beginRow()
  for (const { index, 0: name } of lineOf(lines, line).matchAll(/[^|]+(?=\|\|)/g))
    addCell(lines.text, base + index, base + index + name.length, table)
}

const isBar = (text: string, at: number): boolean => BARS.includes(text.charAt(at))

/** Bars of the header, by their distance from the line's start; none where names have bars, too. */
function edgesOf(table: FoundTable, lines: SourceLines, line: number): number[] {
  const source = lineOf(lines, line)
  const edges: number[] = []
  for (let at = 0; at < source.length; at++) if (isBar(source, at)) edges.push(at)
  return edges.length <= table.widthOf(0) + 1 ? edges : []
}

/** Whether bars are at both ends. */
function splitRow(
  lines: SourceLines,
  line: number,
  table: FoundTable,
  isFramed: boolean,
  edges: readonly number[],
): boolean {
  const { text } = lines
  const base = lines.starts[line] ?? 0
  const stop = lines.stops[line] ?? 0
  const start = trimStart(text, base, stop)
  const opens = isBar(text, start)
  const closes = stop - start > 1 && isBar(text, stop - 1) && text[stop - 2] !== '\\'
  table.beginRow()
  if (edges.length > 0 && edges.every((at) => base + at < stop && isBar(text, base + at))) {
    let from = base + (isFramed ? (edges[0] ?? 0) + 1 : 0)
    for (const edge of isFramed ? edges.slice(1) : edges) {
      addCell(text, from, base + edge, table)
      from = base + edge + 1
    }
    if (table.widthOf(table.rows.length - 1) < table.widthOf(0)) addCell(text, from, stop, table)
    return opens && closes
  }
  const last = closes ? stop - 1 : stop
  let from = start + (opens && isFramed ? 1 : 0)
  for (let at = from; at < last; at++) {
    if (!isBar(text, at) || text.charCodeAt(at - 1) === 92) continue
    addCell(text, from, at, table)
    from = at + 1
  }
  addCell(text, from, last, table)
  return opens && closes
}

function addCell(text: string, from: number, to: number, table: FoundTable): void {
  const start = trimStart(text, from, to)
  const stop = trimEnd(text, start, to)
  const source = text.slice(start, stop)
  if (source.includes('\\|')) table.values.set(table.cells, source.replaceAll('\\|', '|'))
  table.add(start, stop)
}
