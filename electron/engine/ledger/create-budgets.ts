import type { BudgetState } from '../../../shared/api/budgets.ts'
import type { BudgetSettings, BudgetStep } from '../../../shared/budget-settings.ts'
import type { Database } from '../ground/database/database.ts'
import { messageOf } from '../ground/errors.ts'
import type { Events } from '../ground/events.ts'
import type { Logger } from '../ground/logger.ts'
import type { ToolCall } from '../message/call.ts'
import type { Layer, Read } from '../message/layers.ts'
import { createPrices } from '../prices/create-prices.ts'
import type { SettingsStore } from '../settings/settings-store.ts'
import { concerns, limitOf, spentOf, stepFor, stepsAt } from './budgets/budget-sums.ts'
import { forecast } from './budgets/period.ts'
import { createSpending } from './budgets/spending.ts'
import type { Ledger } from './ledger.ts'
import { priceOfClients } from './model-of-client.ts'

declare module '../ground/events.ts' {
  interface EngineEvents {
    /** Once for each step and period. */
    'budget-step': { budget: string; from: number; maxOutputTokens: number; period: string }
  }
}

export interface Budgets {
  /** Nearing a budget, results get shorter. Never refuses. Fails open: as without budgets. */
  readonly applyBudget: Layer
  /** By name. */
  states(): Promise<BudgetState[]>
  close(): void
}

interface InForce {
  readonly name: string
  readonly step: BudgetStep
}

export function createBudgets(options: {
  readonly dataDir: string
  readonly settings: Pick<SettingsStore, 'current'>
  readonly ledger: Pick<Ledger, 'report'>
  readonly database: Pick<Database, 'write' | 'prepare'>
  readonly events: Events
  readonly logger: Logger
  /** Unix milliseconds. */
  readonly now: () => number
}): Budgets {
  const { settings, ledger, database, events, logger, now } = options
  const prices = createPrices(options)
  const budgets = (): Readonly<Record<string, BudgetSettings>> => settings.current.budgets
  const shareOf = (name: string, budget: BudgetSettings): number =>
    spentOf(budget, spending.of(name, budget).sum) / limitOf(budget)

  const notified = new Set<string>()
  const tell = (name: string, period: string, { from, maxOutputTokens }: BudgetStep): void => {
    const key = JSON.stringify([name, period, from])
    if (notified.has(key)) return
    notified.add(key)
    database
      .write(() => {
        const sql = 'INSERT OR IGNORE INTO budget_notices (budget, period, step) VALUES (?, ?, ?)'
        const isNew = Number(database.prepare(sql).run(name, period, from).changes) > 0
        if (isNew) events.emit('budget-step', { budget: name, from, maxOutputTokens, period })
      })
      .catch((error: unknown) => logger.debug('a budget’s step was not noted', { cause: messageOf(error) }))
  }
  const checkSteps = (): void => {
    for (const [name, budget] of Object.entries(budgets())) {
      const { step } = stepsAt(budget, shareOf(name, budget))
      if (step) tell(name, spending.of(name, budget).period.key, step)
    }
  }
  const spending = createSpending({
    budgets,
    report: (range) => ledger.report(range),
    priceOf: () => priceOfClients(settings.current, prices),
    events,
    now,
    logger,
    onChange: checkSteps,
  })
  let of = budgets()
  const stop = events.on('settings-changed', () => {
    if (of === budgets()) return
    of = budgets()
    void spending.refresh()
  })
  if (Object.keys(of).length > 0) void spending.refresh()

  /** The shortest of all that concern a client; `most`: tokens that its result may have without one. */
  const stepOf = (client: string, project: string, most: number): InForce | undefined =>
    Object.entries(budgets())
      .filter(([, budget]) => concerns(budget, client, project))
      .flatMap(([name, budget]): InForce[] => {
        const shareWith = (tokens: number): number =>
          spentOf(budget, spending.sumWith(name, budget, client, tokens)) / limitOf(budget)
        const step = stepFor(budget, most, shareWith)
        return step ? [{ name, step }] : []
      })
      .reduce<InForce | undefined>(
        (least, one) => (least && least.step.maxOutputTokens <= one.step.maxOutputTokens ? least : one),
        undefined,
      )

  type Budgeted = Pick<ToolCall | Read, 'policy' | 'clientName' | 'sessionId'>
  const shorter = <Message extends Budgeted>(message: Message, id?: string): Message => {
    if (Object.keys(budgets()).length === 0) return message
    try {
      const { clientName: client, policy, sessionId } = message
      const project = spending.projectOf(sessionId)
      const { compression } = policy
      const found = stepOf(client, project, compression.maxOutputTokens)
      const isShorter = found !== undefined && found.step.maxOutputTokens < compression.maxOutputTokens
      const most = isShorter ? found.step.maxOutputTokens : compression.maxOutputTokens
      if (id !== undefined) spending.expect({ id, client, project, tokens: most })
      if (!isShorter) return message
      const { tokenThreshold = Infinity, from } = found.step
      return {
        ...message,
        budgetStep: `${found.name} from ${Math.round(100 * from)} %`,
        policy: {
          ...policy,
          compression: {
            ...compression,
            maxOutputTokens: most,
            tokenThreshold: Math.min(compression.tokenThreshold, tokenThreshold),
          },
        },
      }
    } catch (error) {
      logger.warn('a result was shortened without its budget', { cause: messageOf(error) })
      return message
    }
  }

  return {
    applyBudget: {
      call: (next) =>
        async function applyBudget(call) {
          return next(shorter(call, call.id))
        },
      read: (next) => async (read) => next(shorter(read)),
    },
    states: async () => {
      await spending.refresh()
      return Object.entries(budgets()).map(([name, budget]): BudgetState => {
        const { sum, period } = spending.of(name, budget)
        const spent = spentOf(budget, sum)
        const { step, next } = stepsAt(budget, spent / limitOf(budget))
        const expected = forecast(spent, period, now())
        return {
          name,
          ...(budget.client !== undefined && { client: budget.client }),
          ...(budget.project !== undefined && { project: budget.project }),
          unit: budget.tokens === undefined ? 'dollars' : 'tokens',
          limit: limitOf(budget),
          spent,
          unpriced: budget.tokens === undefined ? sum.unpriced : 0,
          period: period.key,
          ends: period.to,
          ...(expected !== undefined && { forecast: expected }),
          ...(step && { step }),
          ...(next && { next }),
        }
      })
    },
    close: () => {
      stop()
      spending.close()
    },
  }
}
