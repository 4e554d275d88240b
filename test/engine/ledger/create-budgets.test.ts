import { describe, expect, test } from 'vitest'
import { readingWorld } from '../../helpers/reading-world.ts'

const short = /^\[Compressed: \d+→(\d+) tokens, strategy: [^,\]]+(?:, budget: ([^,\]]+))?,/
const DAY = 86_400_000

/** A budget of a month, whose clock the test moves. */
async function budgetWorld(budgets: Record<string, unknown>, settings: Record<string, unknown> = {}) {
  const clock = { now: new Date(2026, 10, 10, 12).getTime() }
  const world = await readingWorld(
    { budgets, compression: { escalationSeconds: 0 }, ...settings },
    { now: () => clock.now },
  )
  const told: string[] = []
  world.engine.events.on('budget-step', ({ budget, from, period }) =>
    told.push(`${budget} ${from} ${period}`),
  )
  await world.engine.budgets.states()
  const client = await world.connect()
  let count = 0
  /** Tokens of a shortened result, and the budget that its header names. */
  const get = async (
    args: Record<string, unknown> = { n: count++ },
  ): Promise<[number, string | undefined]> => {
    clock.now++
    const [, tokens, budget] = short.exec(await client.text('same', args)) ?? []
    await world.rows(1)
    return [Number(tokens), budget]
  }
  return { ...world, clock, told, get }
}

describe('a budget that is nearly used', () => {
  test('makes results shorter by steps, says so, tells it once, and ends with its month', async () => {
    const { get, told, clock, engine, rows } = await budgetWorld({ team: { tokens: 10_000 } })
    const got: [number, string | undefined][] = []
    for (let call = 0; call < 20; call++) got.push(await get())
    const at = (budget: string | undefined) =>
      got.filter(([, named]) => named === budget).map(([tokens]) => tokens)
    expect(got.map(([, budget]) => budget)).toEqual([
      ...Array.from(at(undefined), () => undefined),
      ...Array.from(at('team from 70 %'), () => 'team from 70 %'),
      ...Array.from(at('team from 90 %'), () => 'team from 90 %'),
    ])
    expect(Math.min(...at(undefined))).toBeGreaterThan(800)
    expect(Math.min(at('team from 70 %').length, at('team from 90 %').length)).toBeGreaterThan(0)
    expect(Math.max(...at('team from 70 %'))).toBeLessThanOrEqual(700)
    expect(Math.max(...at('team from 90 %'))).toBeLessThanOrEqual(500)
    // A step applies to the call that would cross it.
    const sums = got.map((_, index) => got.slice(0, index).reduce((sum, [tokens]) => sum + tokens, 0))
    for (const [index, [, named]] of got.entries())
      if (named === undefined) expect((sums[index] ?? 0) + (got[index]?.[0] ?? 0)).toBeLessThan(7_000)
    expect(told).toEqual(['team 0.7 2026-11', 'team 0.9 2026-11'])
    const [last] = await rows(1)
    expect(last).toMatchObject({ outcome: 'ok', note: 'budget: team from 90 %' })
    const [state] = await engine.budgets.states()
    const { totals } = await engine.ledger.report({ from: 0, to: clock.now + 1 })
    expect(state).toMatchObject({
      spent: totals.after + totals.added + totals.fetched,
      limit: 10_000,
      unit: 'tokens',
      period: '2026-11',
      step: { maxOutputTokens: 500 },
    })
    expect(state?.forecast).toBeCloseTo(((state?.spent ?? 0) * 30) / 9.5, 0)
    clock.now = new Date(2026, 11, 1, 0, 1).getTime()
    expect((await get())[1]).toBeUndefined()
  })

  test('counts calls under way, so that many at once cross no step', async () => {
    const { connect, clock } = await budgetWorld({ team: { tokens: 4_000 } })
    const { text } = await connect()
    clock.now++
    const texts = await Promise.all(Array.from({ length: 6 }, (_, n) => text('same', { n })))
    const whole = texts.filter((one) => short.exec(one)?.[2] === undefined)
    expect(whole.length).toBe(2)
  })

  test('the same call at the same step gives the same bytes, and at another step others', async () => {
    const { connect, set, engine, rows } = await budgetWorld({})
    const { text } = await connect()
    const first = await text('same', { again: 1 })
    await rows(1)
    set('budgets', { small: { tokens: 100, steps: [{ from: 0.5, maxOutputTokens: 300 }] } })
    await engine.budgets.states()
    const second = await text('same', { again: 1 })
    expect(short.exec(second)?.[2]).toBe('small from 50 %')
    expect(await text('same', { again: 1 })).toBe(second)
    set('budgets', { other: { tokens: 100, steps: [{ from: 0.4, maxOutputTokens: 300 }] } })
    await engine.budgets.states()
    expect(short.exec(await text('same', { again: 1 }))?.[2]).toBe('other from 40 %')
    set('budgets', {})
    expect(await text('same', { again: 1 })).toBe(first)
  })

  test('of another client, another folder or a larger step changes nothing; a whole original stays within reach', async () => {
    const steps = [{ from: 0.01, maxOutputTokens: 300 }]
    const { get, connect, engine } = await budgetWorld({
      other: { client: 'somebody', tokens: 1, steps },
      folder: { project: '/elsewhere', tokens: 1, steps },
      wide: { tokens: 1, steps: [{ from: 0.01, maxOutputTokens: 5000 }] },
      dear: { dollars: 0.001, steps },
    })
    await get()
    const [tokens, budget] = await get()
    expect(budget).toBeUndefined()
    expect(tokens).toBeGreaterThan(800)
    const states = await engine.budgets.states()
    expect(states.map(({ name, spent }) => [name, spent > 0])).toEqual([
      ['other', false],
      ['folder', false],
      ['wide', true],
      ['dear', false],
    ])
    expect(states[3]?.unpriced).toBe(states[2]?.spent)
    const { call } = await connect({ name: 'somebody' })
    for (let n = 0; n < 3; n++) await call('same', { n })
    expect((await call('same', { n: 9, _sluice_bypass: true })).content[0]?.text?.length).toBeGreaterThan(
      30_000,
    )
  })

  test('a restarted engine goes on with what the ledger says, and tells no step twice', async () => {
    const budgets = { team: { period: 'day', tokens: 3000 } }
    const first = await budgetWorld(budgets)
    for (let call = 0; call < 4; call++) await first.get()
    expect(first.told.at(-1)).toBe('team 0.9 2026-11-10')
    await first.engine.close()
    const now = (): number => first.clock.now
    const second = await readingWorld({ budgets }, { folder: first.folder, now })
    const told: unknown[] = []
    second.engine.events.on('budget-step', (step) => told.push(step))
    const [state] = await second.engine.budgets.states()
    expect(state?.step?.maxOutputTokens).toBe(500)
    const { text } = await second.connect()
    expect(short.exec(await text('same', { new: 1 }))?.[2]).toBe('team from 90 %')
    expect(told).toEqual([])
    first.clock.now += DAY
    expect(short.exec(await text('same', { new: 2 }))?.[2]).toBeUndefined()
  })
})
