export interface TextTable {
  readonly head: readonly string[]
  /** With the 1-based line of each. */
  readonly rows: readonly { readonly line: number; readonly cells: readonly string[] }[]
}

export interface TableCell {
  readonly row: TextTable['rows'][number]
  readonly column: number
}

/** Cells that have the text, by rows; ignores case. */
export function findCells({ rows }: TextTable, wanted: string): TableCell[] {
  const searched = wanted.toLowerCase()
  if (searched === '') return []
  return rows.flatMap((row) =>
    row.cells.flatMap((cell, column) => (cell.toLowerCase().includes(searched) ? [{ row, column }] : [])),
  )
}

const DELIMITERS = [',', '\t', ';', '|'] as const
const LEAST_COLUMNS = 2
/** More would not fit a screen. */
const MOST_COLUMNS = 60
/** Of the rows, that have as many cells as the head. */
const LEAST_ALIKE = 0.9

/** Of delimited text or a Markdown table, one row a line. Undefined for other texts. */
export function textTable(text: string): TextTable | undefined {
  const lines = text.split('\n').map((line, index) => ({ line: index + 1, text: line.replace(/\r$/, '') }))
  const filled = lines.filter((each) => each.text.trim() !== '')
  const [first] = filled
  if (!first) return undefined
  const delimiter = DELIMITERS.map((mark) => ({ mark, count: cellsOf(first.text, mark).length })).toSorted(
    (a, b) => b.count - a.count,
  )[0]
  if (!delimiter || delimiter.count < LEAST_COLUMNS || delimiter.count > MOST_COLUMNS) return undefined
  const all = filled
    .map((each) => ({ line: each.line, cells: cellsOf(each.text, delimiter.mark) }))
    // Under a Markdown table's head.
    .filter(({ cells }) => !cells.every((cell) => /^:?-{2,}:?$/.test(cell)))
  const [head, ...rows] = all
  const alike = rows.filter(({ cells }) => cells.length === head?.cells.length).length
  if (!head || rows.length === 0 || alike < rows.length * LEAST_ALIKE) return undefined
  return { head: head.cells, rows }
}

/** Quoted cells may have delimiters and doubled quotes. */
function cellsOf(line: string, delimiter: string): string[] {
  const inner = delimiter === '|' ? line.trim().replace(/^\||\|$/g, '') : line
  const cells: string[] = []
  let cell = ''
  let isQuoted = false
  for (let at = 0; at < inner.length; at++) {
    const mark = inner[at] ?? ''
    if (mark === '"' && (isQuoted || cell.trim() === '')) {
      if (isQuoted && inner[at + 1] === '"') {
        cell += '"'
        at++
      } else isQuoted = !isQuoted
    } else if (mark === delimiter && !isQuoted) {
      cells.push(cell.trim())
      cell = ''
    } else cell += mark
  }
  return [...cells, cell.trim()]
}
