import type { CliContext } from './cli-context.ts'
import { formatTable, widthOf, type Column } from './format-table.ts'

interface ListForm<Row> {
  /** JSON array instead of a table. */
  readonly json: boolean
  /** Without rows. */
  readonly none: string
  readonly columns: readonly Column<Row>[]
}

export function printList<Row>(
  { stdout }: Pick<CliContext, 'stdout'>,
  rows: readonly Row[],
  { json, none, columns }: ListForm<Row>,
): void {
  const text = rows.length === 0 ? none : formatTable(rows, columns, widthOf(stdout))
  stdout.write(`${json ? JSON.stringify(rows, null, 2) : text}\n`)
}
