import { isBlank, lineOf, trimEnd, trimStart } from '../source-lines.ts'
import type { SourceLines } from '../source-lines.ts'
import { FoundTable } from './found-table.ts'

const BARS = '|│┃║¦'
const BAR = /[|│┃║¦]/
/** Dashes, crosses, corners, blocks and the colons of Markdown. */
const RULE = /^[\s+|:=\-_\u2010-\u2015\u2500-\u257f]+$/
const DASHES = /[-=_\u2010-\u2015\u2500-\u257f]{2}/
const LONGEST = 20_000

export const isRule = (line: string): boolean => line.length > 2 && RULE.test(line) && DASHES.test(line)

/** Markdown's rule may have one dash a column; so may a row of empty values. */
const isDashRow = (line: string): boolean => line.includes('-') && RULE.test(line)

export const isBarLine = (line: string): boolean => line.length < LONGEST && BAR.test(line)

/**
 * Rows between bars: Markdown, boxes of any characters, psql. Undefined unless a rule, or bars at both ends, tell
 * that bars separate cells. `first` to `end` are lines with bars or rules.
 */
export function readDrawn(lines: SourceLines, first: number, end: number): FoundTable | undefined {
  const table = new FoundTable('drawn', ' | ', first)
  table.end = end
  let rules = 0
  let headerRows = 0
  let framed = 0
  let edges: number[] = []
  for (let line = first; line < end; line++) {
    if (isBlank(lines, line)) continue
    const source = lineOf(lines, line)
    const rows = table.rows.length
    if (isRule(source) || (rows === 1 && rules === 0 && isDashRow(source))) {
      rules++
      if (headerRows === 0) headerRows = rows
      continue
    }
    if (splitRow(lines, line, table, edges)) framed++
    if (rows === 0) edges = edgesOf(table, lines, line)
  }
  const rows = table.rows.length
  const width = table.widthOf(0)
  if (rows === 0 || width < 2 || (rules === 0 && framed < rows * FRAMED)) return undefined
  for (let row = 1; row < rows; row++) if (table.widthOf(row) !== width) table.exceptions++
  if (table.exceptions > rows * UNEVEN) return undefined
  table.hasHeader = headerRows > 0 && (headerRows < rows || rows === 1)
  return table
}

const FRAMED = 0.9
const UNEVEN = 0.2

/** Bars of the header, by their distance from the line's start. */
function edgesOf(table: FoundTable, lines: SourceLines, line: number): number[] {
  const source = lineOf(lines, line)
  const edges: number[] = []
  const count = table.widthOf(0)
  for (let at = 0; at < source.length; at++) if (BARS.includes(source.charAt(at))) edges.push(at)
  return edges.length <= count + 1 ? edges : []
}

/** Whether bars are at both ends. */
function splitRow(lines: SourceLines, line: number, table: FoundTable, edges: readonly number[]): boolean {
  const { text } = lines
  const base = lines.starts[line] ?? 0
  const stop = lines.stops[line] ?? 0
  let start = trimStart(text, base, stop)
  const opens = BARS.includes(text.charAt(start))
  const closes = stop - start > 1 && BARS.includes(text.charAt(stop - 1)) && text[stop - 2] !== '\\'
  table.beginRow()
  if (edges.length > 0 && edges.every((at) => base + at < stop && BARS.includes(text.charAt(base + at)))) {
    let from = opens ? base + (edges[0] ?? 0) + 1 : base
    for (const edge of opens ? edges.slice(1) : edges) {
      addCell(text, from, base + edge, table)
      from = base + edge + 1
    }
    if (!closes) addCell(text, from, stop, table)
    return opens && closes
  }
  if (opens) start++
  const last = closes ? stop - 1 : stop
  let from = start
  for (let at = start; at < last; at++) {
    if (!BARS.includes(text.charAt(at)) || text.charCodeAt(at - 1) === 92) continue
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
