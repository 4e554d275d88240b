import { isMarkdownRule, splitMarkdownRow } from './split-cells.ts'

const BARS = '|│┃║'
/** Only dashes, crosses, corners. */
const RULE = /^[\s+|:=\-_\u2500-\u257f]+$/

const isRule = (line: string): boolean =>
  line.trim().length > 2 && RULE.test(line) && /[-=_\u2500-\u257f]{2}/.test(line)

function isBarRow(line: string): boolean {
  const row = line.trim()
  return row.length > 2 && BARS.includes(row.charAt(0)) && BARS.includes(row.charAt(row.length - 1))
}

/** A Markdown row, a `+--+` box, or a line-drawing box. */
export const isTableLine = (line: string): boolean => isBarRow(line) || isRule(line)

/** Cells of such a table without rules; empty for other lines. */
export function readBarTable(lines: readonly string[]): { header: string[]; rows: string[][] }[] {
  const [header, ...rows] = lines
    .filter((line, at) => isBarRow(line) && !isRule(line) && !(at === 1 && isMarkdownRule(line)))
    .map(cellsOf)
  return header ? [{ header, rows }] : []
}

function cellsOf(line: string): string[] {
  const row = line.trim()
  const bar = row.charAt(0)
  if (bar === '|') return splitMarkdownRow(row)
  // Inner bars may be thinner.
  return row
    .slice(1, -1)
    .split(/[│┃║]/)
    .map((cell) => cell.trim())
}
