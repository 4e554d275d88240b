import { isBlank, lineOf, trimEnd, trimStart } from '../source-lines.ts'
import type { SourceLines } from '../source-lines.ts'
import { isUnderline, startsOfUnderline } from './aligned.ts'
import { FoundTable } from './found-table.ts'

const LEAST_LINES = 2
const LEAST_RECORDS = 2

/** Rows of several lines each below as many lines of names, each with its underline, as SQL*Plus folds a wide row. */
export function readFolded(lines: SourceLines, first: number): FoundTable | undefined {
  /** By line of a row: where its columns begin. */
  const edges: (readonly number[])[] = []
  let line = first
  while (line + 1 < lines.count && !isBlank(lines, line) && isUnderline(lines, line + 1)) {
    edges.push(startsOfUnderline(lineOf(lines, line + 1)))
    line += 2
  }
  if (edges.length < LEAST_LINES) return undefined
  const table = new FoundTable('aligned', '  ', first)
  table.hasHeader = true
  table.beginRow()
  for (const [at, starts] of edges.entries()) addCells(table, lines, first + at * 2, starts)
  for (let row = line; fits(lines, row, edges); row = isBlank(lines, table.end) ? table.end + 1 : table.end) {
    table.beginRow()
    for (const [at, starts] of edges.entries()) addCells(table, lines, row + at, starts)
    table.end = row + edges.length
  }
  return table.rows.length > LEAST_RECORDS ? table : undefined
}

/** Whether the next lines have cells within the columns' edges, and are no names again. */
const fits = (lines: SourceLines, row: number, edges: readonly (readonly number[])[]): boolean =>
  row + edges.length <= lines.count &&
  !isUnderline(lines, row + 1) &&
  edges.every((starts, at) => {
    const source = lineOf(lines, row + at)
    return (
      !isBlank(lines, row + at) &&
      !isUnderline(lines, row + at) &&
      starts.every((start) => start === 0 || /^\s?$/.test(source.charAt(start - 1)))
    )
  })

function addCells(table: FoundTable, lines: SourceLines, line: number, starts: readonly number[]): void {
  const { text } = lines
  const base = lines.starts[line] ?? 0
  const last = lines.stops[line] ?? 0
  for (const [column, start] of starts.entries()) {
    const end = Math.min(last, base + (starts[column + 1] ?? Infinity))
    const from = trimStart(text, Math.min(base + start, end), end)
    table.add(from, trimEnd(text, from, end))
  }
}
