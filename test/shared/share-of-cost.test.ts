import { expect, test } from 'vitest'
import { shareOfCost } from '../../shared/share-of-cost.ts'

const cost = { money: 4, weighted: 1000 }
const part = { money: 1, weighted: 500 }

test('a share is of the money where each model has a price, else of the weighted tokens', () => {
  expect(shareOfCost(part, { cost, unpriced: [] })).toBe(0.25)
  expect(shareOfCost(part, { cost, unpriced: [{ model: 'new', requests: 1 }] })).toBe(0.5)
  expect(shareOfCost(part, { cost: { money: 0, weighted: 0 }, unpriced: [] })).toBeUndefined()
})
