import { type Block, PlainRow, type TableRow } from '../blocks/block.ts'
import { splitAligned, splitDelimited } from './split-cells.ts'

const DELIMITERS = [',', '\t', ';', '|'] as const
const SAMPLE = 200
/** Quoted cells may contain line breaks. */
const MAX_ROW = 20_000

/** Lines as a table of delimited or aligned columns, with the text before its header; undefined for others. */
export function readPlainTable(lines: readonly string[]): Block[] | undefined {
  if (lines.length < 3) return undefined
  const delimiter = delimiterOf(lines)
  if (delimiter !== undefined) return readDelimited(lines, delimiter)
  return alignedColumns(lines) > 1 ? readAligned(lines) : undefined
}

/** Cells in most lines of aligned columns; 0 for other lines. */
function alignedColumns(lines: readonly string[]): number {
  const counts = lines.slice(0, SAMPLE).map(countAligned)
  const usual = mostCommon(counts)
  const regular = counts.filter((count) => count === usual).length
  return regular > counts.length * ALIGNED_SHARE ? usual : 0
}

/** Cells may be empty, so lines of an aligned table may have fewer. */
const ALIGNED_SHARE = 0.5

function delimiterOf(lines: readonly string[]): string | undefined {
  const sample = lines.slice(0, SAMPLE).map((line) => line.slice(0, 2000))
  return DELIMITERS.find((delimiter) => isRegular(sample.map((line) => countDelimited(line, delimiter))))
}

function isRegular(counts: readonly number[]): boolean {
  const usual = mostCommon(counts)
  return (
    usual > 1 && counts.filter((count) => count === usual).length > counts.length * (usual > 2 ? 0.6 : 0.9)
  )
}

/** As splitDelimited. */
function countDelimited(line: string, delimiter: string): number {
  if (line.includes('"')) return splitDelimited(line, delimiter).length
  let count = 1
  for (let at = line.indexOf(delimiter); at >= 0; at = line.indexOf(delimiter, at + 1)) count++
  return count
}

/** As splitAligned. */
const countAligned = (line: string): number =>
  line.includes('  ') || line.includes('\t') ? splitAligned(line).length : 1

function mostCommon(counts: readonly number[]): number {
  const tally = new Map<number, number>()
  for (const count of counts) tally.set(count, (tally.get(count) ?? 0) + 1)
  return [...tally].reduce((best, entry) => (entry[1] > best[1] ? entry : best), [0, 0])[0]
}

const readDelimited = (lines: readonly string[], delimiter: string): Block[] =>
  toTable(readRows(lines, delimiter))

/** Quoted cells may span lines. */
function readRows(lines: readonly string[], delimiter: string): TableRow[] {
  const rows: TableRow[] = []
  const split = (text: string) => splitDelimited(text, delimiter)
  for (let i = 0; i < lines.length; i++) {
    let text = lines[i] ?? ''
    let isOpen = endsInQuotes(text, delimiter, false)
    while (isOpen && i + 1 < lines.length && text.length < MAX_ROW) {
      const line = lines[++i] ?? ''
      text += `\n${line}`
      isOpen = endsInQuotes(line, delimiter, true)
    }
    rows.push(new PlainRow(text.endsWith('\r') ? text.slice(0, -1) : text, split))
  }
  return rows
}

/** Whether a quoted cell continues after a line; `isOpen`: whether one continues into it. */
function endsInQuotes(line: string, delimiter: string, isOpen: boolean): boolean {
  let open = isOpen
  let closed = -2
  for (let i = line.indexOf('"'); i >= 0; i = line.indexOf('"', i + 1)) {
    if (open) closed = i
    // Two quotes inside a cell are an escaped one.
    if (open || closed === i - 1 || startsCell(line, i, delimiter)) open = !open
  }
  return open
}

/** Only blanks between the delimiter, or row start, and a quote. */
function startsCell(text: string, quote: number, delimiter: string): boolean {
  let at = quote - 1
  while (at >= 0 && text[at] === ' ') at--
  return at < 0 || text[at] === delimiter
}

/** Two blanks separate columns; longer runs are layout. */
function readAligned(lines: readonly string[]): Block[] {
  const rows = lines.map((line) => new PlainRow(splitAligned(line).join('  '), splitAligned))
  const first = rows.findIndex((row) => row.cells.length > 1)
  const before = rows
    .slice(0, Math.max(0, first))
    .map((row): Block => ({ type: 'paragraph', text: row.text }))
  return [...before, ...toTable(rows.slice(Math.max(0, first)))]
}

function toTable(rows: readonly TableRow[]): Block[] {
  const [header, ...rest] = rows
  return header === undefined ? [] : [{ type: 'table', header, rows: rest }]
}
