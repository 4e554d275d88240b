import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { basename } from 'node:path'
import type { Kysely, SqliteDatabase } from 'kysely'
import type { DatabaseTables } from './database-tables.ts'
import { SluiceError } from '../errors.ts'
import { explainingDatabase, sqliteCodeOf } from '../files/explain-file-failure.ts'
import { locked, WriteQueue, type WriteOptions } from './write-queue.ts'

/** Rows have a null prototype: spread them before comparing. */
export interface Database {
  readonly path: string | undefined
  /**
   * Typed, for reports; loaded on first use. Don't open Kysely transactions, which would include others' writes
   * between awaits: use `transaction`.
   */
  kysely(): Promise<Kysely<DatabaseTables>>
  /** For hot paths; prepared once per SQL text. Never bind a Date (becomes null) or undefined (throws). */
  prepare(sql: string): StatementSync
  /**
   * Synchronous, with the write lock; rolls back on a throw. Nested calls join. Throws DATABASE_LOCKED after the lock
   * timeout.
   */
  transaction<T>(work: () => T): T
  /** After a deletion that the user asked for: its bytes leave the log beside the file, too, unless others read it. */
  eraseDeleted(): void
  /** Waits for the lock without blocking, in call order. Rejects with DATABASE_LOCKED after the patience. */
  write<T>(work: () => T, options?: WriteOptions): Promise<T>
  /** Before closing. */
  settle(patienceMs: number): Promise<void>
  /** Continues with a new file, if a reset is permitted. `found`: the damage. */
  replaceDamaged(found: unknown): void
  close(): void
}

export interface ConnectionOptions {
  readonly path: string
  /** Longest block of the thread by another process's lock. */
  readonly lockMs: number
  readonly replace?: ((found: unknown) => void) | undefined
}

/** `open`: called again after a replacement. */
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
      // Once locked, tries don't wait: each would block the thread again.
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
    // Several transactions may find the same damage.
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
    eraseDeleted: () => {
      try {
        connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      } catch (error) {
        // Its next checkpoint does.
        if (!isBusy(error)) throw error
      }
    },
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

/** Adds the file to errors. */
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

/** For node:sqlite. */
function adapt(close: () => void, prepare: (sql: string) => StatementSync): SqliteDatabase {
  return {
    close,
    prepare: (sql) => {
      const statement = prepare(sql)
      // node:sqlite rejects what it can't bind.
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

/** The low byte is the primary result code. */
const primaryCode = (error: unknown): number => (sqliteCodeOf(error) ?? 0) & 0xff

const isBusy = (error: unknown): boolean => primaryCode(error) === SQLITE_BUSY

const isLockedError = (error: unknown): boolean =>
  error instanceof SluiceError && error.code === 'DATABASE_LOCKED'

export class DamageFound extends Error {}

export const isDamage = (error: unknown): boolean =>
  error instanceof DamageFound || [SQLITE_CORRUPT, SQLITE_NOTADB].includes(primaryCode(error))
