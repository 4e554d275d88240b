import { NODE } from '../../tree/json-document.ts'
import type { Reading } from '../reading.ts'
import { isBlank, lineOf, trimStart } from '../source-lines.ts'
import type { SourceLines } from '../source-lines.ts'
import { TreeBuilder } from '../tree-builder.ts'
import type { FoundTable } from './found-table.ts'
import { printTables, type PlacedTable } from './print-tables.ts'
import type { RowNote } from './row-notes.ts'

const LONGEST_TITLE = 120
/** `Key: value`, no sentence. */
const PAIR = /^\s*\p{L}[^\s:=|]*(?: [^\s:=|]+){0,3}\s*[:=](?: [^.!?]{0,60}|\s+\S+|)$/u
/** The key of a note below a row; columns have names. */
const NOTE = ''

/** Tables as arrays of objects below their titles, rows with the notes below them; other lines as values of their own. */
export function placeTables(
  lines: SourceLines,
  tables: readonly FoundTable[],
  notes: readonly RowNote[] = [],
): Reading {
  const { text } = lines
  const tree = new TreeBuilder(text)
  const placed = new Map<number, PlacedTable>()
  const lists = new ListNames(tree)
  const isAlone = tables.length === 1 && !hasNotes(lines, tables)
  if (!isAlone) tree.begin(NODE.object, -1, 0)
  let explained = 0
  const keyed = { size: 0 }
  const titles = new Map<number, string>()
  let exceptions = 0
  let line = 0
  let noted = 0
  const addNotesBefore = (place: number): void => {
    for (; (notes[noted]?.start ?? Infinity) < place; noted++) {
      const { start = 0, stop = 0 } = notes[noted] ?? {}
      tree.leaf(NODE.text, tree.keyId(NOTE), start, stop)
      explained += stop - start
    }
  }
  for (const table of tables) {
    addNotesBefore(lines.starts[table.first] ?? 0)
    const above = addNotes(tree, lines, {
      from: line,
      to: table.first,
      hasTitle: table.title === undefined,
      keyed,
      titles,
    })
    const title =
      table.title === undefined
        ? above
        : { name: table.title, source: table.title, start: undefined, line: table.first }
    const key = isAlone ? -1 : lists.keyOf(title, isNaming(title, table.first), namesOf(table, text))
    const array = tree.begin(NODE.array, key, title?.start ?? lines.starts[table.first] ?? 0)
    const keys = namesOf(table, text).map(({ name, shownName }) => keyFor(tree, name, shownName))
    const { form, separator } = table
    placed.set(array, { form, separator, header: headerOf(table, text), title: title?.source, keys })
    for (let row = table.hasHeader ? table.endOfRecord(0) : 0; row < table.rows.length;) {
      const next = table.endOfRecord(row)
      const cell = table.rows[next]
      const endOfRow = cell === undefined ? (lines.starts[table.end] ?? text.length) : table.startOf(cell)
      addRecord(tree, table, row, keys, () => addNotesBefore(endOfRow))
      row = next
    }
    tree.end(lines.stops[table.end - 1] ?? text.length)
    for (line = table.first; line < table.end; line++) explained += sizeOf(lines, line)
    explained += above?.source.length ?? 0
    exceptions += (table.exceptions / table.rows.length + bareShare(table)) / tables.length
  }
  addNotes(tree, lines, { from: line, to: lines.count, hasTitle: false, keyed, titles })
  addNotesBefore(Infinity)
  // Documents with tables begin with pairs, too.
  if (!tables.some(({ form }) => form === 'drawn')) explained += keyed.size
  const document = tree.finish()
  return {
    format: 'table',
    isSyntax: tables.every(
      ({ form, separator }) => form === 'drawn' || (form === 'delimited' && separator !== '\t'),
    ),
    document,
    explained: Math.max(0, explained / Math.max(1, lines.size) - exceptions / 2),
    print: (chosen, textOf) => printTables(document, { placed, titles }, chosen, textOf),
  }
}

/** Of rows with one cell, where most rows of three aligned columns or more are such: they are lines below other rows. */
function bareShare(table: FoundTable): number {
  if (table.form !== 'aligned') return 0
  let bare = 0
  let width = 0
  for (let row = 0; row < table.rows.length; row++) {
    width = Math.max(width, table.widthOf(row))
    let filled = 0
    for (let cell = table.rows[row] ?? 0; cell < table.rowEnd(row); cell++)
      if (table.startOf(cell) < table.stopOf(cell)) filled++
    if (filled === 1) bare++
  }
  return width >= LEAST_WIDTH && bare > table.rows.length / 2 ? bare / table.rows.length : 0
}
const LEAST_WIDTH = 3

