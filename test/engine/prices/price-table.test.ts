import { describe, expect, it } from 'vitest'
import { costOf, worthOf, type Usage } from '../../../electron/engine/prices/cost.ts'
import { modelKey } from '../../../electron/engine/prices/model-key.ts'
import { OwnPrices, priceTable } from '../../../electron/engine/prices/price-table.ts'
import shipped from '../../../resources/prices.json' with { type: 'json' }

const NOW = Date.parse('2026-11-25T12:00:00Z')
const table = (own: unknown = {}) => priceTable(shipped, OwnPrices.parse(own), NOW)
const usage = (part: Partial<Usage>): Usage => ({
  uncached: 0,
  write: 0,
  longWrite: 0,
  read: 0,
  output: 0,
  ...part,
})
const priceOf = (model: string, own: unknown = {}, at = NOW) => {
  const price = table(own).find(model, at)
  if (!price) throw new Error(`no price of ${model}`)
  return price
}

describe('the shipped prices', () => {
  it('have a date, a source and complete cache rules in each row', () => {
    for (const price of table().list) {
      expect(price.date, price.model).toMatch(/^2026(-\d\d){1,2}$/)
      expect(price.source, price.model).not.toBe('')
      expect(price.cache, price.model).toBeDefined()
      expect(price.outputPerMillion, price.model).toBeGreaterThan(price.inputPerMillion)
      expect(price.cache?.read, price.model).toBeLessThan(1)
    }
  })

  it('have no two models under one name, unless on different days', () => {
    const names = shipped.prices.flatMap((row) =>
      [row.model, ...('aliases' in row ? (row.aliases ?? []) : [])].map(
        (name) => `${modelKey(name)} ${'from' in row ? row.from : ''}`,
      ),
    )
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  // What Claude Code 2.1.330 charged for known counts.
  it.each([
    ['claude-opus-5-5', 4, 20, 5, 8, 0.2],
    ['claude-sonnet-5-5', 2, 10, 2.5, 4, 0.1],
    ['claude-haiku-5-5', 0.1, 0.5, 0.125, 0.2, 0.01],
    ['claude-fable-5-2', 8, 40, 10, 16, 0.2],
    ['claude-opus-4-8', 5, 25, 6.25, 10, 0.5],
  ])('charge %s as its client does', (model, input, output, write, longWrite, read) => {
    const price = priceOf(model)
    const charged = (['uncached', 'output', 'write', 'longWrite', 'read'] as const).map(
      (kind) => (costOf(usage({ [kind]: 100_000 }), price)?.total ?? NaN) * 10,
    )
    for (const [index, wanted] of [input, output, write, longWrite, read].entries())
      expect(charged[index]).toBeCloseTo(wanted, 9)
  })

  it('give the total of a session that its client printed', () => {
    const session = usage({ uncached: 290, output: 580, write: 14_500, read: 58_000 })
    expect(costOf(session, priceOf('claude-opus-5-5'))?.total).toBeCloseTo(0.09686, 10)
  })

  it('charge a whole request by its length', () => {
    const price = priceOf('claude-haiku-5-5')
    expect(costOf(usage({ read: 90_000, uncached: 10_000 }), price)?.uncached).toBeCloseTo(0.001, 10)
    const longer = costOf(usage({ read: 90_001, uncached: 10_000, output: 1_000 }), price)
    expect(longer?.uncached).toBeCloseTo(0.005, 10)
    expect(longer?.output).toBeCloseTo(0.0025, 10)
    expect(worthOf(1_000_000, price, 'write', 100_001)).toBeCloseTo(0.625, 10)
  })

  it('follow the day', () => {
    const on = (model: string, day: string) => priceOf(model, {}, Date.parse(`${day}T12:00:00Z`))
    expect(on('claude-sonnet-5.5', '2026-10-06').cache?.read).toBe(0.1)
    expect(on('claude-sonnet-5.5', '2026-10-07').cache?.read).toBe(0.05)
    expect(on('gemini-3.8-flash', '2026-12-31').inputPerMillion).toBe(0.75)
    expect(on('gemini-3.8-flash', '2027-01-01').inputPerMillion).toBe(1.5)
    expect(table().find('claude-sonnet-5.5', Date.parse('2026-09-01T00:00:00Z'))).toBeUndefined()
    expect(table().list.filter(({ model }) => model === 'claude-sonnet-5.5')).toHaveLength(1)
  })
})

describe('names of models', () => {
  it.each([
    'claude-opus-5-5',
    'claude-opus-5.5',
    'Claude-Opus-5-5[1m]',
    'anthropic/claude-opus-5.5',
    'us.anthropic.claude-opus-5-5-20260922-v1:0',
    'claude-opus-5-5@20260922',
    'claude-opus-5-5-latest',
  ])('finds %s', (name) => {
    expect(priceOf(name).model).toBe('claude-opus-5.5')
  })

  it.each(['', 'gpt', 'claude-opus-5-5-mini', 'claude-opus', 'gpt-5.4-mini:free', 'llama3', '__proto__'])(
    'does not guess %j',
    (name) => {
      expect(table().find(name)).toBeUndefined()
    },
  )

  it('follows an alias', () => {
    expect(priceOf('gpt-5.6').model).toBe('gpt-5.6-sol')
    expect(priceOf('models/gemini-2.5-pro').provider).toBe('Google')
  })
})

describe("the user's prices", () => {
  it('in the first form go before the shipped ones and keep the rest of the row', () => {
    const own = { chosen: 'x', prices: { 'claude-opus-5.5': { inputPerMillion: 3, date: '2026-10-01' } } }
    const price = priceOf('claude-opus-5-5', own)
    expect(price).toMatchObject({ inputPerMillion: 3, outputPerMillion: 20, isOwn: true, source: 'you' })
    expect(price.cache?.read).toBe(0.05)
    expect(table(own).list.filter(({ model }) => model === 'claude-opus-5.5')).toEqual([price])
  })

  it('of a model that nobody else knows: input is priced, cache and output are not guessed', () => {
    const own = { prices: { 'my model': { inputPerMillion: 3, date: '2026-10-01' } } }
    const price = priceOf('My Model', own)
    expect(costOf(usage({ uncached: 1_000_000 }), price)?.total).toBe(3)
    expect(costOf(usage({ uncached: 1, output: 1 }), price)).toBeUndefined()
    expect(costOf(usage({ uncached: 1, read: 1 }), price)).toBeUndefined()
    expect(worthOf(1_000_000, price, 'write')).toBe(3)
    expect(worthOf(1_000_000, price, 'read')).toBe(0)
  })

  it('may change single cache rules of a known model', () => {
    const own = {
      prices: { 'gpt-5.5': { inputPerMillion: 5, cache: { read: 0.2 }, date: '2026-10-01' } },
    }
    expect(priceOf('gpt-5.5', own).cache).toMatchObject({ write: 1, read: 0.2, minimumTokens: 1024 })
  })
})

describe('what saved tokens are worth', () => {
  it('depends on how they would have entered', () => {
    const price = priceOf('claude-opus-5-5')
    expect(worthOf(1_000_000, price, 'plain')).toBe(4)
    expect(worthOf(1_000_000, price, 'write')).toBe(5)
    expect(worthOf(1_000_000, price, 'longWrite')).toBe(8)
    expect(worthOf(1_000_000, price, 'read')).toBeCloseTo(0.2, 10)
    expect(worthOf(-1_000_000, price, 'write')).toBe(-5)
  })
})
