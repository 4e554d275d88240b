import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../engine/ground/database/database.ts'
import { SluiceError } from '../engine/ground/errors.ts'
import { silentLogger } from '../engine/ground/logger.ts'
import type { CliContext, CommonOptions } from './cli-context.ts'

/** Opens `sluice.db` for one command. Looking creates and replaces nothing: without a file it is empty, a damaged one throws. */
export async function lookInDatabase(
  { now }: Pick<CliContext, 'now'>,
  { dataDir }: Pick<CommonOptions, 'dataDir'>,
  work: (database: Database) => Promise<void> | void,
): Promise<void> {
  const { openDatabase } = await import('../engine/ground/database/database.ts')
  const path = join(dataDir, 'sluice.db')
  try {
    const database = openDatabase({
      path: existsSync(path) ? path : ':memory:',
      logger: silentLogger,
      now,
      onDamage: 'throw',
    })
    try {
      await work(database)
    } finally {
      database.close()
    }
  } catch (error) {
    if (!(error instanceof SluiceError) || error.code !== 'DATABASE_DAMAGED') throw error
    throw new SluiceError(
      'DATABASE_DAMAGED',
      `${error.message}. It holds calls, kept results and quarantine. Restore it from a backup, or start Sluice: it keeps the damaged file under another name and begins a new one.`,
      { cause: error },
    )
  }
}