/** The header's lines as they are written, with the quotes of no cell; none where nothing is named. */
function headerOf(table: FoundTable, text: string): readonly (readonly string[])[] {
  if (!table.hasHeader) return table.title === undefined || table.names.length === 0 ? [] : [table.names]
  return Array.from({ length: table.endOfRecord(0) }, (_, row) =>
    Array.from({ length: table.widthOf(row) }, (__, column) => {
      const cell = (table.rows[row] ?? 0) + column
      return text.slice(table.startOf(cell), table.stopOf(cell))
    }),
  )
}

/** A row and those that go on with its cells. */
function addRecord(
  tree: TreeBuilder,
  table: FoundTable,
  record: number,
  keys: readonly number[],
  addNotesBelow: () => void,
): void {
  const endOfRecord = table.endOfRecord(record)
  tree.begin(NODE.object, -1, table.startOf(table.rows[record] ?? 0))
  for (let row = record; row < endOfRecord; row++) {
    const first = table.rows[row] ?? 0
    for (let cell = first; cell < table.rowEnd(row); cell++) {
      const start = table.startOf(cell)
      const stop = table.stopOf(cell)
      if (start === stop) continue
      const leaf = tree.leaf(NODE.text, keys[cell - first] ?? 0, start, stop)
      const value = table.values.get(cell)
      if (value !== undefined) tree.setValue(leaf, value)
    }
  }
  addNotesBelow()
  tree.end(table.stopOf(table.rowEnd(endOfRecord - 1) - 1))
}

/** `said`: what the text says, where that isn't the name. */
interface Name {
  readonly name: string
  readonly shownName?: string
}

function keyFor(tree: TreeBuilder, name: string, shownName = name): number {
  const key = tree.keyId(name)
  if (shownName !== name) tree.setShownName(key, shownName)
  return key
}

/** Keys of tables: those with the same title, or without one that names them, and the same columns are parts of one. */
class ListNames {
  readonly #tree: TreeBuilder
  readonly #taken = new Map<string, number>()
  readonly #known = new Map<string, number>()

  constructor(tree: TreeBuilder) {
    this.#tree = tree
  }

