import type { Migration } from './migrate.ts'

/** `calls`: one row per tool call. `fetches`: later reads of a result. Unix milliseconds, o200k_base tokens. */
export const ledger: Migration = {
  version: 2,
  name: 'ledger',
  sql: `
    CREATE TABLE calls (
      id TEXT PRIMARY KEY,
      at INTEGER NOT NULL,
      client TEXT NOT NULL,
      session TEXT NOT NULL,
      server TEXT NOT NULL,
      tool TEXT NOT NULL,
      outcome TEXT NOT NULL CHECK (outcome IN ('ok', 'error', 'refused', 'cancelled')),
      tokens_before INTEGER NOT NULL DEFAULT 0,
      tokens_after INTEGER NOT NULL DEFAULT 0,
      tokens_added INTEGER NOT NULL DEFAULT 0,
      strategy TEXT,
      result_id TEXT,
      ms REAL NOT NULL DEFAULT 0,
      cached INTEGER NOT NULL DEFAULT 0,
      note TEXT
    ) STRICT;
    CREATE INDEX calls_by_time ON calls (at);
    CREATE INDEX calls_by_tool ON calls (server, tool, at);
    CREATE INDEX calls_by_result ON calls (result_id) WHERE result_id IS NOT NULL;

    CREATE TABLE fetches (
      at INTEGER NOT NULL,
      client TEXT NOT NULL,
      result_id TEXT NOT NULL,
      tool TEXT NOT NULL,
      tokens INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX fetches_by_time ON fetches (at);
    CREATE INDEX fetches_by_result ON fetches (result_id);
  `,
}
