import type { ReplayReport, Worth } from './api/replay.ts'

/**
 * A part of what all requests cost: of the money where each model has a price, else of the weighted tokens. Undefined
 * where nothing was asked for.
 */
export function shareOfCost(
  part: Worth,
  { cost, unpriced }: Pick<ReplayReport, 'cost' | 'unpriced'>,
): number | undefined {
  const unit = unpriced.length === 0 && cost.money > 0 ? 'money' : 'weighted'
  return cost[unit] > 0 ? part[unit] / cost[unit] : undefined
}
