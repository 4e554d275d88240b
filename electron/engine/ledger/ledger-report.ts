import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { DatabaseTables } from '../ground/database/database-tables.ts'
import { readFetches } from './read-fetches.ts'
import { SCREENS_CLIENT } from './screens-client.ts'

/** Unix milliseconds, `from` inclusive, `to` exclusive. */
export interface TimeRange {
  readonly from: number
  readonly to: number
}

/** Tokens are o200k_base. */
export interface Savings {
  calls: number
  errors: number
  refused: number
  cancelled: number
  cached: number
  /** Servers' results … */
  before: number
  /** … what clients got instead … */
  after: number
  /** … Sluice's own tools and parameters, with the model's words in them … */
  added: number
  /** … and later fetches of stored results. */
  fetched: number
  /** before − after − added − fetched; negative if Sluice cost more than it saved. */
  net: number
}

export interface LedgerReport {
  readonly range: TimeRange
  readonly totals: Savings
  readonly byServer: readonly (Savings & { server: string })[]
  readonly byTool: readonly (Savings & { server: string; tool: string })[]
  readonly byClient: readonly (Savings & { client: string })[]
  readonly byStrategy: readonly (Savings & { strategy: string })[]
}

export const LIST_ROW = '(tool list)'
/** Server of Sluice's own tools. */
export const OWN_SERVER = 'sluice'

type Database = Kysely<DatabaseTables>
type Entry = { server: string; tool: string; client: string; strategy: string } & Savings

export async function readReport(database: Database, range: TimeRange): Promise<LedgerReport> {
  const entries = [
    ...(await callEntries(database, range)),
    ...(await fetchEntries(database, range)),
    ...(await additionEntries(database, range)),
  ]
  return {
    range,
    totals: entries.reduce(addSavings, noSavings()),
    byServer: fold(entries, ({ server }) => ({ server })),
    byTool: fold(entries, ({ server, tool }) => ({ server, tool })),
    byClient: fold(entries, ({ client }) => ({ client })),
    byStrategy: fold(entries, ({ strategy }) => ({ strategy })),
  }
}

/** For every query over `calls`. */
export const callSums = [
  sql<number>`count(*)`.as('calls'),
  sql<number>`sum(case when outcome = 'error' then 1 else 0 end)`.as('errors'),
  sql<number>`sum(case when outcome = 'refused' then 1 else 0 end)`.as('refused'),
  sql<number>`sum(case when outcome = 'cancelled' then 1 else 0 end)`.as('cancelled'),
  sql<number>`sum(cached)`.as('cached'),
  sql<number>`sum(tokens_before)`.as('before'),
  sql<number>`sum(tokens_after)`.as('after'),
  sql<number>`sum(tokens_added)`.as('added'),
] as const

async function callEntries(database: Database, { from, to }: TimeRange): Promise<Entry[]> {
  const rows = await database
    .selectFrom('calls')
    .select(['server', 'tool', 'client', 'strategy', ...callSums])
    .where('at', '>=', from)
    .where('at', '<', to)
    // Trials on the screens save no model anything.
    .where('client', '!=', SCREENS_CLIENT)
    .groupBy(['server', 'tool', 'client', 'strategy'])
    .execute()
  return rows.map((row) => ({ ...noSavings(), ...row, strategy: row.strategy ?? 'none' })).map(withNet)
}

async function fetchEntries(database: Database, range: TimeRange): Promise<Entry[]> {
  const rows = await readFetches(database, range)
  return rows.map(({ slot: _slot, ...row }) => withNet({ ...noSavings(), ...row }))
}

async function additionEntries(database: Database, { from, to }: TimeRange): Promise<Entry[]> {
  const rows = await database
    .selectFrom('additions')
    .select(['server', 'client', (e) => e.fn.sum<number>('tokens').as('added')])
    .where('at', '>=', from)
    .where('at', '<', to)
    .groupBy(['server', 'client'])
    .execute()
  return rows
    .map((row) => ({
      ...noSavings(),
      server: row.server === '' ? OWN_SERVER : row.server,
      tool: LIST_ROW,
      client: row.client,
      strategy: LIST_ROW,
      added: row.added,
    }))
    .map(withNet)
}

export const noSavings = (): Savings => ({
  calls: 0,
  errors: 0,
  refused: 0,
  cancelled: 0,
  cached: 0,
  before: 0,
  after: 0,
  added: 0,
  fetched: 0,
  net: 0,
})

export const withNet = <T extends Savings>(savings: T): T => ({
  ...savings,
  net: savings.before - savings.after - savings.added - savings.fetched,
})

export const addSavings = (a: Savings, b: Savings): Savings => ({
  calls: a.calls + b.calls,
  errors: a.errors + b.errors,
  refused: a.refused + b.refused,
  cancelled: a.cancelled + b.cancelled,
  cached: a.cached + b.cached,
  before: a.before + b.before,
  after: a.after + b.after,
  added: a.added + b.added,
  fetched: a.fetched + b.fetched,
  net: a.net + b.net,
})

/** By key, greatest saving first. */
function fold<Key extends Record<string, string>>(
  entries: readonly Entry[],
  keyOf: (entry: Entry) => Key,
): (Savings & Key)[] {
  const rows = new Map<string, Savings & Key>()
  for (const entry of entries) {
    const key = keyOf(entry)
    const name = JSON.stringify(key)
    rows.set(name, { ...key, ...addSavings(rows.get(name) ?? noSavings(), entry) })
  }
  return [...rows.entries()]
    .sort(([nameA, a], [nameB, b]) => b.net - a.net || (nameA < nameB ? -1 : 1))
    .map(([, row]) => row)
}
