import { describe, expect, test } from 'vitest'
import { BudgetName, BudgetSettings } from '../../../../shared/budget-settings.ts'
import {
  addSpent,
  concerns,
  nothing,
  stepsAt,
} from '../../../../electron/engine/ledger/budgets/budget-sums.ts'
import { forecast, periodAt } from '../../../../electron/engine/ledger/budgets/period.ts'
import { OwnPrices, priceTable } from '../../../../electron/engine/prices/price-table.ts'
import shipped from '../../../../resources/prices.json' with { type: 'json' }

const budget = (fields: unknown = {}) => BudgetSettings.parse({ tokens: 1000, ...(fields as object) })

describe('a budget', () => {
  test('is of tokens or of dollars', () => {
    expect(() => BudgetSettings.parse({})).toThrow(/either tokens or dollars/)
    expect(() => BudgetSettings.parse({ tokens: 1, dollars: 1 })).toThrow(/either tokens or dollars/)
    expect(() => BudgetName.parse('a]\nb')).toThrow()
    expect(BudgetName.parse('Büro 2')).toBe('Büro 2')
  })

  test.each([
    [{}, 'any', '', true],
    [{ client: 'codex' }, 'codex', '', true],
    [{ client: 'codex' }, 'cursor', '', false],
    [{ project: '/home/me/shop' }, 'any', '/home/me/shop', true],
    [{ project: '/home/me/shop/' }, 'any', '/home/me/shop/web', true],
    [{ project: '/home/me/shop' }, 'any', '/home/me/shopping', false],
    [{ project: '/home/me/shop' }, 'any', '', false],
    [{ project: 'C:\\work\\shop' }, 'any', 'C:/work/shop', true],
    [{ project: '/', client: 'codex' }, 'cursor', '/', false],
  ])('of %o concerns %s in %j: %s', (fields, client, project, wanted) => {
    expect(concerns(budget(fields), client, project)).toBe(wanted)
  })

  test('has the last step that is reached, and the next one', () => {
    const { steps } = budget()
    const at = (share: number) => {
      const { step, next } = stepsAt({ steps: steps.toReversed() }, share)
      return [step?.maxOutputTokens, next?.maxOutputTokens]
    }
    expect(at(0)).toEqual([undefined, 700])
    expect(at(0.699)).toEqual([undefined, 700])
    expect(at(0.7)).toEqual([700, 500])
    expect(at(0.9)).toEqual([500, undefined])
    expect(at(5)).toEqual([500, undefined])
  })

  test('counts what a client got, once, as written; without a price it counts tokens only', () => {
    const price = priceTable(shipped, OwnPrices.parse({}), Date.parse('2026-11-25')).find('claude-opus-5.5')
    const spent = {
      client: 'c',
      project: '',
      model: '',
      after: 800_000,
      added: 100_000,
      fetched: 100_000,
      written: 0,
    }
    const sum = addSpent(nothing, spent, () => price)
    expect(sum).toEqual({ tokens: 1_000_000, dollars: 5, unpriced: 0 })
    expect(addSpent(sum, spent, () => undefined)).toEqual({
      tokens: 2_000_000,
      dollars: 5,
      unpriced: 1_000_000,
    })
  })
})

describe('a period', () => {
  test('is a local day or month', () => {
    const at = new Date(2026, 11, 31, 23, 59).getTime()
    expect(periodAt('month', at)).toEqual({
      key: '2026-12',
      from: new Date(2026, 11, 1).getTime(),
      to: new Date(2027, 0, 1).getTime(),
    })
    expect(periodAt('day', at)).toMatchObject({ key: '2026-12-31', to: new Date(2027, 0, 1).getTime() })
    expect(periodAt('day', at + 60_000).key).toBe('2027-01-01')
  })

  test('is foretold from its elapsed part, but not at its beginning', () => {
    const period = { key: '', from: 0, to: 1000 }
    expect(forecast(100, period, 250)).toBe(400)
    expect(forecast(100, period, 40)).toBeUndefined()
    expect(forecast(100, period, 1000)).toBe(100)
  })
})
