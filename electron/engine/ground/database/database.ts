import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { randomUUID } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { connectDatabase, DamageFound, isDamage, type Database } from './database-connection.ts'
import { makeFolder } from '../files/make-folder.ts'
import { SluiceError, messageOf } from '../errors.ts'
import { explainFileFailure, isUnwritable } from '../files/explain-file-failure.ts'
import type { Logger } from '../logger.ts'
import { migrate, refuseNewer, schemaVersion } from './migrations/migrate.ts'
import type { Migration } from './migrations/migrate.ts'
import { migrations as allMigrations } from './migrations/migrations.ts'
import { whileLocked } from '../files/lock.ts'

export type { Database } from './database-connection.ts'

export interface OpenDatabaseOptions {
  /** Created with its folder, or ':memory:'. */
  path: string
  logger: Logger
  /** Unix milliseconds. */
  now: () => number
  migrations?: readonly Migration[]
  /** `throw` (DATABASE_DAMAGED): an empty file would be worse than none. Default: reset. */
  onDamage?: 'start anew' | 'throw'
  /** With such a mark, a missing or empty database is damaged. Written on opening, removed by a reset. */
  begunMarks?: readonly string[]
  /** For damage, first; resettable files only up to `CHECKED_AT_ONCE` bytes. Default: true. */
  isChecked?: boolean
  lockMs?: number
}

/** Start time must not grow with the file: larger ones are checked later (check-database.ts). */
export const CHECKED_AT_ONCE = 4 * 1024 * 1024
const COMMAND_LOCK_MS = 5000
export const LOCK_MS = 50

/**
 * Also migrates. Throws DATABASE_NEWER for a later Sluice's file, untouched. Sets a damaged file aside, because a
 * lost ledger must not stop the proxy.
 */
export function openDatabase(options: OpenDatabaseOptions): Database {
  if (options.path === ':memory:') return openSound(options)
  makeFolder(dirname(options.path))
  // Only one starting process may find damage and reset.
  return whileLocked(options.path, () => openOrReplace(options))
}

export function openDatabaseOrMemory(options: OpenDatabaseOptions): Database {
  return openOrElse(
    options,
    'Sluice runs without it: records of calls, kept and cached results are lost when Sluice ends.',
    () => openSound({ ...options, path: ':memory:' }),
  )
}

function openOrElse(options: OpenDatabaseOptions, meaning: string, otherwise: () => Database): Database {
  try {
    return openDatabase(options)
  } catch (error) {
    if (!isUnwritable(error)) throw error
    options.logger.error(
      `${explainFileFailure(error, `${options.path} can't be written`).message} ${meaning}`,
    )
    return otherwise()
  }
}

interface CopiedDatabaseOptions extends OpenDatabaseOptions {
  readonly tempDir: string
  readonly frozen: readonly string[]
}

/**
 * For a record that decides what may pass: if the folder isn't writable, a copy in `tempDir` (empty without a file)
 * whose `frozen` tables reject changes.
 */
export function openDatabaseOrCopy(options: CopiedDatabaseOptions): Database {
  return openOrElse(
    options,
    'What it holds counts; nothing new can be approved or denied until Sluice is started again and can write there.',
    () =>
      refusingDamage(options.path, () => {
        refuseLoss(options)
        return openFrozenCopy(options)
      }),
  )
}

function openFrozenCopy(options: CopiedDatabaseOptions): Database {
  const database = openCopy(options)
  for (const table of options.frozen)
    for (const change of ['INSERT', 'UPDATE', 'DELETE'])
      database
        .prepare(
          `CREATE TEMP TRIGGER frozen_${table}_${change} BEFORE ${change} ON main.${table} BEGIN SELECT RAISE(ABORT, 'it could not be when Sluice started; once it can be, start Sluice again'); END`,
        )
        .run()
  return database
}

/** Temporary files are often on the same full disk: then in memory. */
function openCopy(options: CopiedDatabaseOptions): Database {
  const { tempDir, path } = options
  try {
    const folder = mkdtempSync(join(tempDir, 'sluice-copy-'))
    const remove = (): void => rmSync(folder, { recursive: true, force: true })
    try {
      const copy = join(folder, basename(path))
      // With a crash's WAL.
      for (const suffix of ['', '-wal'])
        if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix)
      const database = openSound({ ...options, path: copy })
      return {
        ...database,
        close: () => {
          database.close()
          remove()
        },
      }
    } catch (error) {
      remove()
      throw error
    }
  } catch (error) {
    if (!isUnwritable(error)) throw error
    const memory = makeReady(copyToMemory(path), { ...options, path: ':memory:' })
    return connectDatabase(() => memory, { path: ':memory:', lockMs: 0 })
  }
}

/** Needs no disk space, but a moment of exclusive access. */
function copyToMemory(path: string): DatabaseSync {
  const memory = new DatabaseSync(':memory:', { timeout: 5000, enableForeignKeyConstraints: true })
  try {
    if (!existsSync(path)) return memory
    // Keeps attached databases' WAL index in memory, not in another file.
    memory.exec('PRAGMA foreign_keys = OFF; PRAGMA locking_mode = EXCLUSIVE')
    memory.prepare('ATTACH ? AS kept').run(path)
    refuseDamage(memory)
    const schema = memory.prepare(
      "SELECT type, name, sql FROM kept.sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY type = 'table' DESC",
    )
    for (const { type, name, sql } of schema.all()) {
      memory.exec(String(sql))
      const table = `"${String(name)}"`
      if (type === 'table') memory.exec(`INSERT INTO main.${table} SELECT * FROM kept.${table}`)
    }
    memory.exec('DETACH kept; PRAGMA foreign_keys = ON')
    return memory
  } catch (error) {
    memory.close()
    throw error
  }
}

