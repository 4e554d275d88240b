import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
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
  /** A file, created with its folder when missing, or ':memory:'. */
  path: string
  logger: Logger
  /** Unix milliseconds; dates the bookkeeping and the name of a damaged file that is set aside. */
  now: () => number
  migrations?: readonly Migration[]
  /** `throw` (DATABASE_DAMAGED) where a new, empty file would be worse than none. Default: set aside, start anew. */
  onDamage?: 'start anew' | 'throw'
  /**
   * Small files beside the database, each of which says that it was begun once: it is damaged then where it is missing or has
   * no tables. Who opens the database writes them; they go when it is begun anew.
   */
  begunMarks?: readonly string[]
  /** Whether the file is looked through for damage first, up to `CHECKED_AT_ONCE` bytes where it may begin anew. Default: true. */
  isChecked?: boolean
  /**
   * How long the thread may stand still for the lock of another process once the file is open. Default: five seconds, for
   * commands, in which nobody else waits.
   */
  lockMs?: number
}

/** A start must not grow with the file: a larger one is looked through beside the engine (check-database.ts). */
export const CHECKED_AT_ONCE = 4 * 1024 * 1024
const COMMAND_LOCK_MS = 5000
/** For an engine, whose calls stand still meanwhile. */
export const LOCK_MS = 50

/**
 * Opens the database and brings its schema up to date. Throws DATABASE_NEWER for a file of a later Sluice, untouched.
 * A damaged file is renamed and a new one begun, because a lost ledger must not keep the proxy from running.
 */
export function openDatabase(options: OpenDatabaseOptions): Database {
  if (options.path === ':memory:') return openSound(options)
  makeFolder(dirname(options.path))
  // Of several processes that start at once, one alone may find damage and set the file aside.
  return whileLocked(options.path, () => openOrReplace(options))
}

/**
 * The same, and a database in memory where the folder can't be written to: without it savings and records are lost, with it
 * nothing works. Kept results stay where they are and are not read.
 */
export function openDatabaseOrMemory(options: OpenDatabaseOptions): Database {
  return openOrElse(
    options,
    'Sluice goes on without: what it would keep there (records of calls, kept and cached results) is lost when it ends.',
    () => openSound({ ...options, path: ':memory:' }),
  )
}

/** `otherwise` where the folder can't be written to, and in the log what that means. */
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
 * The same for a record that decides what may pass: where the folder can't be written to, a copy in `tempDir` that is
 * read as it is, and whose `frozen` tables refuse every change. An empty one where there is no file.
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

/** Temporary files often lie on the disk that is full: the copy is kept in memory then. */
function openCopy(options: CopiedDatabaseOptions): Database {
  const { tempDir, path } = options
  try {
    const folder = mkdtempSync(join(tempDir, 'sluice-copy-'))
    const remove = (): void => rmSync(folder, { recursive: true, force: true })
    try {
      const copy = join(folder, basename(path))
      // What a crash left in the log counts as much as what is in the file.
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

/** Needs no room anywhere, but a moment in which nobody else has the file. */
function copyToMemory(path: string): DatabaseSync {
  const memory = new DatabaseSync(':memory:', { timeout: 5000, enableForeignKeyConstraints: true })
  try {
    if (!existsSync(path)) return memory
    // Who has a file alone keeps the index of its log in memory; otherwise that would be another file. Counts for what comes.
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
  // Other processes (a second `connect` on this data folder) may hold the write lock for a moment.
  const connection = new DatabaseSync(options.path, {
    timeout: COMMAND_LOCK_MS,
    enableForeignKeyConstraints: true,
  })
  return makeReady(connection, options)
}

/** A file that is empty was whole once: this function's own are complete before they have their name. */
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
    // Reading is the first thing done: a file of a newer Sluice must not be changed, and damage must show here.
    if (isChecked && (onDamage === 'throw' || isSmall(path))) refuseDamage(connection)
    if (begunMarks.some((mark) => existsSync(mark)) && schemaVersion(connection) === 0)
      throw new DamageFound('its tables are missing')
    refuseNewer(connection, migrations)
    // The system keeps pages, too: SQLite's own copy would fill up to 2 MB for each connection within hours.
    connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -512;')
    migrate(connection, migrations, now)
  } catch (error) {
    connection.close()
    throw error
  }
  return connection
}

const isSmall = (path: string): boolean =>
  path === ':memory:' || (statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= CHECKED_AT_ONCE

/**
 * A new database gets its name when it is whole: one that is cut short by a crash must not look like one that was emptied.
 * SQLite gives the -wal and -shm files the mode of the main file, so setting it once is enough.
 */
function createPrivateFile({ path, migrations = allMigrations, now }: OpenDatabaseOptions): void {
  if (path === ':memory:') return
  if (!existsSync(path)) {
    const fresh = `${path}.new-${randomUUID()}`
    try {
      closeSync(openSync(fresh, 'wx', 0o600))
      const connection = new DatabaseSync(fresh)
      try {
        connection.exec('PRAGMA journal_mode = MEMORY')
        migrate(connection, migrations, now)
      } finally {
        connection.close()
      }
      giveName(fresh, path)
    } finally {
      rmSync(fresh, { force: true })
    }
  }
  chmodSync(path, 0o600)
}

/** Whoever was first keeps the name. */
function giveName(fresh: string, path: string): void {
  try {
    linkSync(fresh, path)
  } catch {
    // Not every disk knows links.
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
