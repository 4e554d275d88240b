import { SluiceError } from '../engine/ground/errors.ts'
import { didYouMean } from '../engine/ground/nearest.ts'
import type { Quarantined, QuarantineStore } from '../engine/guardrails/quarantine-store.ts'
import type { CliContext, CommonOptions } from './cli-context.ts'
import { lookInDatabase } from './look-in-database.ts'

/** For one command; drops nothing. */
export async function withQuarantine(
  context: CliContext,
  common: CommonOptions,
  work: (store: QuarantineStore) => Promise<void> | void,
): Promise<void> {
  const { QuarantineStore } = await import('../engine/guardrails/quarantine-store.ts')
  const limits = () => ({ keepMs: Number.MAX_SAFE_INTEGER, maxBytes: Number.MAX_SAFE_INTEGER })
  await lookInDatabase(context, common, (database) =>
    work(new QuarantineStore(database, context.now, limits)),
  )
}

export function findQuarantined(store: QuarantineStore, id: string): Quarantined {
  const entries = store.list()
  const entry = entries.find((each) => each.id === id)
  if (entry) return entry
  const hint = didYouMean(
    id,
    entries.map((each) => each.id),
  )
  throw new SluiceError(
    'RESULT_UNKNOWN',
    `Nothing in quarantine has the id "${id}".${hint} \`sluice quarantine list\` shows all.`,
  )
}