function openOrReplace(options: OpenDatabaseOptions): Database {
  const { path } = options
  try {
    return openSound(options)
  } catch (error) {
    if (!isDamage(error)) throw error
    if (options.onDamage === 'throw') throw damaged(path, error)
    beginAnew(options, error)
    return openSound(options)
  }
}

function beginAnew({ path, logger, now, begunMarks = [] }: OpenDatabaseOptions, found: unknown): void {
  const aside = setAside(path, now(), found)
  for (const mark of begunMarks) rmSync(mark, { force: true })
  logger.error(`The database ${path} is damaged. It was kept as ${aside} and a new, empty one was begun.`, {
    cause: messageOf(found),
  })
}

function refusingDamage<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw isDamage(error) ? damaged(path, error) : error
  }
}

const damaged = (path: string, cause: unknown): SluiceError =>
  new SluiceError('DATABASE_DAMAGED', `${path} is damaged: ${messageOf(cause)}`, { cause })

function openSound(options: OpenDatabaseOptions): Database {
  const { path, onDamage, lockMs = COMMAND_LOCK_MS } = options
  const replace = (found: unknown): void => whileLocked(path, () => beginAnew(options, found))
  return connectDatabase(() => openReady(options), {
    path,
    lockMs,
    replace: onDamage === 'throw' || path === ':memory:' ? undefined : replace,
  })
}

function openReady(options: OpenDatabaseOptions): DatabaseSync {
  refuseLoss(options)
  createPrivateFile(options)
  // A second `connect` on this data folder may have the lock.
  const connection = new DatabaseSync(options.path, {
    timeout: COMMAND_LOCK_MS,
    enableForeignKeyConstraints: true,
  })
  return makeReady(connection, options)
}

/** Files are named only when complete, so an empty one was emptied. */
function refuseLoss({ path, begunMarks = [] }: OpenDatabaseOptions): void {
  if (path === ':memory:') return
  const size = statSync(path, { throwIfNoEntry: false })?.size
  if (size === 0) throw new DamageFound('it is empty')
  if (size === undefined && begunMarks.some((mark) => existsSync(mark)))
    throw new DamageFound('it is missing, though it was begun once')
}

function makeReady(
  connection: DatabaseSync,
  { path, now, migrations = allMigrations, isChecked = true, onDamage, begunMarks = [] }: OpenDatabaseOptions,
): DatabaseSync {
  try {
    // First: a newer Sluice's file must not change, and damage must show here.
    if (isChecked && (onDamage === 'throw' || isSmall(path))) refuseDamage(connection)
    if (begunMarks.some((mark) => existsSync(mark)) && schemaVersion(connection) === 0)
      throw new DamageFound('its tables are missing')
    refuseNewer(connection, migrations)
    // The system caches pages, too: the default would reach 2 MB per connection within hours.
    connection.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -512; PRAGMA secure_delete = ON;',
    )
    migrate(connection, migrations, now)
  } catch (error) {
    connection.close()
    throw error
  }
  return connection
}

const isSmall = (path: string): boolean =>
  path === ':memory:' || (statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= CHECKED_AT_ONCE

/** Named when complete, so that a crash leaves nothing that looks emptied. SQLite gives -wal and -shm the same mode. */
function createPrivateFile({ path, migrations = allMigrations, now }: OpenDatabaseOptions): void {
  if (path === ':memory:') return
  if (!existsSync(path)) {
    const fresh = `${path}.new-${randomUUID()}`
    try {
      const file = openSync(fresh, 'wx', 0o600)
      try {
        const connection = new DatabaseSync(fresh)
        try {
          // Once at the end is enough: to wait for the disk after each step took most of a first start.
          connection.exec('PRAGMA synchronous = OFF; PRAGMA journal_mode = WAL')
          migrate(connection, migrations, now)
        } finally {
          connection.close()
        }
        fsyncSync(file)
      } finally {
        closeSync(file)
      }
      giveName(fresh, path)
    } finally {
      rmSync(fresh, { force: true })
    }
  }
  chmodSync(path, 0o600)
}

/** The first process wins. */
function giveName(fresh: string, path: string): void {
  try {
    linkSync(fresh, path)
  } catch {
    // Not every file system has links.
    if (!existsSync(path)) renameSync(fresh, path)
  }
}

function refuseDamage(connection: DatabaseSync): void {
  const found = connection.prepare('PRAGMA quick_check(1)').get()?.quick_check
  if (found !== 'ok') throw new DamageFound(String(found))
}

function setAside(path: string, now: number, cause: unknown): string {
  const aside = `${path}.damaged-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`
  try {
    for (const suffix of ['', '-wal', '-shm']) {
      if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix)
    }
    return aside
  } catch {
    throw new SluiceError(
      'DATABASE_DAMAGED',
      `The database ${path} is damaged and could not be renamed. Quit everything that uses it and move the file away.`,
      { cause },
    )
  }
}
