import { setImmediate } from 'node:timers/promises'
import type { TrialReport } from '../../../shared/api/trial.ts'
import type { Database } from '../ground/database/database.ts'
import type { CallsTable } from '../ground/database/database-tables.ts'
import type { Events } from '../ground/events.ts'
import type { CallSearch } from './find-calls.ts'
import type { LedgerReport } from './ledger-report.ts'
import type { TimeRange } from '../../../shared/api/savings.ts'
import { readNeeds, type ToolNeed } from './tool-needs.ts'
import type { Timeline, TimelineOptions } from './timeline.ts'
import type { CallRow } from './call-row.ts'
import { addToSums, forgetSums } from './call-sums.ts'
import { toCallRow } from './to-call-row.ts'

declare module '../ground/events.ts' {
  interface EngineEvents {
    'fetch-recorded': FetchRow
    'addition-recorded': AdditionRow
  }
}

interface FetchRow {
  readonly at: number
  readonly client: string
  readonly resultId: string
  /** Exploration tool. */
  readonly tool: string
  readonly tokens: number
}

interface AdditionRow {
  readonly at: number
  readonly client: string
  readonly session: string
  readonly server: string | undefined
  readonly what: string
  readonly tokens: number
}

/** A request of the client's model, as hooks or transcripts tell it. */
interface TurnRow {
  readonly at: number
  readonly client: string
  /** That of the calls' rows. */
  readonly session: string
  readonly model?: string | undefined
  /** Earlier results left the context before this request. */
  readonly isCompacted?: boolean
}

interface SessionRow {
  readonly at: number
  readonly client: string
  readonly session: string
  /** The client's folder. */
  readonly project: string
}

/** Owner of `calls`, `call_sums`, `fetches`, `additions`, `sessions` and `turns`. */
export interface Ledger {
  /** Synchronous, tens of microseconds. Throws on database errors: the caller lets the call pass. */
  recordCall(row: CallRow): void
  /** In one transaction. */
  recordCalls(rows: readonly CallRow[]): void
  /** What turned out later of a recorded call. */
  correctCall(row: CallRow): void
  recordLeft(rows: readonly CallRow[]): Promise<void>
  recordFetch(row: FetchRow): Promise<void>
  recordAddition(row: AdditionRow): Promise<void>
  recordSession(row: SessionRow): Promise<void>
  /** In order. Saved tokens count again for each turn that still has their result in its context. */
  recordTurns(rows: readonly TurnRow[]): Promise<void>
  readonly report: LedgerReads['report']
  readonly timeline: LedgerReads['timeline']
  readonly needs: LedgerReads['needs']
  readonly trial: LedgerReads['trial']
  /** Newest first. */
  recentCalls(limit: number): Promise<CallRow[]>
  readonly findCalls: LedgerReads['findCalls']
  callOf(id: string): Promise<CallRow | undefined>
  /** Oldest first. */
  fetchesOf(resultId: string): Promise<FetchRow[]>
  /** Returns the number of calls. */
  forgetBefore(time: number): Promise<number>
}

/** Their time grows with the ledger. */
export interface LedgerReads {
  report(range: TimeRange): Promise<LedgerReport>
  timeline(range: TimeRange, options: TimelineOptions): Promise<Timeline>
  /** Tools whose shortened results weren't enough. */
  needs(range: TimeRange): Promise<ToolNeed[]>
  /** Groups of a hold-out. */
  trial(range: TimeRange): Promise<TrialReport>
  /** Newest first. */
  findCalls(search: CallSearch): Promise<CallRow[]>
}

/** Bookings may wait. */
const WHENEVER_FREE = { patienceMs: Infinity }
/** Rows per step: about 10 ms. */
const FORGOTTEN_AT_ONCE = 500

export const ledgerReads = (database: Pick<Database, 'kysely' | 'prepare'>): LedgerReads => ({
  report: async (range) => {
    const { readReport } = await import('./ledger-report.ts')
    return readReport(await database.kysely(), range)
  },
  timeline: async (range, options) => {
    const { readTimeline } = await import('./timeline.ts')
    return readTimeline(await database.kysely(), range, options)
  },
  needs: (range) => Promise.try(() => readNeeds((sql) => database.prepare(sql), range)),
  trial: async (range) => {
    const { readTrial } = await import('./read-trial.ts')
    return readTrial((sql) => database.prepare(sql), range)
  },
  findCalls: async (search) => {
    const { findCalls } = await import('./find-calls.ts')
    return findCalls(await database.kysely(), search)
  },
})

