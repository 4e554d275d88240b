export interface Column<Row> {
  readonly title: string
  readonly value: (row: Row) => string | number
  /** Aligns numbers right. */
  readonly right?: boolean
}

/** Numbers get thousands separators. */
export function formatTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const cells = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ value }) => formatCell(value(row)))),
  ]
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)))
  return cells
    .map((line) =>
      line
        .map((cell, index) => {
          const width = widths[index] ?? 0
          return columns[index]?.right ? cell.padStart(width) : cell.padEnd(width)
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export const formatNumber = (value: number): string => value.toLocaleString('en-US')

const formatCell = (value: string | number): string =>
  // Names come from servers.
  typeof value === 'number' ? formatNumber(value) : value.replaceAll(/[\p{Cc}\p{Cf}]/gu, '?')
