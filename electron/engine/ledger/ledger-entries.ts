import { sql, type Kysely } from 'kysely'
import type { KnownTurns, Savings, TimeRange } from '../../../shared/api/savings.ts'
import type { DatabaseTables } from '../ground/database/database-tables.ts'
import { COUNTED, sumsIn, totalsOfSums } from './call-sums.ts'
import { laterTurns, modelOf, projectOf, spansOfTurns } from './later-turns.ts'
import { readFetches } from './read-fetches.ts'
import { noSavings, withNet } from './savings.ts'
import { SCREENS_CLIENT } from '../../../shared/screens-client.ts'

export interface LedgerEntry extends Savings {
  readonly server: string
  readonly tool: string
  readonly client: string
  readonly strategy: string
  /** As hooks or transcripts say; empty: not known. */
  readonly model: string
  /** The folder of the client; empty: not known. */
  readonly project: string
  /** Net tokens times the later turns that would have sent them again. */
  readonly later: number
  /** Of `added`: what the client's model wrote itself. */
  readonly written: number
}

export const LIST_ROW = '(tool list)'
/** Server of Sluice's own tools. */
export const OWN_SERVER = 'sluice'

type Database = Kysely<DatabaseTables>

export async function readEntries(
  database: Database,
  range: TimeRange,
): Promise<{ entries: LedgerEntry[]; known: KnownTurns }> {
  const entries = [
    ...(await callEntries(database, range)),
    ...(await fetchEntries(database, range)),
    ...(await additionEntries(database, range)),
  ]
  return { entries, known: await knownTurns(database, range) }
}

/** Calls of sessions with known turns are read turn by turn, because later turns depend on the time; others as sums. */
async function callEntries(database: Database, range: TimeRange): Promise<LedgerEntry[]> {
  const inTurns = await entriesInTurns(database, range)
  const rest = await database
    .selectFrom(sumsIn(range).as('sums'))
    .select(['server', 'tool', 'client', 'strategy', 'project', ...totalsOfSums])
    .where('client', '!=', SCREENS_CLIENT)
    .groupBy(['server', 'tool', 'client', 'strategy', 'project'])
    .execute()
  const nameOf = (row: (typeof rest)[number]): string =>
    JSON.stringify([row.server, row.tool, row.client, row.strategy, row.project])
  const named = new Map(rest.map((row) => [nameOf(row), row]))
  for (const entry of inTurns) {
    const row = named.get(nameOf(entry))
    if (row) for (const name of COUNTED) row[name] -= entry[name]
  }
  const others = rest
    .filter(({ calls }) => calls > 0)
    .map((row) => withNet({ ...noSavings(), ...row, model: '', later: 0, written: row.added }))
  return [...inTurns, ...others]
}

async function entriesInTurns(database: Database, range: TimeRange): Promise<LedgerEntry[]> {
  // CROSS JOIN fixes the order of loops: each span's calls are neighbours in calls_by_session.
  const { rows } = await sql<Omit<LedgerEntry, 'fetched' | 'net'>>`
    WITH spans AS (${spansOfTurns(range)})
    SELECT server, tool, calls.client, coalesce(strategy, 'none') AS strategy, model, project,
      count(*) AS calls, sum(outcome = 'error') AS errors, sum(outcome = 'refused') AS refused,
      sum(outcome = 'cancelled') AS cancelled, sum(cached) AS cached, sum(tokens_before) AS before,
      sum(tokens_after) AS after, sum(tokens_added) AS added, sum(tokens_added) AS written,
      sum((tokens_before - tokens_after - tokens_added) * later) AS later
    FROM spans CROSS JOIN calls
      ON calls.session = spans.session AND calls.at >= spans.start AND calls.at < spans.next
    WHERE calls.client <> ${SCREENS_CLIENT} -- Trials on the screens save no model anything.
    GROUP BY server, tool, calls.client, strategy, model, project`.execute(database)
  return rows.map((row) => withNet({ ...noSavings(), ...row }))
}

async function fetchEntries(database: Database, range: TimeRange): Promise<LedgerEntry[]> {
  const rows = await readFetches(database, range)
  return rows.map(({ slot: _slot, later, ...row }) =>
    withNet({ ...noSavings(), ...row, later: -later, written: 0 }),
  )
}

async function additionEntries(database: Database, { from, to }: TimeRange): Promise<LedgerEntry[]> {
  const session = sql.ref('additions.session')
  const later = laterTurns({ session, at: sql.ref('additions.at'), to, staysAlways: true })
  const rows = await database
    .selectFrom('additions')
    .select(['server', 'client', (e) => e.fn.sum<number>('tokens').as('added')])
    .select([
      modelOf(session).as('model'),
      projectOf(session).as('project'),
      sql<number>`sum(tokens * ${later})`.as('later'),
    ])
    .where('at', '>=', from)
    .where('at', '<', to)
    .groupBy(['server', 'client', sql`model`, sql`project`])
    .execute()
  return rows.map((row) =>
    withNet({
      ...noSavings(),
      server: row.server === '' ? OWN_SERVER : row.server,
      tool: LIST_ROW,
      client: row.client,
      strategy: LIST_ROW,
      model: row.model ?? '',
      project: row.project ?? '',
      added: row.added,
      later: -row.later,
      written: 0,
    }),
  )
}

async function knownTurns(database: Database, { from, to }: TimeRange): Promise<KnownTurns> {
  // From one session to the next in calls_by_session: a million calls have few.
  const { rows } = await sql<KnownTurns>`
    WITH RECURSIVE names(session) AS (
      SELECT min(session) FROM calls UNION ALL
      SELECT (SELECT min(session) FROM calls WHERE session > names.session) FROM names WHERE session IS NOT NULL
    ), used AS (
      SELECT session FROM names WHERE EXISTS (SELECT 1 FROM calls
        WHERE calls.session = names.session AND at >= ${from} AND at < ${to} AND client <> ${SCREENS_CLIENT})
    )
    SELECT
      (SELECT count(*) FROM turns WHERE at >= ${from} AND at < ${to}) AS turns,
      count(*) AS sessions,
      coalesce(sum(EXISTS (SELECT 1 FROM turns WHERE turns.session = used.session AND turns.at < ${to})), 0) AS sessionsWithTurns
    FROM used`.execute(database)
  return rows[0] ?? { turns: 0, sessions: 0, sessionsWithTurns: 0 }
}
