import type { SQLInputValue } from 'node:sqlite'
import type { Database } from '../ground/database/database.ts'
import type { ResultsTable } from '../ground/database/database-tables.ts'
import { toStored, type StoredResult } from './result-index.ts'

/** Omitted fields don't restrict. */
export interface ResultSearch {
  /** Got the result. */
  readonly owner?: string | undefined
  readonly server?: string | undefined
  readonly tool?: string | undefined
  readonly limit?: number | undefined
}

/** Newest first. `now`: Unix milliseconds. */
export function listResults(
  database: Pick<Database, 'prepare'>,
  { limit, ...wanted }: ResultSearch,
  now: number,
): StoredResult[] {
  const filters = (['owner', 'server', 'tool'] as const).flatMap((column) => {
    const value = wanted[column]
    return value === undefined ? [] : [{ sql: ` AND ${column} = ?`, value }]
  })
  const sql = `SELECT * FROM results WHERE removed IS NULL AND expires > ?${filters.map((filter) => filter.sql).join('')} ORDER BY created DESC, id LIMIT ?`
  const values: SQLInputValue[] = [now, ...filters.map(({ value }) => value), limit ?? -1]
  return database
    .prepare(sql)
    .all(...values)
    .map((row) => toStored(row as unknown as ResultsTable))
}
