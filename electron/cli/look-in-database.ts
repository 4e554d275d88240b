import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../engine/ground/database/database.ts'
import { silentLogger } from '../engine/ground/logger.ts'
import type { CliContext, CommonOptions } from './cli-context.ts'

/** Opens `sluice.db` for one command. Looking creates nothing: without a file it is empty. */
export async function lookInDatabase(
  { now }: Pick<CliContext, 'now'>,
  { dataDir }: Pick<CommonOptions, 'dataDir'>,
  work: (database: Database) => Promise<void> | void,
): Promise<void> {
  const { openDatabase } = await import('../engine/ground/database/database.ts')
  const path = join(dataDir, 'sluice.db')
  const database = openDatabase({ path: existsSync(path) ? path : ':memory:', logger: silentLogger, now })
  try {
    await work(database)
  } finally {
    database.close()
  }
}
