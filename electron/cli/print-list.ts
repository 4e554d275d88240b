import type { CliContext } from './cli-context.ts'
import { formatTable, type Column } from './format-table.ts'

interface ListForm<Row> {
  /** A JSON array instead of a table. */
  readonly json: boolean
  /** What is said where there are no rows. */
  readonly none: string
  readonly columns: readonly Column<Row>[]
}

/** What every `list` prints: a table for people, an array for programs. */
export function printList<Row>(
  { stdout }: Pick<CliContext, 'stdout'>,
  rows: readonly Row[],
  { json, none, columns }: ListForm<Row>,
): void {
  const text = rows.length === 0 ? none : formatTable(rows, columns)
  stdout.write(`${json ? JSON.stringify(rows, null, 2) : text}\n`)
}
