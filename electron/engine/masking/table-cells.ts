import { sourceLines, isBlank, lineOf, type SourceLines } from '../text/readers/source-lines.ts'
import { isRule } from '../text/readers/table/drawn.ts'
import { findTables } from '../text/readers/table/find-tables.ts'
import type { FoundTable } from '../text/readers/table/found-table.ts'
import { mayLabel } from './finders/column-labels.ts'
import { secretNamedBy } from './finders/named-secret.ts'
import { headsOtherNumbers } from './finders/other-numbers.ts'
import { asWords } from './as-words.ts'
import { isNameKey, isValueKey, nameOfPair } from './naming-keys.ts'
import { endsText, isSentence, readBelow, spacedCells, withBlankFences } from './loose-tables.ts'
import type { Found } from './personal-data.ts'

/** A column of a table whose header may label what is below. Positions are those of the text. */
export interface LabelledColumn {
  readonly header: string
  /** It says that the cells are numbers of goods or versions. */
  readonly isOther: boolean
  /** Long enough for a value. */
  readonly cells: readonly Found[]
  /** Cells that aren't empty. */
  readonly filled: number
}

/** Longer ones are sentences. */
const LONGEST_HEADER = 40
/** Of a date, "1.2.80"; other values are longer. */
const SHORTEST_VALUE = 6
const SHORTEST_SECRET = 3
/** Lines of a group that may be its header, with titles and rules above. */
const FIRST_LINES = 5
const LONGEST_LINE = 4000
/** Headers with more are sentences. */
const FEW_WORDS = /^\s*(?:\S+\s+){0,4}\S*\p{L}\S*\s*$/u
const CELL_END = /[,;\t|│┃║¦]| {2}/

export function labelledColumns(text: string): LabelledColumn[] {
  if (!text.includes('\n')) return []
  const lines = withBlankFences(sourceLines(text))
  const naming = linesWithLabels(lines)
  if (naming.length === 0) return []
  let next = 0
  const isWanted = (first: number, end: number): boolean => {
    while ((naming[next] ?? Infinity) < first) next++
    return (naming[next] ?? Infinity) < end
  }
  const tables = findTables(lines, isWanted).filter((table) => table.hasHeader && isHeaded(table, lines))
  const columns = tables.flatMap((table) => [...columnsOf(table, text), ...valuesBesideNames(table, text)])
  // Rows in a code block or right below a sentence, and single rows.
  let end = 0
  let before = 0
  for (const line of naming) {
    while ((tables[before]?.end ?? Infinity) <= line) before++
    if (line < end || isInTable(tables[before], line, lines)) continue
    const first = tables[before]?.first ?? 0
    const table = readBelow(lines, line, first > line ? first : lines.count)
    if (!table) continue
    columns.push(...columnsOf(table, text, table.widthOf(0)), ...valuesBesideNames(table, text))
    end = table.end
  }
  return columns
}

/** A sentence or a fence above rows isn't their header. */
function isHeaded(table: FoundTable, { text }: SourceLines): boolean {
  if (table.form === 'drawn') return true
  const start = table.startOf(0)
  const end = text.indexOf('\n', start)
  return !isSentence(text.slice(start, end < 0 ? text.length : end))
}

/**
 * Titles above its header are no part of it; nor is a line with more cells than columns were seen, nor one above cells with gaps
 * of their own: a sentence that joins two columns may divide another.
 */
function isInTable(table: FoundTable | undefined, line: number, lines: SourceLines): boolean {
  if (table === undefined || line < table.first) return false
  const next = lines.starts[line + 1] ?? Infinity
  if (next <= table.startOf(0)) return false
  const isHeader = (lines.starts[line] ?? 0) <= table.startOf(0)
  if (!isHeader || table.form !== 'aligned') return true
  const isDivided = table.valuesOf(lines.text, 1).some((value) => value.includes('  '))
  return !isDivided && spacedCells(lineOf(lines, line)) <= table.widthOf(0)
}

