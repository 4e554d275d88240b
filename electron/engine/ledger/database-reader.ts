import { CHECKED_AT_ONCE, type Database } from '../ground/database/database.ts'
import { DamageFound, isDamage } from '../ground/database/database-connection.ts'
import type { DatabaseRead, DatabaseReads } from './database-reads.ts'
import { messageOf } from '../ground/errors.ts'
import type { Logger } from '../ground/logger.ts'
import { WorkerPool } from '../work/worker-pool.ts'

/** In bytes: below, a report is faster than starting a thread. */
const READ_HERE = 1024 * 1024
const READ_LIMIT_MS = 120_000
/** Not at start, because clients wait for their first answers. */
const CHECK_AFTER_MS = 30_000
const DAY_MS = 24 * 3600_000

export interface DatabaseReader {
  /** On its own thread, or `here` for a small or in-memory database. */
  run<Name extends keyof DatabaseReads>(
    read: DatabaseRead & { readonly name: Name },
    here: () => Promise<ReturnType<DatabaseReads[Name]>>,
  ): Promise<ReturnType<DatabaseReads[Name]>>
  close(): Promise<void>
}

/**
 * For reads whose time grows with the database: long reports delay no calls. Checks a large file for damage once a
 * day.
 */
export function createDatabaseReader(options: {
  readonly database: Database
  readonly logger: Logger
  /** Unix milliseconds. */
  readonly now: () => number
  readonly checkAfterMs?: number
}): DatabaseReader {
  const { database, logger, now, checkAfterMs = CHECK_AFTER_MS } = options
  const pool = new WorkerPool({ logger, size: 1, timeoutMs: READ_LIMIT_MS })
  const readThere = (path: string, read: DatabaseRead): Promise<unknown> =>
    pool.run('read-database', { path, read })
  const today = (): number => Math.floor(now() / DAY_MS)
  const check = async (path: string): Promise<void> => {
    if (sizeOf(database) <= CHECKED_AT_ONCE || checkedOn(database) === today()) return
    try {
      const found = await readThere(path, { name: 'check', input: undefined }).catch((error: unknown) => {
        if (isDamage(error)) return messageOf(error)
        throw error
      })
      if (found === 'ok')
        await database.write(() => database.prepare(`PRAGMA user_version = ${today()}`).run())
      else database.replaceDamaged(new DamageFound(String(found)))
    } catch (error) {
      logger.debug('the database could not be looked through for damage', { cause: messageOf(error) })
    }
  }
  const { path } = database
  const checking = path === undefined ? undefined : setTimeout(() => void check(path), checkAfterMs).unref()
  return {
    run: (read, here) => {
      if (path === undefined || sizeOf(database) <= READ_HERE) return here()
      return readThere(path, read) as ReturnType<typeof here>
    },
    close: () => {
      clearTimeout(checking)
      return pool.close()
    },
  }
}

const numberOf = (database: Database, pragma: string): number =>
  Number(database.prepare(`PRAGMA ${pragma}`).get()?.[pragma])

const sizeOf = (database: Database): number =>
  numberOf(database, 'page_count') * numberOf(database, 'page_size')

/** In days since 1970, in SQLite's user_version. */
const checkedOn = (database: Database): number => numberOf(database, 'user_version')
