import type { TableBlock, TableRow } from '../blocks/block.ts'
import { HEADINGS, type HtmlElement } from '../blocks/html/html-tree.ts'

const MAX_COLUMNS = 200
/** Small tables with more text per row are layout. */
const LAYOUT_ROWS = 3
const LAYOUT_TEXT = 1500

interface Cell {
  readonly text: string
  readonly isHeader: boolean
  readonly columns: number
  readonly rows: number
}

interface Row {
  readonly cells: string[]
  readonly isHeader: boolean
  /** Cells in the source, before expanding spans. */
  readonly written: number
}

/** Undefined for layout tables (nested, one column, few rows of long text). */
export function readHtmlTable(
  table: HtmlElement,
  textOf: (cell: HtmlElement) => string,
): TableBlock | undefined {
  const source: { cells: Cell[] }[] = []
  let caption = ''
  let isFrame = false
  const look = (part: HtmlElement) => {
    for (const child of part.children) {
      if (typeof child === 'string') continue
      if (child.name === 'tr') source.push({ cells: cellsOf(child, textOf) })
      else if (child.name === 'caption') caption = textOf(child)
      else if (child.name === 'thead' || child.name === 'tbody' || child.name === 'tfoot') look(child)
      if (child.name === 'tr' && laysOut(child)) isFrame = true
    }
  }
  look(table)
  const rows = fillSpans(source).filter((row) => row.cells.some((cell) => cell !== ''))
  const width = rows.reduce((widest, row) => Math.max(widest, row.cells.length), 0)
  const isLayout = rows.length <= LAYOUT_ROWS && rows.some((row) => row.cells.join('').length > LAYOUT_TEXT)
  if (isFrame || rows.length < 2 || width < 2 || isLayout) return undefined
  return toBlock(rows, caption)
}

/** Cells with headings, tables or several paragraphs are page parts, not data. */
function laysOut(row: HtmlElement): boolean {
  let paragraphs = 0
  const look = (element: HtmlElement): boolean =>
    element.children.some((child) => {
      if (typeof child === 'string') return false
      if (child.name === 'p') paragraphs++
      return (
        child.name === 'table' || HEADINGS.has(child.name) || paragraphs > MAX_CELL_PARAGRAPHS || look(child)
      )
    })
  return row.children.some((cell) => {
    paragraphs = 0
    return typeof cell !== 'string' && look(cell)
  })
}

const MAX_CELL_PARAGRAPHS = 2

function cellsOf(row: HtmlElement, textOf: (cell: HtmlElement) => string): Cell[] {
  const cells: Cell[] = []
  for (const child of row.children) {
    if (typeof child === 'string' || (child.name !== 'td' && child.name !== 'th')) continue
    cells.push({
      text: textOf(child),
      isHeader: child.name === 'th',
      columns: child.columns,
      rows: child.rows,
    })
  }
  return cells
}

/** Repeats row-spanning cells, so that each row is complete. */
function fillSpans(source: readonly { cells: readonly Cell[] }[]): Row[] {
  const carried: { left: number; text: string }[] = []
  return source.map(({ cells }) => {
    const filled: string[] = []
    let next = 0
    while ((next < cells.length || (carried[filled.length]?.left ?? 0) > 0) && filled.length < MAX_COLUMNS) {
      const above = carried[filled.length]
      if (above !== undefined && above.left > 0) {
        above.left--
        filled.push(above.text)
        continue
      }
      const cell = cells[next++]
      if (cell === undefined) break
      for (let k = 0; k < cell.columns; k++) {
        if (cell.rows > 1) carried[filled.length] = { left: cell.rows - 1, text: k === 0 ? cell.text : '' }
        filled.push(k === 0 ? cell.text : '')
      }
    }
    return {
      cells: filled,
      isHeader: cells.length > 0 && cells.every((cell) => cell.isHeader),
      written: cells.length,
    }
  })
}

function toBlock(rows: readonly Row[], captionText: string): TableBlock {
  let first = 0
  const captions = captionText === '' ? [] : [captionText]
  while (first < rows.length - 1 && rows[first]?.written === 1) captions.push(rows[first++]?.cells[0] ?? '')
  const head = rows[first]
  const second = rows[first + 1]
  const isTwoRowHeader = head?.isHeader === true && second?.isHeader === true && rows.length - first > 2
  const header = isTwoRowHeader ? joinHeaders(head.cells, second.cells) : (head?.cells ?? [])
  const body = rows.slice(first + (isTwoRowHeader ? 2 : 1))
  return {
    type: 'table',
    caption: captions.length > 0 ? captions.join(' ') : undefined,
    header: toRow(header),
    rows: body.map((row) => toRow(row.cells)),
  }
}

/** "Group" over "a", "b" becomes "Group a", "Group b". */
function joinHeaders(groups: readonly string[], names: readonly string[]): string[] {
  let group = ''
  return names.map((name, i) => {
    const above = groups[i] ?? ''
    if (above !== '') group = above
    return above === name || group === name ? name : [group, name].filter((part) => part !== '').join(' ')
  })
}

const toRow = (cells: readonly string[]): TableRow => ({
  text: cells.join(' | ').replace(/(?: \| )+$/, ''),
  cells,
})
