import { DatabaseSync } from 'node:sqlite'
import type { TrialReport } from '../../../shared/api/trial.ts'
import { connectDatabase } from '../ground/database/database-connection.ts'
import type { CallSearch } from './find-calls.ts'
import { ledgerReads } from './ledger.ts'
import type { CallRow } from './call-row.ts'
import type { LedgerReport } from './ledger-report.ts'
import type { TimeRange } from '../../../shared/api/savings.ts'
import type { Timeline, TimelineOptions } from './timeline.ts'
import type { ToolNeed } from './tool-needs.ts'
import type { listResults as list, ResultSearch } from '../results/list-results.ts'
import type { StoredResult } from '../results/result-index.ts'

declare module '../work/jobs.ts' {
  interface WorkerJobs {
    'read-database': (input: { path: string; read: DatabaseRead }) => Promise<unknown>
  }
}

/** Their time grows with sluice.db. */
export interface DatabaseReads {
  report: (range: TimeRange) => LedgerReport
  timeline: (input: { range: TimeRange; wanted: TimelineOptions }) => Timeline
  needs: (range: TimeRange) => ToolNeed[]
  trial: (range: TimeRange) => TrialReport
  'find-calls': (search: CallSearch) => CallRow[]
  'list-results': (input: { search: ResultSearch; now: number }) => StoredResult[]
  /** `ok`, or the first damage. */
  check: () => string
}

export type DatabaseRead = {
  [Name in keyof DatabaseReads]: {
    readonly name: Name
    readonly input: Parameters<DatabaseReads[Name]>[0]
  }
}[keyof DatabaseReads]

/** For a worker thread; read-only. */
export async function readDatabase(
  { path, read }: { path: string; read: DatabaseRead },
  listResults: typeof list,
): Promise<unknown> {
  const open = (): DatabaseSync => new DatabaseSync(path, { readOnly: true })
  const database = connectDatabase(open, { path, lockMs: 1_000 })
  try {
    const ledger = ledgerReads(database)
    // Awaited here: the connection is closed afterwards.
    switch (read.name) {
      case 'report':
        return await ledger.report(read.input)
      case 'timeline':
        return await ledger.timeline(read.input.range, read.input.wanted)
      case 'needs':
        return await ledger.needs(read.input)
      case 'trial':
        return await ledger.trial(read.input)
      case 'find-calls':
        return await ledger.findCalls(read.input)
      case 'list-results':
        return listResults(database, read.input.search, read.input.now)
      default:
        return String(database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'])
    }
  } finally {
    database.close()
  }
}
