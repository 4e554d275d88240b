import { endOf, keyOf, parentOf, shownNameOf, sourceOf, valueOf } from '../../tree/json-document.ts'
import type { JsonDocument } from '../../tree/json-document.ts'
import { estimateHundredths } from '../../tokens/estimate-tokens.ts'
import type { FoundTable } from './found-table.ts'
import { isNamedAmong, partRows } from './part-rows.ts'
import type { Filled, PrintCosts } from './part-rows.ts'

export interface PlacedTable extends Pick<FoundTable, 'form' | 'separator'> {
  /** Cells of the lines that name the columns. */
  readonly header: readonly (readonly string[])[]
  /** The line above it. */
  readonly title: string | undefined
  /** By column: its key. */
  readonly keys: readonly number[]
}

export interface PlacedTables {
  /** By array. */
  readonly placed: ReadonlyMap<number, PlacedTable>
  /** By container of other lines: the head above them. */
  readonly titles: ReadonlyMap<number, string>
}

type TextOf = (node: number) => string

const CUT = '…'
/** Before a note below a row. */
const NOTE = '    '

/** Chosen cells below their table's header, as often as rows with fewer columns ask for, each table below its title; other lines as they are, below their heads. */
export function printTables(
  document: JsonDocument,
  { placed: tables, titles }: PlacedTables,
  chosen: readonly number[],
  textOf: TextOf,
): string {
  const out: string[] = []
  let above: string | undefined
  /** What has no title isn't of the one above. */
  const goBelow = (title: string | undefined): void => {
    if (title === above) return
    if (title !== undefined) out.push(title)
    else if (out.at(-1) !== '') out.push('')
    above = title
  }
  for (let from = 0, to = 0; from < chosen.length; from = to) {
    const leaf = chosen[from] ?? 0
    const parent = parentOf(document, leaf)
    const array = parentOf(document, parent)
    const placed = tables.get(array)
    to = from + 1
    if (placed === undefined) {
      goBelow(titles.get(parent))
      out.push(textOf(leaf))
      continue
    }
    while (to < chosen.length && (chosen[to] ?? 0) < endOf(document, array)) to++
    goBelow(placed.title)
    printTable(document, placed, chosen.slice(from, to), textOf, out)
  }
  return out.join('\n')
}

/** What is chosen of a record. */
interface Chosen {
  readonly node: number
  /** By column: how many cells; wrapped ones have several. */
  readonly cells: Map<number, number>
  /** By column: the last one. */
  readonly last: Map<number, number>
}

interface Row {
  readonly record: Chosen
  /** Whether it goes on with the row above. */
  readonly isBelow: boolean
  /** By column: the chosen leaf. */
  readonly leaves: Map<number, number>
  /** Lines below it. */
  readonly notes: number[]
}

function printTable(
  document: JsonDocument,
  placed: PlacedTable,
  chosen: readonly number[],
  textOf: TextOf,
  out: string[],
): void {
  const { form, separator: sign, header: names, title, keys } = placed
  const columnOf = new Map(keys.map((key, column) => [key, column]))
  const rows = rowsOf(document, chosen, columnOf)
  const write = (leaf: number): string => cellOf(document, form, leaf, textOf)
  const nameOf = (column: number): string => shownNameOf(document, keys[column] ?? -1)
  const given = (row: Row): Map<number, number> => columnsOf(document, row.record.node, columnOf)
  const named = (row: Row): string => {
    const values = [...row.leaves].map(
      ([column, leaf]) => (nameOf(column) === '' ? '' : `${nameOf(column)}: `) + write(leaf),
    )
    if (row.leaves.size < given(row).size && !row.isBelow) values.push(CUT)
    return values.join('; ')
  }
  const addNotes = (row: Row): void => {
    for (const note of row.notes) out.push(NOTE + textOf(note))
  }
  /** The first cell that the last printed row has or belongs to. */
  let opened: number | undefined
  const addOpener = ({ record: { node }, leaves }: Row): void => {
    const opener =
      form === 'aligned' && names.length > 0 ? openerOf(document, node, keys[0] ?? -1) : undefined
    if (opener !== undefined && opener !== opened) out.push(`${sourceOf(document, opener)} ${CUT}`)
    opened = opener ?? leaves.get(0)
  }
  const records = recordsOf(rows)
  const filled = records.map((record): Filled => {
    const chosen = [...new Set(record.flatMap(({ leaves }) => [...leaves.keys()]))]
    const { node } = record[0]?.record ?? { node: -1 }
    const given = columnsOf(document, node, columnOf)
    return { chosen: chosen.sort((one, other) => one - other), given: new Set(given.keys()) }
  })
  const costs = costsOf(placed)
  for (const [at, part] of partRows(filled, costs).entries()) {
    const { columns } = part
    opened = undefined
    const ofPart = records.slice(part.from, part.to)
    if (part.isNamed) {
      for (const row of ofPart.flat()) {
        addOpener(row)
        out.push(named(row))
        addNotes(row)
      }
      continue
    }
    if (at > 0) out.push(title ?? '')
    const lines = ofPart.flatMap((record, place) => {
      const own = filled[part.from + place]
      const isNamed = own !== undefined && isNamedAmong(columns, own, costs)
      return record.map((row) => {
        if (isNamed && !row.isBelow) return { row, cells: [named(row)], gaps: [] }
        const { leaves, isBelow } = row
        const all = given(row)
        const cells = columns.map((column) => {
          const leaf = leaves.get(column)
          if (leaf === undefined) return all.has(column) && !isBelow ? CUT : ''
          const isCut =
            row.record.last.get(column) === leaf &&
            (row.record.cells.get(column) ?? 0) < (all.get(column) ?? 0)
          return isCut ? `${write(leaf)} ${CUT}` : write(leaf)
        })
        return { row, cells, gaps: columns.map((column) => gapAfter(document, leaves.get(column))) }
      })
    })
    const header = names.map((line) => columns.map((column) => line[column] ?? ''))
    if (columns.length < keys.length) (header[0] ?? (header[0] = [])).push(CUT)
    const isAligned = form === 'aligned'
    const written = [...header, ...lines.map((line) => line.cells)]
    const isHoled = isAligned && written.some((row) => row.includes(''))
    const separator = partingOf(isHoled ? BARRED : sign, written)
    for (const line of header) out.push(line.join(separator))
    for (const { row, cells, gaps } of lines) {
      // Not all that is read as a table is one: a blank between words stays one.
      addOpener(row)
      const between = (place: number): string =>
        isAligned && !isHoled && gaps[place] === ' ' ? ' ' : separator
      out.push(cells.map((cell, place) => (place < cells.length - 1 ? cell + between(place) : cell)).join(''))
      addNotes(row)
    }
  }
}

