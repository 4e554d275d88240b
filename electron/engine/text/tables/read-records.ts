import { isTableLine, readBarTable } from './bar-table.ts'
import { alignCells } from './align-cells.ts'
import { alignedColumns, readRows, rowDelimiterOf } from './read-plain-table.ts'
import { splitAligned } from './split-cells.ts'

/** Kinds of content that a table may be taken for: a heading above it makes it Markdown, many notes below it prose. */
const KINDS = new Set(['table', 'markdown', 'prose'])
/** Characters that are looked at before a long text is read whole. */
const SAMPLE = 64_000
/** Share of a text's lines that are rows of its tables. */
const MOSTLY = 0.5

export type TableRecord = Readonly<Record<string, string>>

interface Rows {
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** How many lines of the text they are. */
  readonly lines: number
}

/**
 * The rows of a text that is mostly a table, as objects by the names of its columns: Markdown, tables drawn with bars or boxes,
 * delimited (RFC 4180) and aligned columns, comments and titles above them left out. Several tables are a list of lists.
 */
export function readRecords(
  text: string,
  kind: string,
): readonly TableRecord[] | readonly (readonly TableRecord[])[] | undefined {
  if (!KINDS.has(kind)) return undefined
  if (text.length > SAMPLE && !readTables(text.slice(0, text.lastIndexOf('\n', SAMPLE) + 1), kind))
    return undefined
  const tables = readTables(text, kind)?.map(toRecords)
  return tables?.length === 1 ? tables[0] : tables
}

function readTables(text: string, kind: string): Rows[] | undefined {
  const lines = text.replace(/^\uFEFF/, '').split('\n')
  const filled = lines.filter((line) => line.trim() !== '').length
  const read = readBars(lines) ?? readDelimited(lines) ?? readAligned(lines, kind)
  const tables = read.filter(({ header, rows }) => header.length > 1 && rows.length > 0)
  return tables.reduce((sum, table) => sum + table.lines, 0) > filled * MOSTLY ? tables : undefined
}

/** Groups of lines between bars; other lines between two groups part two tables. */
function readBars(lines: readonly string[]): Rows[] | undefined {
  const barred = lines.filter(isTableLine).length
  if (barred < 2 || barred < lines.filter((line) => line.trim() !== '').length * MOSTLY) return undefined
  return groups(lines, isTableLine).flatMap((group) =>
    readBarTable(group).map((table) => ({ ...table, lines: group.length })),
  )
}

/** The whole text, since a quoted cell may hold blank lines. */
function readDelimited(lines: readonly string[]): Rows[] | undefined {
  const delimiter = rowDelimiterOf(lines.filter((line) => line.trim() !== ''))
  if (delimiter === undefined) return undefined
  const first = lines.findIndex((line) => line.includes(delimiter) && !isComment(line))
  const isBarred = delimiter === '|'
  const read = readRows(lines.slice(first), delimiter).filter(({ text }) => text.trim() !== '')
  const [header, ...rows] = read
    .map(({ cells }) => (isBarred ? cells.map((cell) => cell.trim()) : cells))
    .filter((cells, at) => !isBarred || (cells.length > 1 && !(at === 1 && cells.every(isRule))))
  return header && [{ header, rows, lines: read.reduce((sum, { text }) => sum + filledLines(text), 0) }]
}

const filledLines = (text: string): number =>
  text.includes('\n') ? text.split('\n').filter((line) => line.trim() !== '').length : 1

/** A comment: `# note`, `// note`, `-- note`. A header may begin with `#` where a name or number of the rows does. */
const isComment = (line: string): boolean => /^\s*(?:#(?![^\s,;|]*[,;|\t])|\/\/|--)/.test(line)

/** Each group of lines is a table of its own, as `kubectl get all` prints them. */
function readAligned(lines: readonly string[], kind: string): Rows[] {
  return groups(lines, (line) => line.trim() !== '').flatMap((group) => {
    const start = group.findIndex((line) => splitAligned(line).length > 1)
    const [first = '', ...below] = start < 0 ? [] : group.slice(start)
    const header = splitAligned(first)
    // Two blanks after each sentence make no table.
    if (alignedColumns(group) < (kind === 'table' ? 2 : 3) || header.length < 2) return []
    const rows = below.map((line) => alignCells(first, line))
    return [{ header, rows: rows.filter((cells, at) => at > 0 || !cells.every(isRule)), lines: group.length }]
  })
}

/** Dashes below the name of a column. */
const isRule = (cell: string): boolean => /^:?[-=+]{2,}:?$/.test(cell)

/** Runs of lines that pass a test. */
function groups(lines: readonly string[], test: (line: string) => boolean): string[][] {
  const found: string[][] = []
  let open: string[] | undefined
  for (const line of lines) {
    if (!test(line)) open = undefined
    else if (open) open.push(line)
    else found.push((open = [line]))
  }
  return found
}

/** Every cell under a name of its own: columns without a name, and cells beyond the header, are `column3`. */
function toRecords({ header, rows }: Rows): TableRecord[] {
  const names: string[] = []
  const add = (name: string) => {
    const plain = name.trim() === '' ? `column${names.length + 1}` : name.trim()
    let unique = plain
    for (let again = 2; names.includes(unique); again++) unique = `${plain}_${again}`
    names.push(unique)
  }
  header.forEach(add)
  return rows.map((cells) => {
    while (names.length < cells.length && cells.slice(names.length).some((cell) => cell.trim() !== ''))
      add('')
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']))
  })
}
