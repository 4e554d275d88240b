import { silentLogger } from '../engine/ground/logger.ts'
import type { Ledger } from '../engine/ledger/ledger.ts'
import type { TimeRange } from '../../shared/api/savings.ts'
import type { ValuedReport } from '../engine/ledger/value-report.ts'
import type { CliContext, CommonOptions } from './cli-context.ts'
import { lookInDatabase } from './look-in-database.ts'

interface ReadSavings {
  readonly ledger: Ledger
  readonly report: (range: TimeRange) => Promise<ValuedReport>
}

/** What the Overview shows, without an engine. Creates nothing. */
export async function readSavings(
  { now, stderr }: Pick<CliContext, 'now' | 'stderr'>,
  { dataDir }: Pick<CommonOptions, 'dataDir'>,
  work: (savings: ReadSavings) => Promise<void>,
): Promise<void> {
  const { createLedger } = await import('../engine/ledger/ledger.ts')
  const { priceOfClients } = await import('../engine/ledger/model-of-client.ts')
  const { readSoundSettings } = await import('./sound-settings.ts')
  const { valueReport } = await import('../engine/ledger/value-report.ts')
  const { createPrices } = await import('../engine/prices/create-prices.ts')
  const prices = createPrices({ dataDir, now, logger: silentLogger })
  const fault = prices.fault()
  if (fault !== undefined) stderr.write(`${fault}\n`)
  const priceOf = priceOfClients(await readSoundSettings({ dataDir }), prices)
  await lookInDatabase({ now }, { dataDir }, async (database) => {
    const ledger = createLedger({ database })
    await work({ ledger, report: async (range) => valueReport(await ledger.report(range), priceOf) })
  })
}