/** Lines that may be headers with a label. Reading tables costs much more than this look. */
function linesWithLabels(lines: SourceLines): number[] {
  const found: number[] = []
  let ofGroup = 0
  for (let line = 0; line < lines.count; line++) {
    if (isBlank(lines, line)) ofGroup = 0
    else if (ofGroup++ < FIRST_LINES || endsText(lines, line - 1)) {
      if (namesColumns(lineOf(lines, line))) found.push(line)
    } else if (isRuleAt(lines, line) && namesColumns(lineOf(lines, line - 1))) found.push(line)
  }
  return found
}

const isRuleAt = ({ text, starts, stops }: SourceLines, line: number): boolean => {
  const start = starts[line] ?? 0
  const stop = stops[line] ?? 0
  return (
    stop - start < LONGEST_LINE &&
    /^[|+:=─━├╞╠ -]{2}/.test(text.slice(start, start + 2)) &&
    isRule(text.slice(start, stop))
  )
}

/** Whether most cells are short and at least one is the label of a personal-data type. */
function namesColumns(line: string): boolean {
  if (line.length > LONGEST_LINE || !CELL_END.test(line)) return false
  const cells = line.split(CELL_END).filter((cell) => cell.trim() !== '')
  const names = cells.filter((cell) => cell.length <= LONGEST_HEADER && FEW_WORDS.test(cell))
  return (
    names.length > 1 &&
    names.length >= cells.length / 2 &&
    (names.some((name) => mayLabel(name) || headsOtherNumbers(name)) || pairOf(names) !== undefined)
  )
}

export const isTelling = (header: string): boolean =>
  header !== '' &&
  header.length <= LONGEST_HEADER &&
  FEW_WORDS.test(header) &&
  (mayLabel(header) || headsOtherNumbers(header))

/** `written`: the cells that aren't empty. */
export function labelledColumn(header: string, written: readonly Found[]): LabelledColumn | undefined {
  const shortest = secretNamedBy(header) ? SHORTEST_SECRET : SHORTEST_VALUE
  const cells = written.filter(({ start, end }) => end - start >= shortest)
  return cells.length === 0
    ? undefined
    : { header, isOther: !mayLabel(header), cells, filled: written.length }
}

/** Columns of names and of their values. */
function pairOf(headers: readonly string[]): { name: number; value: number } | undefined {
  const words = headers.map((header) => header.replaceAll(/[*`_"]{1,2}/g, '').trim())
  const value = words.findIndex(isValueKey)
  const name = words.findIndex(isNameKey)
  return value >= 0 && name >= 0 && value !== name ? { name, value } : undefined
}

/** Each value of a table of names and values, with the name beside it. */
function valuesBesideNames(table: FoundTable, text: string): LabelledColumn[] {
  const columns = pairOf(table.valuesOf(text, 0))
  if (!columns) return []
  return table.rows.flatMap((first, row) => {
    const cell = first + columns.value
    if (row === 0 || cell >= table.rowEnd(row) || first + columns.name >= table.rowEnd(row)) return []
    const name = table.valuesOf(text, row)[columns.name] ?? ''
    const header = nameOfPair([asWords(name.replaceAll(/[*`"]/g, '').trim())])
    const start = table.startOf(cell)
    const end = table.stopOf(cell)
    if (header === undefined || end - start < SHORTEST_SECRET) return []
    return [{ header, isOther: !mayLabel(header), cells: [{ start, end }], filled: 1 }]
  })
}

/** `width`: reads only rows with this number of cells. */
function columnsOf(table: FoundTable, text: string, width?: number): LabelledColumn[] {
  return table.valuesOf(text, 0).flatMap((name, column) => {
    const header = name.replaceAll(/[*`_]{2,}|^#\s*|\s*\n\s*/g, ' ').trim()
    if (!isTelling(header)) return []
    const cells: Found[] = []
    for (let row = 1; row < table.rows.length; row++) {
      const cell = (table.rows[row] ?? 0) + column
      if (cell >= table.rowEnd(row) || table.widthOf(row) !== (width ?? table.widthOf(row))) continue
      const start = table.startOf(cell)
      const end = table.stopOf(cell)
      if (end > start) cells.push({ start, end })
    }
    return labelledColumn(header, cells) ?? []
  })
}
