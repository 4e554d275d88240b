import type { Migration } from './migrate.ts'

/**
 * `results`: per stored original and owner. Rows outlive files for a while (`removed` set), so that a request for an
 * expired result can name the tool to call again. `result_calls`: the call of each result, for a repeat with
 * `_sluice_bypass`.
 */
export const resultIndex: Migration = {
  version: 1,
  name: 'result index',
  sql: `
    CREATE TABLE results (
      id TEXT PRIMARY KEY,
      owner TEXT NOT NULL,
      server TEXT NOT NULL,
      tool TEXT NOT NULL,
      created INTEGER NOT NULL,
      expires INTEGER NOT NULL,
      removed INTEGER,
      sha256 TEXT NOT NULL,
      size INTEGER NOT NULL,
      stored_size INTEGER NOT NULL,
      kind TEXT,
      mime TEXT
    ) STRICT;
    CREATE UNIQUE INDEX results_by_content ON results (owner, sha256);
    CREATE INDEX results_by_file ON results (sha256);
    CREATE INDEX results_by_age ON results (created);

    CREATE TABLE result_calls (
      owner TEXT NOT NULL,
      call_key TEXT NOT NULL,
      result_id TEXT NOT NULL REFERENCES results (id) ON DELETE CASCADE,
      PRIMARY KEY (owner, call_key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX result_calls_by_result ON result_calls (result_id);
  `,
}
