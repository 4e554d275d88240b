import { createReadPrices } from '../../engine/prices/read-own-prices.ts'
import type { Finding } from './finding.ts'
import { problem } from './finding.ts'

/** The user's own prices. */
export function checkPrices(dataDir: string): Finding[] {
  const { fault } = createReadPrices(dataDir)()
  return fault === undefined ? [] : [problem('prices', fault)]
}
