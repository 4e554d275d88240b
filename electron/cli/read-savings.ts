import { join } from 'node:path'
import { Settings } from '../../shared/settings.ts'
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
  const { valueReport } = await import('../engine/ledger/value-report.ts')
  const { createPrices } = await import('../engine/prices/create-prices.ts')
  const prices = createPrices({ dataDir, now, logger: silentLogger })
  const fault = prices.fault()
  if (fault !== undefined) stderr.write(`${fault}\n`)
  const priceOf = priceOfClients(await settingsOf(dataDir), prices)
  await lookInDatabase({ now }, { dataDir }, async (database) => {
    const ledger = createLedger({ database })
    await work({ ledger, report: async (range) => valueReport(await ledger.report(range), priceOf) })
  })
}

async function settingsOf(dataDir: string): Promise<Settings> {
  const { CONFIG_FILE } = await import('../engine/settings/settings-store.ts')
  const { readConfig } = await import('../engine/settings/read-config.ts')
  const text = readConfig(join(dataDir, CONFIG_FILE))
  if (text === undefined) return Settings.parse({})
  const { parseSettings } = await import('../engine/settings/parse-settings.ts')
  const { settings, usable } = parseSettings(text)
  return settings ?? usable ?? Settings.parse({})
}
