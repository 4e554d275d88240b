import { isMarkdownRule, splitMarkdownRow } from './split-cells.ts'

const BARS = '|│┃║'
/** Lines between rows: dashes, crosses and corners alone. */
const RULE = /^[\s+|:=\-_\u2500-\u257f]+$/

const isRule = (line: string): boolean =>
  line.trim().length > 2 && RULE.test(line) && /[-=_\u2500-\u257f]{2}/.test(line)

function isBarRow(line: string): boolean {
  const row = line.trim()
  return row.length > 2 && BARS.includes(row.charAt(0)) && BARS.includes(row.charAt(row.length - 1))
}

/** Whether a line is part of a table drawn with bars: a row of Markdown, of a box of `+--+`, or of a box of lines. */
export const isTableLine = (line: string): boolean => isBarRow(line) || isRule(line)

/** The cells of such a table, without the rules between its rows; none where it isn't a table. */
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
  // The bar inside a box may be thinner than its edge.
  return row
    .slice(1, -1)
    .split(/[│┃║]/)
    .map((cell) => cell.trim())
}
