import type { Migration } from './migrate.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

/**
 * `call_sums`: calls by hour and by UTC day (`span`, its milliseconds), so that reports of a million calls read some
 * thousand rows. The ledger keeps them. Indexes for what looks at few of all calls: shortened and noted ones.
 */
export const callSums: Migration = {
  version: 8,
  name: 'call sums',
  sql: `
    CREATE TABLE call_sums (
      span INTEGER NOT NULL,
      at INTEGER NOT NULL,
      server TEXT NOT NULL,
      tool TEXT NOT NULL,
      client TEXT NOT NULL,
      strategy TEXT NOT NULL,
      project TEXT NOT NULL,
      calls INTEGER NOT NULL,
      errors INTEGER NOT NULL,
      refused INTEGER NOT NULL,
      cancelled INTEGER NOT NULL,
      cached INTEGER NOT NULL,
      before INTEGER NOT NULL,
      after INTEGER NOT NULL,
      added INTEGER NOT NULL,
      PRIMARY KEY (span, at, server, tool, client, strategy, project)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO call_sums
      SELECT ${HOUR_MS}, calls.at / ${HOUR_MS} * ${HOUR_MS} AS hour, server, tool, calls.client,
        coalesce(strategy, 'none') AS how, coalesce(sessions.project, '') AS folder,
        count(*), sum(outcome = 'error'), sum(outcome = 'refused'), sum(outcome = 'cancelled'), sum(cached <> 0),
        sum(tokens_before), sum(tokens_after), sum(tokens_added)
      FROM calls LEFT JOIN sessions ON sessions.session = calls.session
      GROUP BY hour, server, tool, calls.client, how, folder;
    INSERT INTO call_sums
      SELECT ${DAY_MS}, at / ${DAY_MS} * ${DAY_MS} AS day, server, tool, client, strategy, project,
        sum(calls), sum(errors), sum(refused), sum(cancelled), sum(cached), sum(before), sum(after), sum(added)
      FROM call_sums WHERE span = ${HOUR_MS} GROUP BY day, server, tool, client, strategy, project;

    CREATE INDEX calls_shortened ON calls (at, server, tool, result_id, tokens_before, tokens_after, client, note)
      WHERE result_id IS NOT NULL;
    CREATE INDEX calls_noted ON calls (at) WHERE note IS NOT NULL;
  `,
}
