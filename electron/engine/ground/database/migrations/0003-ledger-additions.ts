import type { Migration } from './migrate.ts'

export const ledgerAdditions: Migration = {
  version: 3,
  name: 'ledger additions',
  sql: `
    CREATE TABLE additions (
      at INTEGER NOT NULL,
      client TEXT NOT NULL,
      session TEXT NOT NULL,
      server TEXT NOT NULL,
      what TEXT NOT NULL,
      tokens INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX additions_by_time ON additions (at);
  `,
}
