import type { Migration } from './migrate.ts'

/** Highest number assigned for `[EMAIL_1]` etc. Values are never stored. */
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