/** `reads`: default: this thread. */
export function createLedger(options: { database: Database; events?: Events; reads?: LedgerReads }): Ledger {
  const { database, events } = options
  const here = ledgerReads(database)
  const reads = options.reads ?? here
  const insert = (row: CallRow): void => {
    const added = database
      .prepare(
        'INSERT INTO calls (id, at, client, session, server, tool, outcome, tokens_before, tokens_after, tokens_added, strategy, result_id, ms, cached, note, trial) ' +
          'VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
      )
      .run(
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
        row.trial ?? null,
      )
    if (added.changes === 1) return
    // It was recorded as ended with its engine, and ended after all.
    const known = database.prepare('SELECT * FROM calls WHERE id = ?').get(row.id)
    addToSums(database, [toCallRow(known as unknown as CallsTable)], -1)
    database.prepare('DELETE FROM calls WHERE id = ?').run(row.id)
    insert(row)
  }
  const insertAll = (rows: readonly CallRow[]): void => {
    for (const row of rows) insert(row)
    addToSums(database, rows)
  }
  const recordCalls = (rows: readonly CallRow[]): void => {
    database.transaction(() => insertAll(rows))
    for (const row of rows) events?.emit('call-recorded', row)
  }
  const forget = (table: string, time: number): Promise<number> =>
    database.write(() => {
      const isLeft =
        table === 'sessions'
          ? 'AND NOT EXISTS (SELECT 1 FROM calls WHERE calls.session = sessions.session)'
          : ''
      const sql = `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE at < ? ${isLeft} LIMIT ${FORGOTTEN_AT_ONCE})`
      return Number(database.prepare(sql).run(time).changes)
    })
  return {
    recordCall: (row) => recordCalls([row]),
    recordCalls,
    correctCall: (row) => database.transaction(() => insertAll([row])),
    recordLeft: (rows) =>
      database.write(() => {
        const find = database.prepare('SELECT 1 FROM calls WHERE id = ?')
        insertAll(rows.filter(({ id }) => find.get(id) === undefined))
      }, WHENEVER_FREE),
    recordFetch: (row) =>
      database.write(() => {
        database
          .prepare('INSERT INTO fetches (at, client, result_id, tool, tokens) VALUES (?, ?, ?, ?, ?)')
          .run(row.at, row.client, row.resultId, row.tool, row.tokens)
        events?.emit('fetch-recorded', row)
      }, WHENEVER_FREE),
    recordAddition: (row) =>
      database.write(() => {
        const { at, client, session, server, what, tokens } = row
        database
          .prepare(
            'INSERT INTO additions (at, client, session, server, what, tokens) VALUES (?, ?, ?, ?, ?, ?)',
          )
          .run(at, client, session, server ?? '', what, tokens)
        events?.emit('addition-recorded', row)
      }, WHENEVER_FREE),
    recordSession: ({ session, at, client, project }) =>
      database.write(() => {
        if (database.prepare('SELECT 1 FROM sessions WHERE session = ?').get(session)) return
        // Calls that were recorded before it.
        const earlier = database.prepare('SELECT * FROM calls WHERE session = ?').all(session)
        const rows = earlier.map((row) => toCallRow(row as unknown as CallsTable))
        addToSums(database, rows, -1)
        database
          .prepare('INSERT INTO sessions (session, at, client, project) VALUES (?, ?, ?, ?)')
          .run(session, at, client, project)
        addToSums(database, rows)
      }, WHENEVER_FREE),
    recordTurns: (rows) =>
      database.write(() => {
        const insert = database.prepare(
          'INSERT INTO turns (session, at, client, model, number, context) ' +
            'SELECT ?1, ?2, ?3, ?4, coalesce(max(number), 0) + 1, coalesce(max(context), 0) + ?5 FROM turns WHERE session = ?1',
        )
        for (const { session, at, client, model, isCompacted } of rows)
          insert.run(session, at, client, model ?? null, isCompacted ? 1 : 0)
      }, WHENEVER_FREE),
    ...reads,
    recentCalls: (limit) => reads.findCalls({ limit }),
    callOf: async (id) => (await here.findCalls({ id, limit: 1 }))[0],
    fetchesOf: async (resultId) => {
      const kysely = await database.kysely()
      const rows = await kysely
        .selectFrom('fetches')
        .selectAll()
        .where('result_id', '=', resultId)
        .orderBy('at')
        .execute()
      return rows.map(({ result_id: of, ...row }) => ({ ...row, resultId: of }))
    },
    forgetBefore: async (time) => {
      let calls = 0
      for (const table of ['fetches', 'additions', 'turns', 'transcripts', 'calls', 'sessions']) {
        let gone = FORGOTTEN_AT_ONCE
        while (gone === FORGOTTEN_AT_ONCE) {
          gone = await forget(table, time)
          if (table === 'calls') calls += gone
          // Yields to other work.
          await setImmediate()
        }
      }
      await database.write(() => forgetSums(database, time))
      return calls
    },
  }
}
