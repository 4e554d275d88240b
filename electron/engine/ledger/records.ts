import { join } from 'node:path'
import { LOCK_MS, openDatabaseOrMemory, type Database } from '../ground/database/database.ts'
import { createDatabaseReader, type DatabaseReader } from './database-reader.ts'
import type { Events } from '../ground/events.ts'
import { messageOf } from '../ground/errors.ts'
import type { Machine } from '../ground/surroundings.ts'
import type { SettingsStore } from '../settings/settings-store.ts'
import { createBudgets, type Budgets } from './create-budgets.ts'
import { createLedger, ledgerReads, type Ledger } from './ledger.ts'
import type { CallRow } from './call-row.ts'
import { bookLeftCalls, openJournal, type StartedCall } from './call-journal.ts'
import { batchCalls } from './batch-calls.ts'
import { watchLargeResults } from './large-results.ts'
import { followTurns } from './follow-turns.ts'
import { isRunning } from '../ground/is-running.ts'
import type { WorkerPool } from '../work/worker-pool.ts'
import type { Logger } from '../ground/logger.ts'

export interface Records {
  readonly database: Database
  readonly ledger: Ledger
  readonly reader: Pick<DatabaseReader, 'run'>
  readonly budgets: Budgets
  readonly hasLargeResults: (serverId: string, tool: string) => boolean
  readonly begin: (call: StartedCall) => void
  readonly record: (row: CallRow) => void
  /** Writes pending rows; waits at most 1 s for another process's lock. */
  close(): Promise<void>
}

const CLOSED_WITHIN_MS = 1_000
/** Until calls of an engine that was still ending are looked for again. */
const AGAIN_MS = 2_000

export function openRecords(
  options: Machine & {
    readonly dataDir: string
    readonly settings: Pick<SettingsStore, 'current'>
    readonly events: Events
    readonly logger: Logger
    /** Unix milliseconds. */
    readonly now: () => number
    readonly workers: Pick<WorkerPool, 'run'>
  },
): Records {
  const { dataDir, events, logger, now } = options
  const path = join(dataDir, 'sluice.db')
  const database = openDatabaseOrMemory({ path, logger, now, lockMs: LOCK_MS })
  const reader = createDatabaseReader({ database, logger, now })
  const here = ledgerReads(database)
  const ledger = createLedger({
    database,
    events,
    reads: {
      report: (range) => reader.run({ name: 'report', input: range }, () => here.report(range)),
      timeline: (range, wanted) =>
        reader.run({ name: 'timeline', input: { range, wanted } }, () => here.timeline(range, wanted)),
      trial: (range) => reader.run({ name: 'trial', input: range }, () => here.trial(range)),
      needs: (range) => reader.run({ name: 'needs', input: range }, () => here.needs(range)),
      findCalls: (search) => reader.run({ name: 'find-calls', input: search }, () => here.findCalls(search)),
    },
  })
  events.on('session-opened', ({ sessionId, client, project }) => {
    if (project === undefined) return
    ledger
      .recordSession({ session: sessionId, at: now(), client, project })
      .catch((error: unknown) =>
        logger.debug('a session’s folder was not recorded', { cause: messageOf(error) }),
      )
  })
  const budgets = createBudgets({ ...options, ledger, database })
  const turns = followTurns({ ...options, ledger, database })
  const folder = join(dataDir, 'under-way')
  const journal = openJournal({ folder, logger })
  const batch = batchCalls({
    write: async (rows) => {
      await database.write(() => ledger.recordCalls(rows), { patienceMs: Infinity })
      journal.booked(rows)
    },
    onLost: (rows) => {
      journal.keep(rows)
      journal.booked(rows)
    },
    logger,
  })
  let again: NodeJS.Timeout | undefined
  let isClosing = false
  const bookLeft = async (): Promise<void> => {
    const left = await bookLeftCalls({ folder, isRunning, book: (rows) => ledger.recordLeft(rows), logger })
    if (left && !isClosing) again = setTimeout(() => void (booking = bookLeft()), AGAIN_MS).unref()
  }
  let booking = bookLeft()
  const largeResults = watchLargeResults({ database, events, now })
  return {
    database,
    ledger,
    reader,
    budgets,
    hasLargeResults: (serverId, tool) => largeResults.has(serverId, tool),
    begin: (call) => journal.begin(call),
    record: (row) => batch.add(row),
    close: async () => {
      isClosing = true
      clearTimeout(again)
      budgets.close()
      largeResults.close()
      batch.flush()
      await Promise.all([reader.close(), turns.close()])
      await database.settle(CLOSED_WITHIN_MS)
      await booking
      journal.close()
      database.close()
    },
  }
}
