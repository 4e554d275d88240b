import type { Savings } from '../../../shared/api/savings.ts'

export const noSavings = (): Savings => ({
  calls: 0,
  errors: 0,
  refused: 0,
  cancelled: 0,
  cached: 0,
  before: 0,
  after: 0,
  added: 0,
  fetched: 0,
  net: 0,
})

export const withNet = <T extends Savings>(savings: T): T => ({
  ...savings,
  net: savings.before - savings.after - savings.added - savings.fetched,
})

export const addSavings = (a: Savings, b: Savings): Savings => ({
  calls: a.calls + b.calls,
  errors: a.errors + b.errors,
  refused: a.refused + b.refused,
  cancelled: a.cancelled + b.cancelled,
  cached: a.cached + b.cached,
  before: a.before + b.before,
  after: a.after + b.after,
  added: a.added + b.added,
  fetched: a.fetched + b.fetched,
  net: a.net + b.net,
})
