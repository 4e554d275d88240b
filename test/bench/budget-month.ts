/**
 * `node test/bench/budget-month.ts`: a month of 1,200 results of test/cases under a budget that is nearly overrun, with
 * an injected clock: the length of results by day, and how many answers are kept at each step. `--budget 0.85`: share
 * of what the month would use without it.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadCompressor } from '../../electron/engine/compression/load-compressor.ts'
import { openDatabase } from '../../electron/engine/ground/database/database.ts'
import { createEvents } from '../../electron/engine/ground/events.ts'
import { silentLogger } from '../../electron/engine/ground/logger.ts'
import { createBudgets } from '../../electron/engine/ledger/create-budgets.ts'
import { createLedger } from '../../electron/engine/ledger/ledger.ts'
import type { CallTool, ToolCall } from '../../electron/engine/message/call.ts'
import { BUILT_IN_POLICY } from '../../shared/policy.ts'
import { Settings } from '../../shared/settings.ts'
import { judge } from '../cases/judge.ts'
import { readCases, type Case } from '../cases/read-cases.ts'

const { values } = parseArgs({ options: { budget: { type: 'string', default: '0.85' } } })
const DAYS = 30
const A_DAY = 40
const HOUR = 3_600_000

const compress = await loadCompressor()
const wanted = readCases().filter(({ tokens }) => tokens > BUILT_IN_POLICY.compression.tokenThreshold)
/** Spread over all families, always the same ones. */
const used = Array.from(
  { length: DAYS * A_DAY },
  (_, index) => wanted[(index * 7919) % wanted.length] as Case,
)

const shorten = (one: Case, call: ToolCall) =>
  compress({
    text: one.document,
    goal: one.goal || undefined,
    budget: call.policy.compression.maxOutputTokens,
    resultId: 'r_000000',
    budgetStep: call.budgetStep,
  })

interface Day {
  readonly results: number
  readonly tokens: number
  readonly steps: ReadonlySet<string>
}
const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
const clock = { now: new Date(2026, 10, 1, 8).getTime() }
const now = (): number => clock.now
const events = createEvents(silentLogger)
const database = openDatabase({ path: ':memory:', logger: silentLogger, now })
const ledger = createLedger({ database, events })

async function month(budget: number | undefined) {
  clock.now = new Date(2026, budget === undefined ? 8 : 10, 1, 8).getTime()
  const first = clock.now
  const settings = Settings.parse({ budgets: budget === undefined ? {} : { month: { tokens: budget } } })
  const budgets = createBudgets({
    dataDir: folder,
    settings: { current: settings },
    ledger,
    database,
    events,
    logger: silentLogger,
    now,
  })
  const told: string[] = []
  const stop = events.on('budget-step', ({ from }) =>
    told.push(`${Math.round(100 * from)} % on day ${dayOf() + 1}`),
  )
  const dayOf = (): number => Math.floor((clock.now - first) / (24 * HOUR))
  const days: Day[] = []
  const kept = new Map<string, number[]>()
  for (const [index, one] of used.entries()) {
    clock.now = first + Math.floor(index / A_DAY) * 24 * HOUR + (index % A_DAY) * (HOUR / 4)
    const at = clock.now
    const innermost: CallTool = async (call) => {
      const { text, tokensBefore, tokensAfter } = shorten(one, call)
      const step = call.budgetStep ?? 'without'
      const limit = call.policy.compression.maxOutputTokens
      kept.set(step, [...(kept.get(step) ?? []), judge(one, text, limit).strict])
      const day = days[dayOf()] ?? { results: 0, tokens: 0, steps: new Set<string>() }
      days[dayOf()] = {
        results: day.results + 1,
        tokens: day.tokens + tokensAfter,
        steps: new Set([...day.steps, step]),
      }
      ledger.recordCall({
        id: `${budget ?? 0} ${index}`,
        at,
        client: 'bench',
        session: 's',
        server: one.family,
        tool: one.tool,
        outcome: 'ok',
        tokensBefore,
        tokensAfter,
        tokensAdded: 0,
        strategy: undefined,
        resultId: undefined,
        ms: 0,
        cached: false,
        note: undefined,
      })
      return { result: {} }
    }
    await budgets.applyBudget.call?.(innermost)(callOf(one))
  }
  const [state] = await budgets.states()
  stop()
  budgets.close()
  return { days, kept, told, state, tokens: days.reduce((sum, { tokens }) => sum + tokens, 0) }
}

const callOf = (one: Case): ToolCall => ({
  id: 'c',
  clientName: 'bench',
  sessionId: 's',
  serverId: one.family,
  tool: one.tool,
  arguments: {},
  definition: undefined,
  policy: {
    ...BUILT_IN_POLICY,
    hidden: false,
    description: undefined,
    hideParameters: [],
    parameterOverrides: {},
  },
  goal: one.goal,
  bypass: false,
  signal: new AbortController().signal,
})

const count = (value: number): string => Math.round(value).toLocaleString('en-US')
const free = await month(undefined)
const limit = Math.round(free.tokens * Number(values.budget))
const held = await month(limit)
console.log(
  `without a budget: ${count(free.tokens)} tokens in ${DAYS * A_DAY} results; budget: ${count(limit)}`,
)
console.log('day  tokens a result  without  used  step')
let spent = 0
for (const [index, { results, tokens, steps }] of held.days.entries()) {
  spent += tokens
  const without = free.days[index]
  console.log(
    [
      String(index + 1).padStart(3),
      count(tokens / results).padStart(15),
      count((without?.tokens ?? 0) / (without?.results ?? 1)).padStart(8),
      `${Math.round((100 * spent) / limit)} %`.padStart(6),
      ` ${[...steps].join(', ')}`,
    ].join(' '),
  )
}
console.log(
  `used: ${count(held.tokens)}, ${Math.round((100 * held.tokens) / limit)} % of the budget; told: ${held.told.join(', ')}`,
)
for (const [step, shares] of held.kept)
  console.log(
    `answers kept, ${step}: ${((100 * shares.reduce((a, b) => a + b, 0)) / shares.length).toFixed(1)} % of ${shares.length}`,
  )
console.log('\nall cases once, at each step:')
for (const budget of [BUILT_IN_POLICY.compression.maxOutputTokens, 700, 500]) {
  const shares = wanted.map((one) => {
    const output = compress({ text: one.document, goal: one.goal || undefined, budget, resultId: 'r_000000' })
    return judge(one, output.text, budget).strict
  })
  console.log(
    `${budget} tokens: ${((100 * shares.reduce((a, b) => a + b, 0)) / shares.length).toFixed(1)} % of ${shares.length}`,
  )
}
database.close()
rmSync(folder, { recursive: true, force: true })
