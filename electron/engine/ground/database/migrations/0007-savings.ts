import type { Migration } from './migrate.ts'

/**
 * `sessions`: the folder of a session's client. `turns`: requests of its model, in order; `context` counts the times
 * that earlier results left it. `trial`: of a hold-out, `held` or `shortened`.
 */
export const savings: Migration = {
  version: 7,
  name: 'savings',
  sql: `
    CREATE TABLE sessions (
      session TEXT PRIMARY KEY,
      at INTEGER NOT NULL,
      client TEXT NOT NULL,
      project TEXT NOT NULL
    ) STRICT;
    CREATE INDEX sessions_by_time ON sessions (at);

    CREATE TABLE turns (
      session TEXT NOT NULL,
      at INTEGER NOT NULL,
      client TEXT NOT NULL,
      model TEXT,
      number INTEGER NOT NULL,
      context INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX turns_by_time ON turns (at);
    CREATE INDEX turns_by_session ON turns (session, at, number, context, model);
    CREATE INDEX turns_by_context ON turns (session, context, at, number);

    ALTER TABLE calls ADD COLUMN trial TEXT CHECK (trial IN ('held', 'shortened'));
    CREATE INDEX calls_by_session ON calls (session, at);
    CREATE INDEX calls_in_trial ON calls (at) WHERE trial IS NOT NULL;

    CREATE TABLE budget_notices (
      budget TEXT NOT NULL,
      period TEXT NOT NULL,
      step REAL NOT NULL,
      PRIMARY KEY (budget, period, step)
    ) STRICT, WITHOUT ROWID;
  `,
}
