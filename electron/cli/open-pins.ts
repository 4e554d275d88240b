import { pinsMarks, pinsPath } from '../engine/approvals/approvals.ts'
import { pinMigrations } from '../engine/approvals/pin-migrations.ts'
import { PinStore } from '../engine/approvals/pin-store.ts'
import { openDatabase, type Database } from '../engine/ground/database/database.ts'
import { SluiceError } from '../engine/ground/errors.ts'
import { silentLogger } from '../engine/ground/logger.ts'
import type { CliContext, CommonOptions } from './cli-context.ts'

export function openPins({ now }: CliContext, { dataDir }: CommonOptions, reset: boolean): PinStore {
  const path = pinsPath(dataDir)
  const onDamage = reset ? 'start anew' : 'throw'
  const marks = pinsMarks(dataDir)
  try {
    const database = openDatabase({
      path,
      logger: silentLogger,
      now,
      migrations: pinMigrations,
      onDamage,
      begunMarks: marks.paths,
    })
    return storeOf(database, () => new PinStore(database, now, marks), reset)
  } catch (error) {
    if (!(error instanceof SluiceError) || error.code !== 'DATABASE_DAMAGED' || reset) throw error
    throw new SluiceError(
      'DATABASE_DAMAGED',
      `${error.message}. Everything stays blocked until it is repaired: \`sluice review --reset\` keeps the damaged file under another name and asks about every server again.`,
      { cause: error },
    )
  }
}

/** SQLite doesn't notice lost decisions. */
function storeOf(database: Database, open: () => PinStore, reset: boolean): PinStore {
  try {
    return open()
  } catch (error) {
    const isDamaged = error instanceof SluiceError && error.code === 'DATABASE_DAMAGED'
    if (!isDamaged || !reset) {
      database.close()
      throw error
    }
    database.replaceDamaged(error)
    return open()
  }
}
