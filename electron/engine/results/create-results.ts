import { join } from 'node:path'
import type { Database } from '../ground/database/database.ts'
import type { Logger } from '../ground/logger.ts'
import type { DatabaseReader } from '../ledger/database-reader.ts'
import { listResults } from './list-results.ts'
import { ResultStore } from './store.ts'
import type { SettingsStore } from '../settings/settings-store.ts'
import type { WorkerPool } from '../work/worker-pool.ts'

export function createResults(options: {
  database: Database
  dataDir: string
  logger: Logger
  now: () => number
  settings: Pick<SettingsStore, 'current'>
  workers: Pick<WorkerPool, 'run'>
  reader: Pick<DatabaseReader, 'run'>
}): ResultStore {
  const { database, dataDir, logger, now, settings, workers, reader } = options
  return new ResultStore({
    database,
    folder: join(dataDir, 'results'),
    logger,
    now,
    limits: () => ({
      // The database takes whole milliseconds only.
      ttlMs: Math.ceil(settings.current.results.ttlHours * 3600_000),
      maxBytes: settings.current.results.maxBytes,
    }),
    list: (search, at) =>
      reader.run({ name: 'list-results', input: { search, now: at } }, () =>
        Promise.try(() => listResults(database, search, at)),
      ),
    pack: (result, isReadable) => workers.run(isReadable ? 'pack-readable-result' : 'pack-result', result),
    unpack: (source) => workers.run('unpack-result', source, { size: source.size }),
  })
}
