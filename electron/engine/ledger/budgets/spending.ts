import type { BudgetSettings } from '../../../../shared/budget-settings.ts'
import { messageOf } from '../../ground/errors.ts'
import type { Events } from '../../ground/events.ts'
import type { Logger } from '../../ground/logger.ts'
import type { LedgerEntry } from '../ledger-entries.ts'
import type { LedgerReport } from '../ledger-report.ts'
import type { TimeRange } from '../../../../shared/api/savings.ts'
import { SCREENS_CLIENT } from '../../../../shared/screens-client.ts'
import type { PriceOf } from '../value-report.ts'
import { addSpent, concerns, nothing, type Spent, type Sum } from './budget-sums.ts'
import { periodAt, type Period } from './period.ts'

/** What events don't tell (folders of fetches, models) is read again from the ledger. */
const READ_EVERY_MS = 600_000
const MOST_SESSIONS = 5_000
const MOST_EXPECTED = 1_000

type Budgets = Readonly<Record<string, BudgetSettings>>

export interface Spending {
  of(name: string, budget: BudgetSettings): { readonly sum: Sum; readonly period: Period }
  /** With calls under way, and `tokens` more of this client. */
  sumWith(name: string, budget: BudgetSettings, client: string, tokens: number): Sum
  /** Until the call is recorded. */
  expect(call: { id: string; client: string; project: string; tokens: number }): void
  /** Empty: not told. */
  projectOf(sessionId: string): string
  /** Resolves when the sums are the ledger's. */
  refresh(): Promise<void>
  close(): void
}

/** Sums of each budget's period: read from the ledger at first, then kept by events. */
export function createSpending(options: {
  readonly budgets: () => Budgets
  readonly report: (range: TimeRange) => Promise<Pick<LedgerReport, 'entries'>>
  readonly priceOf: () => PriceOf
  readonly events: Pick<Events, 'on'>
  /** Unix milliseconds. */
  readonly now: () => number
  readonly logger: Pick<Logger, 'warn'>
  readonly onChange: () => void
}): Spending {
  const { budgets, report, priceOf, events, now, logger, onChange } = options
  const sums = new Map<string, { readonly key: string; readonly sum: Sum }>()
  const projects = new Map<string, string>()
  let models = new Map<string, string>()
  let readAt = -Infinity
  let reading: Promise<void> | undefined
  /** While the ledger is read, it is open whether the report has what events tell. */
  let isOutdated = false

  /** What calls under way may bring at most. */
  const expected = new Map<string, { client: string; project: string; tokens: number }>()
  const spentBy = (client: string, after: number): Spent => {
    const model = models.get(client) ?? ''
    return { client, project: '', model, after, added: 0, fetched: 0, written: 0 }
  }

  const projectOf = (sessionId: string): string => projects.get(sessionId) ?? ''
  const sumOf = (name: string, key: string): Sum => {
    const known = sums.get(name)
    return known?.key === key ? known.sum : nothing
  }
  const add = (spent: Omit<Spent, 'model'>): void => {
    const all = Object.entries(budgets())
    if (all.length === 0 || spent.client === SCREENS_CLIENT) return
    if (reading) isOutdated = true
    const price = priceOf()
    for (const [name, budget] of all) {
      if (!concerns(budget, spent.client, spent.project)) continue
      const { key } = periodAt(budget.period, now())
      const entry = { ...spent, model: models.get(spent.client) ?? '' }
      sums.set(name, { key, sum: addSpent(sumOf(name, key), entry, price) })
    }
    onChange()
    if (now() - readAt > READ_EVERY_MS) void refresh()
  }

  const read = async (): Promise<void> => {
    const wanted = budgets()
    const kinds = new Set(Object.values(wanted).map(({ period }) => period))
    const entries = new Map<string, readonly LedgerEntry[]>()
    for (const kind of kinds) entries.set(kind, (await report(periodAt(kind, now()))).entries)
    const price = priceOf()
    sums.clear()
    for (const [name, budget] of Object.entries(wanted)) {
      const own = (entries.get(budget.period) ?? []).filter(({ client, project }) =>
        concerns(budget, client, project),
      )
      const { key } = periodAt(budget.period, now())
      sums.set(name, { key, sum: own.reduce((sum, entry) => addSpent(sum, entry, price), nothing) })
    }
    models = new Map(
      [...entries.values()].flat().flatMap(({ client, model }) => (model === '' ? [] : [[client, model]])),
    )
    readAt = now()
  }
  const refresh = async (): Promise<void> => {
    isOutdated = true
    reading ??= (async () => {
      try {
        // A second round for what came in during the first.
        for (let round = 0; round < 2 && isOutdated; round++) {
          isOutdated = false
          await read()
        }
      } catch (error) {
        readAt = now()
        logger.warn('The budgets could not be read from the ledger; they go on with what this engine saw.', {
          cause: messageOf(error),
        })
      } finally {
        reading = undefined
      }
      onChange()
    })()
    await reading
  }

  const worksIn = (session: string, folder: string | undefined): void => {
    if (projects.size >= MOST_SESSIONS) projects.clear()
    if (folder !== undefined) projects.set(session, folder)
  }
  const stops = [
    events.on('session-opened', ({ sessionId, project }) => worksIn(sessionId, project)),
    events.on('context-told', ({ session, folder }) => {
      if (!projects.has(session)) worksIn(session, folder)
    }),
    events.on('call-recorded', ({ id, client, session, tokensAfter, tokensAdded }) => {
      expected.delete(id)
      add({
        client,
        project: projectOf(session),
        after: tokensAfter,
        added: tokensAdded,
        fetched: 0,
        written: tokensAdded,
      })
    }),
    events.on('addition-recorded', ({ client, session, tokens }) =>
      add({ client, project: projectOf(session), after: 0, added: tokens, fetched: 0, written: 0 }),
    ),
    events.on('fetch-recorded', ({ client, tokens }) =>
      add({ client, project: '', after: 0, added: 0, fetched: tokens, written: 0 }),
    ),
  ]
  return {
    projectOf,
    of: (name, budget) => {
      const period = periodAt(budget.period, now())
      return { sum: sumOf(name, period.key), period }
    },
    sumWith: (name, budget, client, tokens) => {
      const price = priceOf()
      const own = [...expected.values()].filter((call) => concerns(budget, call.client, call.project))
      return [...own.map((call) => spentBy(call.client, call.tokens)), spentBy(client, tokens)].reduce(
        (sum, spent) => addSpent(sum, spent, price),
        sumOf(name, periodAt(budget.period, now()).key),
      )
    },
    expect: ({ id, ...call }) => {
      expected.set(id, call)
      const [oldest] = expected.keys()
      if (expected.size > MOST_EXPECTED && oldest !== undefined) expected.delete(oldest)
    },
    refresh,
    close: () => stops.forEach((stop) => stop()),
  }
}
