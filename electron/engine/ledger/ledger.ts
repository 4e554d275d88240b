import type { Database } from '../database.ts'
import type { Events } from '../events.ts'
import { readReport, readTimeline } from './ledger-report.ts'
import type { LedgerReport, TimeRange, TimelinePoint, TimelineUnit } from './ledger-report.ts'

export type CallOutcome = 'ok' | 'error' | 'refused' | 'cancelled'

/** One tool call. Tokens are o200k_base, times Unix milliseconds. */
export interface CallRow {
  readonly id: string
  readonly at: number
  readonly client: string
  readonly session: string
  readonly server: string
  readonly tool: string
  readonly outcome: CallOutcome
  /** What the server's result would have cost, and what the client got, header included. */
  readonly tokensBefore: number
  readonly tokensAfter: number
  /** What Sluice cost in this call besides its result: the model's words in Sluice's own parameters. */
  readonly tokensAdded: number
  readonly strategy: string | undefined
  readonly resultId: string | undefined
  readonly ms: number
  readonly cached: boolean
  /** Why it was refused or failed, or why a large result passed as it was. */
  readonly note: string | undefined
}

/** Tokens of a stored result that a client read back later. */
export interface FetchRow {
  readonly at: number
  readonly client: string
  readonly resultId: string
  /** The exploration tool. */
  readonly tool: string
  readonly tokens: number
}

/** Tokens that Sluice put into a list: its own tools, its own parameters in other tools, less what it hid. */
export interface AdditionRow {
  readonly at: number
  readonly client: string
  readonly session: string
  /** Undefined for Sluice's own tools. */
  readonly server: string | undefined
  readonly what: string
  readonly tokens: number
}

/** Owns the tables `calls`, `fetches` and `additions`. */
export interface Ledger {
  /** Synchronous, some tens of microseconds. Throws when the database does: the caller lets the call pass. */
  recordCall(row: CallRow): void
  recordFetch(row: FetchRow): void
  recordAddition(row: AdditionRow): void
  report(range: TimeRange): Promise<LedgerReport>
  /** Sums per hour, day or month of `timeZone` (an IANA name), oldest first, without empty ones. */
  timeline(range: TimeRange, unit: TimelineUnit, timeZone: string): Promise<TimelinePoint[]>
  /** The youngest calls first. */
  recentCalls(limit: number): Promise<CallRow[]>
  /** Forgets what happened before `time`; returns the number of calls. */
  forgetBefore(time: number): number
}

export function createLedger({ database, events }: { database: Database; events?: Events }): Ledger {
  const insertCall = () =>
    database.prepare(
      'INSERT INTO calls (id, at, client, session, server, tool, outcome, tokens_before, tokens_after, tokens_added, strategy, result_id, ms, cached, note) ' +
        'VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    )
  return {
    recordCall: (row) => {
      insertCall().run(
        row.id,
        row.at,
        row.client,
        row.session,
        row.server,
        row.tool,
        row.outcome,
        row.tokensBefore,
        row.tokensAfter,
        row.tokensAdded,
        row.strategy ?? null,
        row.resultId ?? null,
        row.ms,
        row.cached ? 1 : 0,
        row.note ?? null,
      )
      events?.emit('call-recorded', row)
    },
    recordFetch: (row) => {
      database
        .prepare('INSERT INTO fetches (at, client, result_id, tool, tokens) VALUES (?, ?, ?, ?, ?)')
        .run(row.at, row.client, row.resultId, row.tool, row.tokens)
      events?.emit('fetch-recorded', row)
    },
    recordAddition: ({ at, client, session, server, what, tokens }) => {
      database
        .prepare(
          'INSERT INTO additions (at, client, session, server, what, tokens) VALUES (?, ?, ?, ?, ?, ?)',
        )
        .run(at, client, session, server ?? '', what, tokens)
    },
    report: (range) => readReport(database.kysely, range),
    timeline: (range, unit, timeZone) => readTimeline(database.kysely, range, unit, timeZone),
    recentCalls: async (limit) => {
      const rows = await database.kysely
        .selectFrom('calls')
        .selectAll()
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map((row) => ({
        id: row.id,
        at: row.at,
        client: row.client,
        session: row.session,
        server: row.server,
        tool: row.tool,
        outcome: row.outcome,
        tokensBefore: row.tokens_before,
        tokensAfter: row.tokens_after,
        tokensAdded: row.tokens_added,
        strategy: row.strategy ?? undefined,
        resultId: row.result_id ?? undefined,
        ms: row.ms,
        cached: row.cached !== 0,
        note: row.note ?? undefined,
      }))
    },
    forgetBefore: (time) =>
      database.transaction(() => {
        for (const table of ['fetches', 'additions']) {
          database.prepare(`DELETE FROM ${table} WHERE at < ?`).run(time)
        }
        return Number(database.prepare('DELETE FROM calls WHERE at < ?').run(time).changes)
      }),
  }
}
