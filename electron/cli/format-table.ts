export interface Column<Row> {
  readonly title: string
  readonly value: (row: Row) => string | number
  /** Aligns numbers right. */
  readonly right?: boolean
  /** What other commands take, such as an id: never cut. */
  readonly isWhole?: boolean
}

const GAP = 2
/** Shorter names say nothing. */
const NARROWEST = 8

/** Columns of a terminal; Infinity: a file or a pipe, where nothing is cut. */
export const widthOf = (stream: object): number =>
  'isTTY' in stream && stream.isTTY === true && 'columns' in stream
    ? Number(stream.columns) || Infinity
    : Infinity

/** Numbers get thousands separators. Where `width` is too small, the widest texts are cut. */
export function formatTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width = Infinity,
): string {
  const cells = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ value }) => formatCell(value(row)))),
  ]
  const widths = fitting(
    columns.map((_, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0))),
    columns.map(({ right, isWhole }) => right === true || isWhole === true),
    width,
  )
  return cells
    .map((line) =>
      line
        .map((cell, index) => {
          const width = widths[index] ?? 0
          const shown = cell.length > width ? `${cell.slice(0, width - 1)}…` : cell
          return columns[index]?.right ? shown.padStart(width) : shown.padEnd(width)
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function fitting(widths: readonly number[], isWhole: readonly boolean[], most: number): readonly number[] {
  const fitted = [...widths]
  let over = fitted.reduce((sum, width) => sum + width + GAP, -GAP) - most
  while (over > 0) {
    const texts = fitted.map((width, index) => (isWhole[index] ? 0 : width))
    const widest = Math.max(...texts)
    if (widest <= NARROWEST) break
    fitted[texts.indexOf(widest)] = widest - 1
    over--
  }
  return fitted
}

export const formatNumber = (value: number): string => value.toLocaleString('en-US')

const formatCell = (value: string | number): string =>
  // Names come from servers.
  typeof value === 'number' ? formatNumber(value) : value.replaceAll(/[\p{Cc}\p{Cf}]/gu, '?')
