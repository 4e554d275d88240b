import type { DatabaseSync } from 'node:sqlite'
import { SluiceError } from '../../errors.ts'

/** One transaction with its bookkeeping row. */
export interface Migration {
  readonly version: number
  readonly name: string
  readonly sql: string
  /** After the SQL. */
  readonly run?: (database: DatabaseSync) => void
  /** Free pages must not keep earlier content. */
  readonly isRewritten?: boolean
}

/**
 * Each step takes the lock and checks again what is left, because two processes may start on one file. Never writes
 * to a later Sluice's file.
 */
export function migrate(database: DatabaseSync, migrations: readonly Migration[], now: () => number): void {
  if (schemaVersion(database) === (migrations.at(-1)?.version ?? 0)) return
  const before = schemaVersion(database)
  for (const migration of migrations) {
    database.exec('BEGIN IMMEDIATE')
    try {
      if (schemaVersion(database) < migration.version) {
        database.exec(
          'CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied INTEGER NOT NULL) STRICT',
        )
        database.exec(migration.sql)
        migration.run?.(database)
        database
          .prepare('INSERT INTO migrations (version, name, applied) VALUES (?, ?, ?)')
          .run(migration.version, migration.name, now())
      }
      database.exec('COMMIT')
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK')
      throw error
    }
  }
  refuseNewer(database, migrations)
  const isOld = migrations.some(({ version, isRewritten }) => isRewritten && before > 0 && version > before)
  if (isOld) database.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE);')
}

/** 0 for a new file. */
export function schemaVersion(database: DatabaseSync): number {
  const kept = database
    .prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'")
    .get()
  if (kept === undefined) return 0
  return Number(
    database.prepare('SELECT coalesce(max(version), 0) AS version FROM migrations').get()?.version,
  )
}

/** Throws DATABASE_NEWER for a later Sluice's file; before the first write. */
export function refuseNewer(database: DatabaseSync, migrations: readonly Migration[]): void {
  const found = schemaVersion(database)
  const known = migrations.at(-1)?.version ?? 0
  if (found <= known) return
  throw new SluiceError(
    'DATABASE_NEWER',
    `The database ${database.location() ?? ''} was written by a newer Sluice (schema ${found}, this version knows ${known}). ` +
      'Nothing was changed. Update Sluice, or start it with another --data-dir.',
    { data: { found, known } },
  )
}
