import { join } from 'node:path'
import { silentLogger } from '../engine/ground/logger.ts'
import type { ResultStore } from '../engine/results/store.ts'
import type { CliContext, CommonOptions } from './cli-context.ts'
import { lookInDatabase } from './look-in-database.ts'

/** For one command; drops nothing. */
export async function withResultStore(
  context: CliContext,
  common: CommonOptions,
  work: (store: ResultStore) => Promise<void> | void,
): Promise<void> {
  const { ResultStore } = await import('../engine/results/store.ts')
  const { now } = context
  const folder = join(common.dataDir, 'results')
  const limits = () => ({ ttlMs: 0, maxBytes: Number.MAX_SAFE_INTEGER })
  await lookInDatabase(context, common, (database) =>
    work(new ResultStore({ database, folder, logger: silentLogger, now, limits })),
  )
}
