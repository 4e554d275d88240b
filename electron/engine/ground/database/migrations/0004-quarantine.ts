import type { Migration } from './migrate.ts'

/** Whole and compressed, until reviewed. */
export const quarantine: Migration = {
  version: 4,
  name: 'quarantine',
  sql: `
    CREATE TABLE quarantine (
      id TEXT PRIMARY KEY,
      at INTEGER NOT NULL,
      owner TEXT NOT NULL,
      server TEXT NOT NULL,
      tool TEXT NOT NULL,
      arguments TEXT,
      findings TEXT NOT NULL,
      result BLOB NOT NULL,
      size INTEGER NOT NULL,
      released_at INTEGER,
      taken_at INTEGER
    ) STRICT;
    CREATE INDEX quarantine_by_time ON quarantine (at);
  `,
}
