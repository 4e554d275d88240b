import { join } from 'node:path'
import type { Database } from '../ground/database/database.ts'
import type { Logger } from '../ground/logger.ts'
import { ResultStore, type ListResults } from './store.ts'
import type { SettingsStore } from '../settings/settings-store.ts'
import type { WorkerPool } from '../work/worker-pool.ts'

/** Joins the store of originals to its folder, its limits and the worker threads. */
export function openResults(options: {
  database: Database
  dataDir: string
  logger: Logger
  now: () => number
  settings: Pick<SettingsStore, 'current'>
  workers: Pick<WorkerPool, 'run'>
  list: ListResults
}): ResultStore {
  const { database, dataDir, logger, now, settings, workers, list } = options
  return new ResultStore({
    database,
    folder: join(dataDir, 'results'),
    logger,
    now,
    limits: () => ({
      ttlMs: settings.current.results.ttlHours * 3600_000,
      maxBytes: settings.current.results.maxBytes,
    }),
    list,
    pack: (result, isReadable) => workers.run(isReadable ? 'pack-readable-result' : 'pack-result', result),
    unpack: (source) => workers.run('unpack-result', source, { size: source.size }),
  })
}
