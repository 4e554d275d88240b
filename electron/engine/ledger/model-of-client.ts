import type { Settings } from '../../../shared/settings.ts'
import type { Prices } from '../prices/create-prices.ts'
import type { PriceOf } from './value-report.ts'

/**
 * The model that hooks or transcripts tell, else that of the client's settings, else the one chosen for all others. A
 * model that is known but has no price isn't replaced by another.
 */
export function priceOfClients(
  { clients }: Pick<Settings, 'clients'>,
  prices: Pick<Prices, 'table' | 'list'>,
): PriceOf {
  const table = prices.table()
  const { chosen } = prices.list()
  return ({ client, model }) => {
    const named = model || (Object.hasOwn(clients, client) ? clients[client]?.model : undefined) || chosen
    return named === undefined ? undefined : table.find(named)
  }
}
