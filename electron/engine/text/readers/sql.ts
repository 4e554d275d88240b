import type { Reader, Reading } from './reading.ts'
import { sourceLines, trimEnd, trimStart } from './source-lines.ts'
import type { SourceLines } from './source-lines.ts'
import { FoundTable } from './table/found-table.ts'
import { placeTables } from './table/place-tables.ts'

const LEAST_ROWS = 3
/** Least share of a text's characters in rows. */
const MOSTLY = 0.5
const IDENTIFIER = '[`"\\[]?[\\w$]+[`"\\]]?'
const NAME = `(${IDENTIFIER}(?:\\.${IDENTIFIER})*)`
const ROWS = new RegExp(
  `^[ \\t]*(?:(?:INSERT|REPLACE)(?: OR \\w+| IGNORE)? INTO ${NAME}\\s*(?:\\(([^()]*)\\))?\\s*VALUES\\s*|COPY ${NAME}\\s*\\(([^()]*)\\) FROM stdin.*\\n)`,
  'gim',
)
const CREATED = new RegExp(`CREATE TABLE (?:IF NOT EXISTS )?${NAME}\\s*\\(`, 'gi')
const CONSTRAINT = /^(?:primary|unique|constraint|foreign|check|key|index|fulltext|exclude|like)\b/i

/** Dumps of databases: rows of INSERT and COPY as tables, named by the statement or by CREATE TABLE. */
export const sqlReader: Reader = {
  format: 'table',
  read(text): Reading | undefined {
    const lines = sourceLines(text)
    const tables = findRows(lines)
    const rows = tables.reduce((sum, table) => sum + table.rows.length, 0)
    if (rows < LEAST_ROWS) return undefined
    const reading = placeTables(lines, tables)
    // What is not rows is other statements.
    return reading.explained >= MOSTLY ? { ...reading, explained: 1 } : undefined
  },
}

function findRows(lines: SourceLines): FoundTable[] {
  const { text } = lines
  const columns = columnsOfTables(text)
  const tables: FoundTable[] = []
  let title = ''
  let line = 0
  let last = 0
  for (const match of text.matchAll(ROWS)) {
    // Inside of a value.
    if (match.index < last) continue
    const [, inserted, named, copied, copiedNames] = match
    const start = match.index
    while (line + 1 < lines.count && (lines.starts[line + 1] ?? 0) <= start) line++
    const name = bare(inserted ?? copied ?? '')
    const list = named ?? copiedNames
    let table = tables.at(-1)
    const goesOn = title === name && table !== undefined && text.slice(last, start).trim() === ''
    if (!goesOn || table === undefined) {
      table = new FoundTable('drawn', ' | ', line)
      table.names = list === undefined ? (columns.get(name) ?? []) : namesIn(list)
      table.title = name
      tables.push(table)
      title = name
    }
    const from = start + match[0].length
    last = copied === undefined ? readTuples(text, from, table) : readCopied(text, from, table)
    while (line + 1 < lines.count && (lines.starts[line + 1] ?? 0) < last) line++
    // More statements in this line.
    if (/^\s*[^\s-]/.test(text.slice(last, lines.stops[line]))) return []
    table.end = line + 1
  }
  return tables.filter(({ rows }) => rows.length > 0)
}

/** Where the statement ends. */
function readTuples(text: string, from: number, table: FoundTable): number {
  let at = from
  while (text[at] === '(') {
    table.beginRow()
    at++
    for (;;) {
      at = readCell(text, at, table)
      if (text[at] !== ',') break
      at++
    }
    at = text[at] === ')' ? at + 1 : at
    const next = trimStart(text, at, text.length)
    if (text[next] !== ',') break
    at = trimStart(text, next + 1, text.length)
  }
  const end = trimStart(text, at, text.length)
  return text[end] === ';' ? end + 1 : at
}

/** The comma or bracket behind it. */
function readCell(text: string, from: number, table: FoundTable): number {
  const start = trimStart(text, from, text.length)
  const quote = /^[A-Za-z]?'/.exec(text.slice(start, start + 2))?.[0].length ?? 0
  if (quote > 0) {
    let stop = start + quote
    for (; stop < text.length; stop++) {
      if (text[stop] === '\\' || (text[stop] === "'" && text[stop + 1] === "'")) stop++
      else if (text[stop] === "'") break
    }
    const source = text.slice(start + quote, stop)
    if (/''|\\'/.test(source)) table.values.set(table.cells, source.replaceAll(/''|\\'/g, "'"))
    table.add(start + quote, stop)
    let end = stop + 1
    while (end < text.length && text[end] !== ',' && text[end] !== ')') end++
    return end
  }
  let depth = 0
  let end = start
  for (; end < text.length; end++) {
    const sign = text[end]
    if (sign === '(') depth++
    else if (depth === 0 && (sign === ',' || sign === ')')) break
    else if (sign === ')') depth--
  }
  table.add(start, trimEnd(text, start, end))
  return end
}

/** Lines of cells between tabs, up to `\.`. */
function readCopied(text: string, from: number, table: FoundTable): number {
  let start = from
  while (start < text.length && !text.startsWith('\\.', start)) {
    const found = text.indexOf('\n', start)
    const end = found < 0 ? text.length : found
    table.beginRow()
    for (let cell = start; cell <= end;) {
      const tab = text.indexOf('\t', cell)
      const stop = tab < 0 || tab > end ? end : tab
      table.add(cell, stop)
      cell = stop + 1
    }
    start = end + 1
  }
  return Math.min(text.length, start + 2)
}

function columnsOfTables(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { 0: statement, 1: name, index } of text.matchAll(CREATED))
    found.set(bare(name ?? ''), namesIn(inBrackets(text, index + statement.length)))
  return found
}

/** Up to the closing bracket, what is in inner ones left out. */
function inBrackets(text: string, from: number): string {
  let depth = 1
  let inside = ''
  for (let at = from; at < text.length && depth > 0; at++) {
    const sign = text[at] ?? ''
    if (sign === '(') depth++
    else if (sign === ')') depth--
    else if (depth === 1) inside += sign
  }
  return inside
}

const namesIn = (list: string): string[] =>
  list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && !CONSTRAINT.test(part))
    .map((part) => bare(/^\S+/.exec(part)?.[0] ?? ''))

const bare = (name: string): string => name.replaceAll(/[`"[\]]/g, '')
