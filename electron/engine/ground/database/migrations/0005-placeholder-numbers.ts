import type { Migration } from './migrate.ts'

/** The highest number given out for `[EMAIL_1]` and the like. Values are never stored. */
export const placeholderNumbers: Migration = {
  version: 5,
  name: 'placeholder numbers',
  sql: `
    CREATE TABLE placeholder_numbers (
      name TEXT PRIMARY KEY,
      last INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
}
