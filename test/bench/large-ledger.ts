import { join } from 'node:path'
import { openDatabase } from '../../electron/engine/ground/database/database.ts'
import { silentLogger } from '../../electron/engine/ground/logger.ts'
import { migrations } from '../../electron/engine/ground/database/migrations/migrations.ts'

const MONTH_MS = 30 * 86_400_000

/** The migration before those that bound start-up work, so that the first start of a new version is measured too. */
const BEFORE_BOUNDS = 5

/** A sluice.db of a month of very busy clients: `calls` rows, and so many kept results without files. */
export function writeLargeLedger(
  dataDir: string,
  { calls, results }: { calls: number; results: number },
): void {
  const now = Date.now()
  const database = openDatabase({
    path: join(dataDir, 'sluice.db'),
    logger: silentLogger,
    now: Date.now,
    migrations: migrations.slice(0, BEFORE_BOUNDS),
  })
  // Random ids fill pages everywhere.
  database.prepare('PRAGMA cache_size = -400000').run()
  const every = Math.round(calls / results)
  database.transaction(() => {
    database
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ? - 1)
         INSERT INTO calls (id, at, client, session, server, tool, outcome, tokens_before, tokens_after, tokens_added, strategy, result_id, ms)
         SELECT 'c_' || hex(randomblob(9)), ? + i * ? / ?, 'client-' || (i % 5), 'session-' || (i / 500), 'server-' || (i % 12),
           'tool-' || (i % 40), iif(i % 50 = 0, 'error', 'ok'), iif(i % ? = 0, 5000 + i % 9000, 200), iif(i % ? = 0, 950, 200), 4,
           iif(i % ? = 0, 'json', NULL), iif(i % ? = 0, printf('r_%06x', i / ?), NULL), i % 300
         FROM n`,
      )
      .run(calls, now - MONTH_MS, MONTH_MS, calls, every, every, every, every, every)
    database
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ? - 1)
         INSERT INTO results (id, owner, server, tool, created, expires, sha256, size, stored_size)
         SELECT printf('r_%06x', i), 'client-' || (i % 5), 'server-' || (i % 12), 'tool-' || (i % 40), ? - (? - i) * 800,
           ? + 86400000, lower(hex(randomblob(32))), 30000, 4000 FROM n`,
      )
      .run(results, now, results, now)
  })
  database.close()
}

/** A turn of its model after every fourth call of each session, once all migrations have run. */
export function writeTurns(dataDir: string): void {
  const database = openDatabase({
    path: join(dataDir, 'sluice.db'),
    logger: silentLogger,
    now: Date.now,
    migrations,
  })
  database
    .prepare(
      `INSERT INTO turns (session, at, client, model, number, context)
       SELECT session, at + 1, client, 'claude-sonnet-4-5', row_number() OVER (PARTITION BY session ORDER BY at), 0
       FROM calls WHERE rowid % 4 = 0`,
    )
    .run()
  database.close()
}
