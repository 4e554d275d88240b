import type { BudgetSettings, BudgetStep } from '../../../../shared/budget-settings.ts'
import { isWithin } from '../../ground/files/is-within.ts'
import { worthOf, wroteCost } from '../../prices/cost.ts'
import type { LedgerEntry } from '../ledger-entries.ts'
import type { PriceOf } from '../value-report.ts'

/** What a client got through Sluice. */
export type Spent = Pick<
  LedgerEntry,
  'client' | 'project' | 'model' | 'after' | 'added' | 'fetched' | 'written'
>

export interface Sum {
  readonly tokens: number
  readonly dollars: number
  /** Tokens without a price. */
  readonly unpriced: number
}

export const nothing: Sum = { tokens: 0, dollars: 0, unpriced: 0 }

export const concerns = (
  budget: Pick<BudgetSettings, 'client' | 'project'>,
  client: string,
  project: string,
) =>
  (budget.client === undefined || budget.client === client) &&
  (budget.project === undefined || isWithin(project, budget.project))

/** Each token once, as written into the cache: later turns aren't counted. */
export function addSpent(sum: Sum, spent: Spent, priceOf: PriceOf): Sum {
  const tokens = spent.after + spent.added + spent.fetched
  const price = priceOf(spent)
  return {
    tokens: sum.tokens + tokens,
    dollars: sum.dollars + (price ? worthOf(tokens, price, 'write') + wroteCost(spent.written, price) : 0),
    unpriced: sum.unpriced + (price ? 0 : tokens),
  }
}

export const limitOf = ({ tokens, dollars }: Pick<BudgetSettings, 'tokens' | 'dollars'>): number =>
  tokens ?? dollars ?? Infinity

export const spentOf = (budget: Pick<BudgetSettings, 'tokens'>, sum: Sum): number =>
  budget.tokens === undefined ? sum.dollars : sum.tokens

/** For a result of at most `most` tokens: a step that it would reach applies to it already. */
export function stepFor(
  { steps }: Pick<BudgetSettings, 'steps'>,
  most: number,
  shareWith: (tokens: number) => number,
): BudgetStep | undefined {
  let step: BudgetStep | undefined
  for (const next of steps.toSorted((a, b) => a.from - b.from)) {
    if (shareWith(Math.min(most, step?.maxOutputTokens ?? most)) < next.from) break
    step = next
  }
  return step
}

/** Of a share of the budget; `next` with a share that isn't reached yet. */
export function stepsAt(
  { steps }: Pick<BudgetSettings, 'steps'>,
  share: number,
): { step: BudgetStep | undefined; next: BudgetStep | undefined } {
  const sorted = steps.toSorted((a, b) => a.from - b.from)
  return {
    step: sorted.findLast(({ from }) => share >= from),
    next: sorted.find(({ from }) => share < from),
  }
}