  /** `isNaming`: whether the title is one. */
  keyOf(title: Title | undefined, isNaming: boolean, columns: readonly Name[]): number {
    const signature = [isNaming ? (title?.name ?? '') : '', ...columns.map(({ name }) => name)].join('\n')
    const known = this.#known.get(signature)
    if (known !== undefined) return known
    const name = uniqueName(title?.name ?? 'table', this.#taken)
    const key = keyFor(this.#tree, name, title !== undefined && isNaming ? title.name : '')
    this.#known.set(signature, key)
    return key
  }
}

/** Right above the table, or marked as a heading: a command or a date above a blank line, a number of something and a legend name nothing. */
const isNaming = (title: Title | undefined, first: number): boolean =>
  title !== undefined &&
  (title.start === undefined ||
    ((title.line === first - 1 || MARKED.test(title.source)) && !TELLS.test(title.source)))

/** Two pairs, or a pair with a number: "Status=Not/Inst/Conf (Err: uppercase=bad)", "size: 12 bytes". */
const TELLS = /[:=] ?\S.*[\p{L})] ?[:=] ?\S|\p{L} ?[:=] ?\d[\d.,]*(?: |$)/u

const MARKED = /^[#=*-]+ |[:=*-]$/

/** Each column's unique name: unnamed columns are `column3`. */
function namesOf(table: FoundTable, text: string): Name[] {
  const header = table.hasHeader ? namesIn(table, text) : table.names
  let width = 0
  for (let row = 0; row < table.rows.length; row++) width = Math.max(width, table.widthOf(row))
  const taken = new Map<string, number>()
  return Array.from({ length: width }, (_, column) => {
    const name = (header[column] ?? '')
      .replace(/\s*\n\s*/g, ' ')
      .replace(/^#\s+/, '')
      .replaceAll('**', '')
    const unique = uniqueName(name === '' ? `column${column + 1}` : name, taken)
    return unique === name ? { name } : { name: unique, said: name }
  })
}

/** Names over several lines are joined. */
function namesIn(table: FoundTable, text: string): string[] {
  const names = table.valuesOf(text, 0)
  for (let row = 1; row < table.endOfRecord(0); row++)
    for (const [column, part] of table.valuesOf(text, row).entries())
      names[column] = `${names[column] ?? ''} ${part}`.trim()
  return names
}

function uniqueName(name: string, taken: Map<string, number>): string {
  let unique = name
  let again = taken.get(name) ?? 1
  while (taken.has(unique)) unique = `${name}_${++again}`
  taken.set(name, again)
  if (unique !== name) taken.set(unique, 1)
  return unique
}

const sizeOf = ({ text, starts, stops }: SourceLines, line: number): number =>
  (stops[line] ?? 0) - trimStart(text, starts[line] ?? 0, stops[line] ?? 0)

function hasNotes(lines: SourceLines, tables: readonly FoundTable[]): boolean {
  for (let line = 0; line < lines.count; line++)
    if (!isBlank(lines, line) && !tables.some(({ first, end }) => line >= first && line < end)) return true
  return false
}

/** Of a line and the deeper ones below it, which say nothing without each other, the last that fits in one value; `Indexes:` may have many. */
function lastBelow(lines: SourceLines, line: number, to: number): number {
  const { text, starts, stops } = lines
  const columnOf = (each: number): number =>
    trimStart(text, starts[each] ?? 0, stops[each] ?? 0) - (starts[each] ?? 0)
  const longest = text[(stops[line] ?? 0) - 1] === ':' ? LONGEST_NOTE : LONGEST_PAIR
  let last = line
  while (
    last + 1 < to &&
    !isBlank(lines, last + 1) &&
    columnOf(last + 1) > columnOf(line) &&
    (stops[last + 1] ?? 0) - (starts[line] ?? 0) <= longest
  )
    last++
  return last
}
/** Characters. */
const LONGEST_NOTE = 4000
const LONGEST_PAIR = 240

interface Title {
  readonly name: string
  readonly source: string
  /** Undefined where it is in the table. */
  readonly start: number | undefined
  readonly line: number
}

/** Of the line above, from which a line is indented: a blank line parts both from the table. */
function isOfAbove(lines: SourceLines, line: number, from: number, to: number): boolean {
  if (line === to - 1 || line === from || isBlank(lines, line - 1)) return false
  const depthOf = (each: number): number => lineOf(lines, each).search(/\S/)
  return depthOf(line) > depthOf(line - 1)
}

/**
 * Lines between tables. The title of the table below is the head above it, else the last line, if short and near. What
 * else is below a head is a list of its own.
 */
function addNotes(
  tree: TreeBuilder,
  lines: SourceLines,
  { from, to, hasTitle, keyed, titles }: NotesPlace,
): Title | undefined {
  const head = lines.heads === undefined ? -1 : headBefore(lines, from, to)
  const title = head >= 0 ? head : hasTitle ? lineAbove(lines, from, to) : to
  let opened = false
  const close = (line: number): void => {
    if (opened) tree.end(lines.starts[line] ?? lines.text.length)
    opened = false
  }
  for (let line = from; line < to; line++) {
    const isHead = lines.heads?.has(line) === true
    if (isHead || isBlank(lines, line)) close(line)
    if (isHead && line + 1 < to && !isBlank(lines, line + 1)) {
      const { name, source, start = 0 } = titleAt(lines, line)
      titles.set(tree.begin(NODE.object, tree.keyId(name), start), source)
      opened = true
    }
    if (isHead ? opened || line === title : line === title || isBlank(lines, line)) continue
    const last = opened ? line : lastBelow(lines, line, title < line ? to : Math.min(to, title))
    tree.leaf(NODE.text, tree.keyId(''), lines.starts[line] ?? 0, lines.stops[last] ?? 0)
    if (PAIR.test(lineOf(lines, line).slice(0, 200))) keyed.size += sizeOf(lines, line)
    line = last
  }
  close(to)
  const found = title === to ? undefined : titleAt(lines, title)
  return found?.name === '' ? undefined : found
}

interface NotesPlace {
  readonly from: number
  /** Exclusive. */
  readonly to: number
  /** Whether a table without a title of its own is below. */
  readonly hasTitle: boolean
  /** Characters of pairs. */
  readonly keyed: { size: number }
  /** By container: the head that it is below. */
  readonly titles: Map<number, string>
}

/** The last head with no blank line below it; -1 without one. */
function headBefore(lines: SourceLines, from: number, to: number): number {
  for (let line = to - 1; line >= from && !isBlank(lines, line); line--)
    if (lines.heads?.has(line) === true) return line
  return -1
}

/** The last line that isn't blank, where that may be a title; `to` for none. */
function lineAbove(lines: SourceLines, from: number, to: number): number {
  let line = to - 1
  while (line >= Math.max(from, to - 2) && isBlank(lines, line)) line--
  if (line < Math.max(from, to - 2) || sizeOf(lines, line) > LONGEST_TITLE) return to
  return COUNTED.test(lineOf(lines, line)) || isOfAbove(lines, line, from, to) ? to : line
}

const COUNTED = /^\s*\(\d+ rows?\)$/

function titleAt(lines: SourceLines, line: number): Title {
  const source = lineOf(lines, line).trim()
  const name = source.replace(/^[#=\s*-]+|[:=\s*-]+$/g, '')
  return { name, source, start: lines.starts[line] ?? 0, line }
}
