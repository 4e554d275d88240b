import { isTableLine, readBarTable } from './bar-table.ts'
import { alignCells } from './align-cells.ts'
import { alignedColumns, readRows, rowDelimiterOf } from './read-plain-table.ts'
import { splitAligned } from './split-cells.ts'

/** Kinds detected for tables: a heading makes Markdown, many notes prose. */
const KINDS = new Set(['table', 'markdown', 'prose'])
/** Characters examined before reading all. */
const SAMPLE = 64_000
/** Inconclusive below this many lines. */
const FEW = 20
/** Least share of barred lines. */
const BARRED = 0.5
/** Least share of characters in tables, except headings. */
const MOSTLY = 0.7

/** Largest share of rows with more cells than the header has names. */
const UNCLEAR = 0.1

export type TableRecord = Readonly<Record<string, string>>

interface Rows {
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** Characters. */
  readonly size: number
}

/**
 * Objects by column name, when text is mostly tables: Markdown, bars, boxes, delimited (RFC 4180), aligned columns,
 * without comments and titles above. Several tables give a list of lists.
 */
export function readRecords(
  text: string,
  kind: string,
): readonly TableRecord[] | readonly (readonly TableRecord[])[] | undefined {
  if (!KINDS.has(kind)) return undefined
  const sample = text.slice(0, text.lastIndexOf('\n', SAMPLE) + 1)
  if (text.length > SAMPLE && sample.split('\n').length > FEW && !readTables(sample, kind)) return undefined
  const tables = readTables(text, kind)?.map(toRecords)
  return tables?.length === 1 ? tables[0] : tables
}

function readTables(text: string, kind: string): Rows[] | undefined {
  const lines = text.replace(/^\uFEFF/, '').split('\n')
  // In a pure table, headings can only be in cells.
  const sections = kind === 'table' ? [lines] : groups(lines, (line) => !isHeading(line))
  const tables = sections
    .flatMap((section) => readBars(section) ?? readDelimited(section) ?? readGroups(section, kind))
    .filter(({ header, rows }) => header.length > 1 && rows.length > 0)
  const read = tables.reduce((sum, { size }) => sum + size, 0)
  const all = sections.reduce((sum, section) => sum + sizeOf(section), 0)
  return read > all * MOSTLY ? tables : undefined
}

const sizeOf = (lines: readonly string[]): number =>
  lines.reduce((sum, line) => sum + line.trimEnd().length, 0)

const isHeading = (line: string): boolean => /^#{1,6}\s+\S/.test(line)

/** Lines without bars separate tables. */
function readBars(lines: readonly string[]): Rows[] | undefined {
  const barred = lines.filter(isTableLine).length
  if (barred < 2 || barred < lines.filter((line) => line.trim() !== '').length * BARRED) return undefined
  return groups(lines, isTableLine).flatMap((group) =>
    readBarTable(group).map((table) => ({ ...table, size: sizeOf(group) })),
  )
}

/** Blank lines separate tables, unless inside a quoted cell. */
function readDelimited(lines: readonly string[]): Rows[] | undefined {
  const delimiter = rowDelimiterOf(lines.filter((line) => line.trim() !== '' && !isComment(line)))
  if (delimiter === undefined) return undefined
  const first = lines.findIndex((line) => line.includes(delimiter) && !isComment(line))
  const tables: { header: readonly string[]; rows: (readonly string[])[]; size: number }[] = []
  let open: (typeof tables)[number] | undefined
  let isAfterBlank = false
  for (const { text, cells } of readRows(lines.slice(first), delimiter)) {
    if (text.trim() === '') isAfterBlank = true
    if (text.trim() === '' || isRule(text.trim())) continue
    const row = delimiter === '|' ? cells.map((cell) => cell.trim()) : cells
    const isNote = row.length < 2 && (isAfterBlank || delimiter === '|' || isComment(text))
    if (isNote || (isAfterBlank && row.length !== open?.header.length)) open = undefined
    isAfterBlank = false
    if (isNote) continue
    if (!open) tables.push((open = { header: row, rows: [], size: text.length }))
    else {
      open.size += text.length
      if (delimiter !== '|' || open.rows.length > 0 || !row.every(isRule)) open.rows.push(row)
    }
  }
  return tables
}

/** `# note`, `// note`, `-- note`, or `sep=;` for spreadsheets. A header may begin with `#` and a column name. */
const isComment = (line: string): boolean => /^\s*(?:#(?![^\s,;|]*[,;|\t])|\/\/|--|sep=.\s*$)/.test(line)

/** Groups of lines that are separate tables, like `kubectl get all`. */
const readGroups = (lines: readonly string[], kind: string): Rows[] =>
  groups(lines, (line) => line.trim() !== '').flatMap((group) => {
    const delimited = group.length > 2 ? readDelimited(group) : undefined
    return delimited ?? readAligned(group, kind)
  })

function readAligned(lines: readonly string[], kind: string): Rows[] {
  const start = lines.findIndex((line) => {
    const cells = splitAligned(line)
    return cells.length > 1 && !cells.every(isRule)
  })
  const [first = '', ...below] = start < 0 ? [] : lines.slice(start)
  const header = splitAligned(first)
  // Two blanks after sentences aren't columns.
  if (alignedColumns(lines) < (kind === 'table' ? 2 : 3) || header.length < 2) return []
  const rows = below.map((line) => alignCells(first, line)).filter((cells) => !cells.every(isRule))
  // Names closer together than the cells below (`ps aux`) don't determine a cell's column.
  if (rows.filter((cells) => cells.length > header.length).length > rows.length * UNCLEAR) return []
  return [{ header, rows, size: sizeOf(lines) }]
}

/** Dashes below a column name. */
const isRule = (cell: string): boolean => /^:?[-=+]{2,}:?$/.test(cell)

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

/** Each cell under a unique name: unnamed columns, and cells beyond the header, are `column3`. */
function toRecords({ header, rows }: Rows): TableRecord[] {
  const names: string[] = []
  const taken = new Set<string>()
  const add = (name: string) => {
    const plain = name.trim() === '' ? `column${names.length + 1}` : name.trim()
    let unique = plain
    for (let again = 2; taken.has(unique); again++) unique = `${plain}_${again}`
    taken.add(unique)
    names.push(unique)
  }
  header.forEach(add)
  return rows.map((cells) => {
    while (names.length < cells.length && cells.slice(names.length).some((cell) => cell.trim() !== ''))
      add('')
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']))
  })
}
