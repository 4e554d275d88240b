import type { Reading } from '../reading.ts'
import { lineOf, sourceLines, type SourceLines } from '../source-lines.ts'
import { FoundTable } from './found-table.ts'
import { placeTables } from './place-tables.ts'

/** Mode, owner and the like, or the size alone; the time; the name. */
const ENTRY =
  /^\s*((?:\d+\s+\d+\s+)?[-dlbcps][rwxsStT-]{9}[+.@]?\s+(?:\S+\s+){1,6}?|[\d.,]+[KMGTP]?\s+)(\w{3}\s+\d{1,2}\s+[\d:]{4,5}|\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::[\d.]+)?(?: [+-]\d{4})?)?|\d\d-\w{3}-\d\d \d\d:\d\d)\s+(\S.*)$/
const TOTAL = /^total \d/
const LONGEST = 4000
const LAST = ['modified', 'name']

/** Rows of `ls -l`, `find -ls`, `tar -tv` or `zipinfo`, a table for each folder; undefined where few lines are. */
export function readListing(text: string): Reading | undefined {
  const lines = sourceLines(text)
  const tables: FoundTable[] = []
  let table: FoundTable | undefined
  let rows = 0
  for (let line = 0; line < lines.count; line++) {
    const start = lines.starts[line] ?? 0
    const source = (lines.stops[line] ?? 0) - start > LONGEST ? '' : lineOf(lines, line)
    const entry = ENTRY.exec(source)
    if (entry === null) {
      if (!TOTAL.test(source)) table = undefined
      else tables.push((table = new FoundTable('aligned', ' ', line)))
      continue
    }
    if (table === undefined) tables.push((table = new FoundTable('aligned', ' ', line)))
    table.end = line + 1
    table.beginRow()
    let at = start
    for (const cell of [...(entry[1] ?? '').trim().split(/\s+/), entry[2] ?? '', entry[3] ?? '']) {
      const from = text.indexOf(cell, at)
      at = from + cell.length
      table.add(from, at)
    }
    table.names = namesOf(table.valuesOf(text, table.rows.length - 1))
    rows++
  }
  const found = tables.filter((one) => one.rows.length > 0)
  return rows < lines.count / 2 ? undefined : placeTables(lines, found)
}

/** `[FILE] name   2.97 KB`: the kind, the name, and the size of what has one. */
const KINDED = /^\[(?:FILE|DIR)\]\s+(?=\S)/i
const SIZE_BEHIND = /\s{2,}(\d[\d.,]* ?(?:[KMGTP]i?)?B)$/
const KINDED_NAMES = ['kind', 'name', 'size']
/** `npm notice 1.4kB src/index.ts`: words that all lines begin with, the size, the path. */
const SIZED = /^([\p{L} ]*)(?<![\d.])(\d[\d.,]* ?(?:[kKMGTP]i?)?B?)\s+(\S+)$/u
const SIZED_NAMES = ['', 'size', 'name']

/** Rows of a file server's listing with sizes behind the names; undefined where few lines are. */
export const readSizedListing = (text: string): Reading | undefined =>
  readRows(sourceLines(text), KINDED_NAMES, kindedCells)

/** Rows of paths with sizes before them; undefined where few lines are. */
export function readSizesBefore(text: string): Reading | undefined {
  let lead: string | undefined
  return readRows(sourceLines(text), SIZED_NAMES, (source) => {
    const [, words = '', size = '', name = ''] = SIZED.exec(source) ?? []
    if (name === '' || (lead ??= words) !== words) return undefined
    const from = source.length - name.length
    return [
      [0, words.trimEnd().length],
      [words.length, words.length + size.length],
      [from, source.length],
    ]
  })
}

function kindedCells(source: string): Cells | undefined {
  const kind = KINDED.exec(source)
  if (kind === null) return undefined
  const size = SIZE_BEHIND.exec(source)
  return [
    [0, kind[0].trimEnd().length],
    [kind[0].length, size?.index ?? source.length],
    [source.length - (size?.[1]?.length ?? 0), source.length],
  ]
}

/** From and to, in a line. */
type Cells = readonly (readonly [from: number, to: number])[]

/** Rows below each other; undefined where few lines are. */
function readRows(
  lines: SourceLines,
  names: readonly string[],
  cellsOf: (source: string) => Cells | undefined,
): Reading | undefined {
  let table: FoundTable | undefined
  for (let line = 0; line < lines.count; line++) {
    const start = lines.starts[line] ?? 0
    const source = (lines.stops[line] ?? 0) - start > LONGEST ? '' : lineOf(lines, line).trimEnd()
    const cells = cellsOf(source)
    if (cells === undefined || (table !== undefined && table.end !== line)) continue
    table ??= new FoundTable('aligned', '  ', line)
    table.names = names
    table.beginRow()
    table.end = line + 1
    for (const [from, to] of cells) table.add(start + from, start + to)
  }
  return table === undefined || table.rows.length < lines.count / 2 ? undefined : placeTables(lines, [table])
}

/** The rightmost are always the same, the size is the last number before them; before the mode there are the inode and its blocks, behind it the links, owner and group. */
function namesOf(cells: readonly string[]): string[] {
  const size = cells.slice(0, -LAST.length).findLastIndex((cell) => SIZE.test(cell))
  const mode = cells.findIndex((cell) => MODE.test(cell))
  const owners = size - mode - 1 === OWNERS.length ? OWNERS : []
  return Array.from({ length: cells.length - LAST.length }, (_, column) => {
    if (column === size) return 'size'
    return (column === mode ? 'mode' : column < mode ? INODE[column] : owners[column - mode - 1]) ?? ''
  }).concat(LAST)
}

const SIZE = /^\d[\d.,]*[KMGTP]?$/
const MODE = /^[-dlbcps][rwxsStT-]{9}[+.@]?$/
const INODE = ['inode', 'blocks']
const OWNERS = ['links', 'owner', 'group']
