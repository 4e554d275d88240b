/** A number whose source text JavaScript would not write again the same way (1.0, 1e5, 20 digits): JSON.stringify puts it back. */
interface RawNumber {
  readonly rawJSON: string
}

/** JSON.parse source text access: in Node 24, not yet in TypeScript's library. */
const { rawJSON, isRawJSON } = JSON as unknown as {
  rawJSON: (this: void, source: string) => RawNumber
  isRawJSON: (this: void, value: unknown) => value is RawNumber
}

/** Data found in a text: one JSON value, JSON lines as an array, or a table as an array of objects with string cells. */
export interface ParsedData {
  readonly format: 'json' | 'json lines' | 'table'
  readonly value: unknown
}

/** Reads a text as data, or gives undefined when it is none. Numbers keep their source text. */
export function parseData(text: string, kind: string): ParsedData | undefined {
  const value = parseJson(text)
  if (value !== undefined) return { format: 'json', value }
  const lines = parseJsonLines(text)
  if (lines) return { format: 'json lines', value: lines }
  const rows = kind === 'table' ? parseTable(text) : undefined
  return rows && { format: 'table', value: rows }
}

/** The number that a value is, raw ones included; undefined for everything else. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return isRawJSON(value) ? Number(value.rawJSON) : undefined
}

/** An object of the data: no array, and no raw number. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawJSON(value)

const keepNumbers = (_key: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
    ? rawJSON(context.source)
    : value

function parseJson(text: string): unknown {
  if (!/^\uFEFF?\s*[[{"\d\-tfn]/.test(text)) return undefined
  const plain = text.startsWith('\uFEFF') ? text.slice(1) : text
  try {
    return JSON.parse(plain, keepNumbers)
  } catch (error) {
    // A reviver recurses; the plain parser does not, and so reads what is nested thousands deep.
    if (!(error instanceof RangeError)) return undefined
    try {
      return JSON.parse(plain)
    } catch {
      return undefined
    }
  }
}

function parseJsonLines(text: string): unknown[] | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  const values: unknown[] = []
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const value = /^\s*[[{]/.test(line) ? parseJson(line) : undefined
    if (value === undefined) return undefined
    values.push(value)
  }
  return values.length > 1 ? values : undefined
}

function parseTable(text: string): Record<string, string>[] | undefined {
  const rows = markdownRows(text) ?? delimitedRows(text)
  const [header, ...body] = rows ?? []
  if (!header || header.length < 2 || body.length === 0) return undefined
  const names = header.map((name, index) => (name.trim() === '' ? `column${index + 1}` : name.trim()))
  return body.map((cells) => Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])))
}

function markdownRows(text: string): string[][] | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.trim().startsWith('|'))
  if (!/^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/.test(lines[1] ?? '')) return undefined
  const cells = (line: string) =>
    line
      .trim()
      .replaceAll(/^\||\|$/g, '')
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim())
  return lines.filter((_, index) => index !== 1).map(cells)
}

/** RFC 4180 with comma, tab or semicolon, whichever the first line has most of. */
function delimitedRows(text: string): string[][] | undefined {
  const firstLine = text.slice(0, 10_000).split(/\r?\n/, 1)[0] ?? ''
  const delimiter = [',', '\t', ';'].toSorted(
    (a, b) => firstLine.split(b).length - firstLine.split(a).length,
  )[0]
  if (!delimiter || !firstLine.includes(delimiter)) return undefined
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < text.length) {
    const { cell, end } = readCell(text, at, delimiter)
    row.push(cell)
    const isRowEnd = text[end] !== delimiter
    at = end + (text.startsWith('\r\n', end) ? 2 : 1)
    if (!isRowEnd) continue
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
  }
  if (row.length > 0) rows.push([...row, ''])
  return rows
}

function readCell(text: string, start: number, delimiter: string): { cell: string; end: number } {
  let at = start
  let cell = ''
  if (text[at] === '"') {
    for (at++; at < text.length;) {
      const quote = text.indexOf('"', at)
      if (quote < 0) return { cell: cell + text.slice(at), end: text.length }
      cell += text.slice(at, quote)
      at = quote + 1
      if (text[at] !== '"') break
      cell += '"'
      at++
    }
  }
  const from = at
  while (at < text.length && text[at] !== delimiter && text[at] !== '\n' && !text.startsWith('\r\n', at)) at++
  return { cell: cell + text.slice(from, at), end: at }
}
