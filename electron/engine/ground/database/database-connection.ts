import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { basename } from 'node:path'
import type { Kysely, SqliteDatabase } from 'kysely'
import type { DatabaseTables } from './database-tables.ts'
import { SluiceError } from '../errors.ts'
import { explainingDatabase, sqliteCodeOf } from '../files/explain-file-failure.ts'
import { locked, WriteQueue, type WriteOptions } from './write-queue.ts'

/** One connection to sluice.db. Rows come back with a null prototype: spread them before comparing. */
export interface Database {
  /** The file; undefined for one in memory, which no other thread can read. */
  readonly path: string | undefined
  /**
   * Typed queries, for reports; the library is loaded at the first. Open no Kysely transaction: it would swallow what
   * others write between two awaits. Use `transaction`.
   */
  kysely(): Promise<Kysely<DatabaseTables>>
  /** A raw statement for hot paths, prepared once per SQL text. Never bind a Date (it becomes null) or undefined (it throws). */
  prepare(sql: string): StatementSync
  /**
   * Runs synchronous work with the write lock held; rolled back when it throws. Nested calls join the outer one. Throws
   * DATABASE_LOCKED where another process holds the lock for longer than this connection waits.
   */
  transaction<T>(work: () => T): T
  /**
   * The same as soon as the lock can be had: at once, or without holding the thread up, in the order of the calls. Rejects
   * with DATABASE_LOCKED after the patience.
   */
  write<T>(work: () => T, options?: WriteOptions): Promise<T>
  /** Waits so long for what `write` has not written yet, for the end. */
  settle(patienceMs: number): Promise<void>
  /** Sets the file aside and goes on with a new one, where it may begin anew. `found`: what is damaged. */
  replaceDamaged(found: unknown): void
  /** Idempotent. */
  close(): void
}

export interface ConnectionOptions {
  readonly path: string
  /** How long the thread may stand still for the lock of another process. */
  readonly lockMs: number
  /** Puts another file in the place of a damaged one; the connection is closed meanwhile. Undefined where none may begin anew. */
  readonly replace?: ((found: unknown) => void) | undefined
}

/** `open` makes the connection ready; it is asked again where the file is replaced. */
export function connectDatabase(openFile: () => DatabaseSync, options: ConnectionOptions): Database {
  const { path, lockMs, replace } = options
  const explaining = <T>(work: () => T): T => explainingDatabase(path, work)
  const open = (): DatabaseSync => explaining(openFile)
  const name = basename(path)
  let connection = open()
  let statements = new Map<string, StatementSync>()
  let replaced: DatabaseSync | undefined
  let isLocked = false
  const waitForLock = (milliseconds: number): void => connection.exec(`PRAGMA busy_timeout = ${milliseconds}`)
  waitForLock(lockMs)
  const begin = (): void => {
    try {
      connection.exec('BEGIN IMMEDIATE')
    } catch (error) {
      if (!isBusy(error)) throw error
      // Who met the lock once asks without waiting until it is free, or each write would hold the thread up anew.
      if (!isLocked) waitForLock(0)
      isLocked = true
      throw locked(name, error)
    }
    if (isLocked) waitForLock(lockMs)
    isLocked = false
  }
  const transaction = <T>(work: () => T): T => {
    if (connection.isTransaction) return work()
    try {
      return explaining(() => {
        begin()
        const result = work()
        connection.exec('COMMIT')
        return result
      })
    } catch (error) {
      if (connection.isOpen && connection.isTransaction) connection.exec('ROLLBACK')
      if (isDamage(error)) setImmediate(() => replaceDamaged(error))
      throw error
    }
  }
  const replaceDamaged = (found: unknown): void => {
    // Several transactions may have met the same damage.
    if (replace === undefined || !connection.isOpen || replaced === connection) return
    statements = new Map()
    connection.close()
    try {
      replace(found)
    } finally {
      connection = replaced = open()
      isLocked = false
      waitForLock(lockMs)
    }
  }
  const writes = new WriteQueue(name, isLockedError)
  const prepare = (sql: string): StatementSync => {
    const known = statements.get(sql)
    if (known) return known
    const statement = explained(explaining, () => connection.prepare(sql))
    statements.set(sql, statement)
    return statement
  }
  let kysely: Promise<Kysely<DatabaseTables>> | undefined
  const loadKysely = async (): Promise<Kysely<DatabaseTables>> => {
    const { Kysely, SqliteDialect } = await import('kysely')
    return new Kysely({ dialect: new SqliteDialect({ database: adapt(() => connection.close(), prepare) }) })
  }
  return {
    path: path === ':memory:' ? undefined : path,
    kysely: () => (kysely ??= loadKysely()),
    prepare,
    transaction,
    write: (work, writeOptions) => writes.run(() => transaction(work), writeOptions),
    settle: (patienceMs) => writes.settle(patienceMs),
    replaceDamaged,
    close: () => {
      writes.close()
      if (connection.isOpen) connection.close()
    },
  }
}

type Explaining = <T>(work: () => T) => T

/** A statement whose errors name the file. */
function explained(explaining: Explaining, prepare: () => StatementSync): StatementSync {
  const statement = explaining(prepare)
  const bare = {
    run: statement.run.bind(statement),
    get: statement.get.bind(statement),
    all: statement.all.bind(statement),
  }
  return Object.assign(statement, {
    run: (...values: Parameters<typeof bare.run>) => explaining(() => bare.run(...values)),
    get: (...values: Parameters<typeof bare.get>) => explaining(() => bare.get(...values)),
    all: (...values: Parameters<typeof bare.all>) => explaining(() => bare.all(...values)),
  })
}

/** What Kysely's SQLite dialect wants of a driver, over node:sqlite. */
function adapt(close: () => void, prepare: (sql: string) => StatementSync): SqliteDatabase {
  return {
    close,
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

const SQLITE_BUSY = 5
const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26

/** The low byte is the primary result code, the rest says more about it. */
const primaryCode = (error: unknown): number => (sqliteCodeOf(error) ?? 0) & 0xff

const isBusy = (error: unknown): boolean => primaryCode(error) === SQLITE_BUSY

const isLockedError = (error: unknown): boolean =>
  error instanceof SluiceError && error.code === 'DATABASE_LOCKED'

export class DamageFound extends Error {}

export const isDamage = (error: unknown): boolean =>
  error instanceof DamageFound || [SQLITE_CORRUPT, SQLITE_NOTADB].includes(primaryCode(error))