/** Each row with those that go on with it. */
function recordsOf(rows: readonly Row[]): Row[][] {
  const records: Row[][] = []
  for (const row of rows)
    if (row.isBelow) records.at(-1)?.push(row)
    else records.push([row])
  return records
}

function costsOf({ form, separator, header: names, title = '', keys }: PlacedTable): PrintCosts {
  const costOf = (text: string): number => estimateHundredths(text, 0, text.length)
  const cut = costOf(CUT + separator)
  const isNamed = names.length > 0
  const nameOf = (column: number): number =>
    isNamed ? names.reduce((sum, line) => sum + SIGN + costOf(line[column] ?? ''), 0) : cut
  return {
    names: keys.map((_, column) => nameOf(column)),
    cut,
    gap: costOf(form === 'aligned' ? BARRED : separator),
    part: isNamed ? PART + costOf(title) : undefined,
  }
}
/** Hundredths of a token. */
const SIGN = 100
const PART = 300

/** A bar of another kind where cells have bars that nothing escapes. */
const partingOf = (separator: string, rows: readonly (readonly string[])[]): string =>
  separator === BARRED && rows.some((cells) => cells.some((cell) => UNESCAPED.test(cell))) ? OTHER : separator
const BARRED = ' | '
const OTHER = ' │ '
const UNESCAPED = /(?<!\\)\|/

/** Printed rows. */
function rowsOf(
  document: JsonDocument,
  chosen: readonly number[],
  columnOf: ReadonlyMap<number, number>,
): Row[] {
  const rows: Row[] = []
  let furthest = -1
  for (const leaf of chosen) {
    const node = parentOf(document, leaf)
    const column = columnOf.get(keyOf(document, leaf))
    let row = rows.at(-1)
    const isSame = row?.record.node === node
    if (row === undefined || !isSame || (column !== undefined && column <= furthest)) {
      const record = isSame && row ? row.record : { node, cells: new Map(), last: new Map() }
      rows.push((row = { record, isBelow: isSame, leaves: new Map(), notes: [] }))
      furthest = -1
    }
    if (column === undefined) {
      row.notes.push(leaf)
      continue
    }
    row.leaves.set(column, leaf)
    row.record.cells.set(column, (row.record.cells.get(column) ?? 0) + 1)
    row.record.last.set(column, leaf)
    furthest = column
  }
  return rows
}

/** Rows looked at above one without a first cell. */
const MOST_ABOVE = 100
const WORD = /^[\p{L}\p{N}]/u

/** The first cell of the row above that a row without one belongs to, as printed groups leave it out. */
function openerOf(document: JsonDocument, record: number, key: number): number | undefined {
  const array = parentOf(document, record)
  let above = record
  for (let row = 0; row < MOST_ABOVE && above > array; row++) {
    const first = above + 1
    if (keyOf(document, first) === key && first < endOf(document, above))
      return row > 0 && WORD.test(valueOf(document, first)) ? first : undefined
    above--
    while (above > array && parentOf(document, above) !== array) above = parentOf(document, above)
  }
  return undefined
}

/** What the source has behind a cell, up to two characters. */
function gapAfter(document: JsonDocument, leaf: number | undefined): string {
  if (leaf === undefined) return ''
  const stop = (document.starts[leaf] ?? 0) + sourceOf(document, leaf).length
  return /^[ \t]{0,2}/.exec(document.text.slice(stop, stop + 2))?.[0] ?? ''
}

/** Cells by column. */
function columnsOf(
  document: JsonDocument,
  record: number,
  columnOf: ReadonlyMap<number, number>,
): Map<number, number> {
  const columns = new Map<number, number>()
  for (let leaf = record + 1; leaf < endOf(document, record); leaf++) {
    const column = columnOf.get(keyOf(document, leaf))
    if (column !== undefined) columns.set(column, (columns.get(column) ?? 0) + 1)
  }
  return columns
}

/** With the quotes of the source, unless it is cut. */
function cellOf(document: JsonDocument, form: FoundTable['form'], leaf: number, textOf: TextOf): string {
  const shown = textOf(leaf)
  if (form === 'aligned' || shown !== valueOf(document, leaf)) return shown
  // With the bars that it escapes.
  if (form === 'drawn')
    return document.values?.has(leaf) === true && shown.includes('|') ? sourceOf(document, leaf) : shown
  const start = document.starts[leaf] ?? 0
  return document.text[start - 1] === '"' ? `"${sourceOf(document, leaf)}"` : sourceOf(document, leaf)
}
