import { type Block, PlainRow, type TableRow } from '../blocks/block.ts'
import { splitAligned, splitDelimited } from './split-cells.ts'

const DELIMITERS = [',', '\t', ';', '|'] as const
const SAMPLE = 200
/** A quoted cell may hold line breaks; a row never grows beyond this. */
const MAX_ROW = 20_000

/** A group of lines as a table of delimited or aligned columns, with what stands before its header; undefined for no table. */
export function readPlainTable(lines: readonly string[]): Block[] | undefined {
  if (lines.length < 3) return undefined
  const delimiter = delimiterOf(lines)
  if (delimiter !== undefined) return readDelimited(lines, delimiter)
  const counts = lines.slice(0, SAMPLE).map(countAligned)
  const usual = mostCommon(counts)
  const regular = counts.filter((count) => count === usual).length
  return usual > 1 && regular > counts.length * ALIGNED_SHARE ? readAligned(lines) : undefined
}

/** Cells may be empty, so not every line of an aligned table has as many as the others. */
const ALIGNED_SHARE = 0.5

function delimiterOf(lines: readonly string[]): string | undefined {
  const sample = lines.slice(0, SAMPLE).map((line) => line.slice(0, 2000))
  return DELIMITERS.find((delimiter) => {
    const counts = sample.map((line) => countDelimited(line, delimiter))
    const usual = mostCommon(counts)
    return (
      usual > 1 && counts.filter((count) => count === usual).length > counts.length * (usual > 2 ? 0.6 : 0.9)
    )
  })
}

/** How many cells splitDelimited would give. */
function countDelimited(line: string, delimiter: string): number {
  if (line.includes('"')) return splitDelimited(line, delimiter).length
  let count = 1
  for (let at = line.indexOf(delimiter); at >= 0; at = line.indexOf(delimiter, at + 1)) count++
  return count
}

/** How many cells splitAligned would give. */
const countAligned = (line: string): number =>
  line.includes('  ') || line.includes('\t') ? splitAligned(line).length : 1

function mostCommon(counts: readonly number[]): number {
  const tally = new Map<number, number>()
  for (const count of counts) tally.set(count, (tally.get(count) ?? 0) + 1)
  return [...tally].reduce((best, entry) => (entry[1] > best[1] ? entry : best), [0, 0])[0]
}

function readDelimited(lines: readonly string[], delimiter: string): Block[] {
  const rows: TableRow[] = []
  const split = (text: string) => splitDelimited(text, delimiter)
  for (let i = 0; i < lines.length; i++) {
    let text = lines[i] ?? ''
    while (hasOpenQuote(text) && i + 1 < lines.length && text.length < MAX_ROW)
      text += `\n${lines[++i] ?? ''}`
    rows.push(new PlainRow(text, split))
  }
  return toTable(rows)
}

function hasOpenQuote(text: string): boolean {
  let open = false
  for (let i = text.indexOf('"'); i >= 0; i = text.indexOf('"', i + 1)) open = !open
  return open
}

/** Runs of blanks carry nothing but the layout: two blanks keep the columns apart. */
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
