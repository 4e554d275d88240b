import { isCounted } from './marked-up-labels.ts'
import { isTelling, labelledColumn, type LabelledColumn } from './table-cells.ts'

const TAG = /<(\/?)(table|tr|t[hd])\b([^<>]{0,400})>/gi
const SPAN = /\b(col|row)span\s{0,4}=\s{0,4}["']?(\d{1,3})/gi
const MARKUP_BEFORE = /^(?:\s|<[^<>]{0,400}>|&nbsp;)+/
const MARKUP_BEHIND = /(?:\s|<[^<>]{0,400}>|&nbsp;)+$/
const LONGEST_CELL = 2_000
const MOST_COLUMNS = 200

interface Cell {
  readonly start: number
  readonly column: number
  readonly isHeader: boolean
}

/** The cell whose end wasn't reached, the row's cells, and what is above. */
interface Table {
  open: Cell | undefined
  row: { readonly column: number; readonly isHeader: boolean; readonly start: number; readonly end: number }[]
  /** The next free column of the row. */
  next: number
  /** Rows that cells above still fill, by column. */
  readonly filled: number[]
  readonly headers: Map<number, string>
  readonly columns: Map<number, { start: number; end: number }[]>
}

/** The cells below each `<th>` whose text is a label. */
export function htmlColumns(text: string): LabelledColumn[] {
  if (!/<th\b/i.test(text)) return []
  const found: LabelledColumn[] = []
  const tables: Table[] = []
  for (const { index, 0: whole, 1: slash, 2: written = '', 3: attributes = '' } of text.matchAll(TAG)) {
    const name = written.toLowerCase()
    const table = tables.at(-1)
    if (name === 'table') {
      if (slash === '') tables.push(newTable())
      else if (table) endTable(text, tables.pop() ?? table, index, found)
    } else if (table) {
      endCell(text, table, index)
      if (name === 'tr') endRow(text, table)
      else if (slash === '') beginCell(table, index + whole.length, name === 'th', attributes)
    }
  }
  for (const table of tables.toReversed()) endTable(text, table, text.length, found)
  return found
}

const newTable = (): Table => ({
  open: undefined,
  row: [],
  next: 0,
  filled: [],
  headers: new Map(),
  columns: new Map(),
})

function beginCell(table: Table, start: number, isHeader: boolean, attributes: string): void {
  let [columns, rows] = [1, 1]
  for (const [, of = '', count] of attributes.matchAll(SPAN)) {
    if (of.toLowerCase() === 'col') columns = Number(count) || 1
    else rows = Number(count) || 1
  }
  while ((table.filled[table.next] ?? 0) > 0) table.next++
  table.open = { start, column: table.next, isHeader }
  const end = Math.min(MOST_COLUMNS, table.next + columns)
  // Counted down at the end of this row, too.
  for (; table.next < end; table.next++) table.filled[table.next] = rows
}

function endCell(text: string, table: Table, end: number): void {
  const { open } = table
  if (!open) return
  table.open = undefined
  const content = end - open.start > LONGEST_CELL ? '' : text.slice(open.start, end)
  const before = MARKUP_BEFORE.exec(content)?.[0].length ?? 0
  const behind = before === content.length ? 0 : (MARKUP_BEHIND.exec(content)?.[0].length ?? 0)
  table.row.push({ ...open, start: open.start + before, end: open.start + content.length - behind })
}

function endRow(text: string, table: Table): void {
  const { row } = table
  if (row.length === 0) return
  table.row = []
  table.next = 0
  for (let column = 0; column < table.filled.length; column++)
    table.filled[column] = Math.max(0, (table.filled[column] ?? 0) - 1)
  if (row.length > 1 && row.every(({ isHeader }) => isHeader)) {
    for (const { column, start, end } of row) {
      const header = text
        .slice(start, end)
        .replace(/<[^<>]*>|&nbsp;|\s+/g, ' ')
        .trim()
      if (isTelling(header)) table.headers.set(column, header)
    }
    return
  }
  for (const { column, isHeader, start, end } of row) {
    if (isHeader || end <= start || !table.headers.has(column)) continue
    const cells = table.columns.get(column)
    if (cells) cells.push({ start, end })
    else table.columns.set(column, [{ start, end }])
  }
}

function endTable(text: string, table: Table, end: number, found: LabelledColumn[]): void {
  endCell(text, table, end)
  endRow(text, table)
  for (const [column, header] of table.headers) {
    const cells = table.columns.get(column) ?? []
    const labelled = labelledColumn(
      header,
      cells.filter(({ start, end: stop }) => !isCounted(header, text.slice(start, stop))),
    )
    if (labelled) found.push(labelled)
  }
}
