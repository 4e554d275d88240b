import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { SQLInputValue, StatementSync } from 'node:sqlite'
import type { Kysely, SqliteDatabase } from 'kysely'
import { makeFolder } from './make-folder.ts'
import type { DatabaseTables } from './database-tables.ts'
import { SluiceError, messageOf } from './errors.ts'
import { explainFileFailure, isUnwritable } from './explain-file-failure.ts'
import type { Logger } from './logger.ts'
import { migrate, refuseNewer } from './migrations/migrate.ts'
import type { Migration } from './migrations/migrate.ts'
import { migrations as allMigrations } from './migrations/migrations.ts'
import { whileLocked } from './open-lock.ts'

/** One connection to sluice.db. Rows come back with a null prototype: spread them before comparing. */
export interface Database {
  /**
   * Typed queries, for reports; the library is loaded at the first. Open no Kysely transaction: it would swallow what
   * others write between two awaits. Use `transaction`.
   */
  kysely(): Promise<Kysely<DatabaseTables>>
  /** A raw statement for hot paths, prepared once per SQL text. Never bind a Date (it becomes null) or undefined (it throws). */
  prepare(sql: string): StatementSync
  /** Runs synchronous work with the write lock held; rolled back when it throws. Nested calls join the outer one. */
  transaction<T>(work: () => T): T
  /** Idempotent. */
  close(): void
}

export interface OpenDatabaseOptions {
  /** A file, created with its folder when missing, or ':memory:'. */
  path: string
  logger: Logger
  /** Unix milliseconds; dates the bookkeeping and the name of a damaged file that is set aside. */
  now: () => number
  migrations?: readonly Migration[]
  /** `throw` (DATABASE_DAMAGED) where a new, empty file would be worse than none. Default: set aside, start anew. */
  onDamage?: 'start anew' | 'throw'
  /** Whether the whole file is looked through for damage first. Default: true. */
  isChecked?: boolean
}

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
  try {
    return openDatabase(options)
  } catch (error) {
    if (!isUnwritable(error)) throw error
    options.logger.error(
      `${explainFileFailure(error, `${options.path} can't be written`).message} Sluice goes on without: what it would keep there (records of calls, kept and cached results) is lost when it ends.`,
    )
    return openSound({ ...options, path: ':memory:' })
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
  try {
    return openDatabase(options)
  } catch (error) {
    if (!isUnwritable(error)) throw error
    options.logger.error(
      `${explainFileFailure(error, `${options.path} can't be written`).message} What it holds counts; nothing new can be approved or denied until Sluice is started again and can write there.`,
    )
    return refusingDamage(options.path, () => openFrozenCopy(options))
  }
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
    return makeReady(copyToMemory(path), options)
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
  const { path, logger, now } = options
  try {
    return openSound(options)
  } catch (error) {
    if (!isDamage(error)) throw error
    if (options.onDamage === 'throw') throw damaged(path, error)
    const aside = setAside(path, now(), error)
    logger.error(`The database ${path} is damaged. It was kept as ${aside} and a new, empty one was begun.`, {
      cause: messageOf(error),
    })
    return openSound(options)
  }
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
  createPrivateFile(options.path)
  // Other processes (a second `connect` on this data folder) may hold the write lock for a moment.
  const connection = new DatabaseSync(options.path, { timeout: 5000, enableForeignKeyConstraints: true })
  return makeReady(connection, options)
}

function makeReady(
  connection: DatabaseSync,
  { now, migrations = allMigrations, isChecked = true }: OpenDatabaseOptions,
): Database {
  try {
    // Reading is the first thing done: a file of a newer Sluice must not be changed, and damage must show here.
    if (isChecked) refuseDamage(connection)
    refuseNewer(connection, migrations)
    // The system keeps pages, too: SQLite's own copy would fill up to 2 MB for each connection within hours.
    connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -512;')
    migrate(connection, migrations, now)
  } catch (error) {
    connection.close()
    throw error
  }
  return wrap(connection)
}

function wrap(connection: DatabaseSync): Database {
  const statements = new Map<string, StatementSync>()
  const prepare = (sql: string): StatementSync => {
    const known = statements.get(sql)
    if (known) return known
    const statement = connection.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
  let kysely: Promise<Kysely<DatabaseTables>> | undefined
  const loadKysely = async (): Promise<Kysely<DatabaseTables>> => {
    const { Kysely, SqliteDialect } = await import('kysely')
    return new Kysely({ dialect: new SqliteDialect({ database: adapt(connection, prepare) }) })
  }
  return {
    kysely: () => (kysely ??= loadKysely()),
    prepare,
    transaction: (work) => {
      if (connection.isTransaction) return work()
      connection.exec('BEGIN IMMEDIATE')
      try {
        const result = work()
        connection.exec('COMMIT')
        return result
      } catch (error) {
        if (connection.isTransaction) connection.exec('ROLLBACK')
        throw error
      }
    },
    close: () => {
      if (connection.isOpen) connection.close()
    },
  }
}

/** What Kysely's SQLite dialect wants of a driver, over node:sqlite. */
function adapt(connection: DatabaseSync, prepare: (sql: string) => StatementSync): SqliteDatabase {
  return {
    close: () => connection.close(),
    prepare: (sql) => {
      const statement = prepare(sql)
      // Kysely hands over unknown values; node:sqlite itself refuses what it cannot bind.
      const bind = (parameters: readonly unknown[]) => parameters as SQLInputValue[]
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => statement.all(...bind(parameters)),
        run: (parameters) => statement.run(...bind(parameters)),
        iterate: (parameters) => statement.iterate(...bind(parameters)),
      }
    },
  }
}

/** SQLite gives the -wal and -shm files the mode of the main file, so setting it once is enough. */
function createPrivateFile(path: string): void {
  if (path === ':memory:') return
  closeSync(openSync(path, 'a', 0o600))
  chmodSync(path, 0o600)
}

const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26

class DamageFound extends Error {}

function refuseDamage(connection: DatabaseSync): void {
  const found = connection.prepare('PRAGMA quick_check(1)').get()?.quick_check
  if (found !== 'ok') throw new DamageFound(String(found))
}

function isDamage(error: unknown): boolean {
  if (error instanceof DamageFound) return true
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return false
  // The low byte is the primary result code, the rest says more about it.
  const code = error.errcode & 0xff
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB
}

function setAside(path: string, now: number, cause: unknown): string {
  const aside = `${path}.damaged-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`
  try {
    renameSync(path, aside)
    for (const suffix of ['-wal', '-shm']) {
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
