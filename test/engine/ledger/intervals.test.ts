import { describe, expect, test } from 'vitest'
import { bootstrapMean, wilson } from '../../../electron/engine/ledger/intervals.ts'

describe('intervals', () => {
  // Newcombe 1998, table I.
  test.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])("Wilson's of %i in %i", (hits, total, low, high) => {
    const found = wilson(hits, total)
    expect(found.low).toBeCloseTo(low, 4)
    expect(found.high).toBeCloseTo(high, 4)
  })

  test('of nothing says nothing', () => {
    expect(wilson(0, 0)).toEqual({ low: 0, high: 1 })
    expect(bootstrapMean([])).toEqual({ low: 0, high: 0 })
  })

  test('a bootstrap is near the normal interval, narrows with more values, and repeats itself', () => {
    const values = Array.from({ length: 400 }, (_, index) => index % 20)
    const found = bootstrapMean(values)
    const half = (1.96 * Math.sqrt((20 ** 2 - 1) / 12)) / Math.sqrt(400)
    expect(found.low).toBeCloseTo(9.5 - half, 0)
    expect(found.high).toBeCloseTo(9.5 + half, 0)
    expect(bootstrapMean(values)).toEqual(found)
    const fewer = bootstrapMean(values.slice(0, 40))
    expect(fewer.high - fewer.low).toBeGreaterThan(2 * (found.high - found.low))
    expect(bootstrapMean([3, 3, 3])).toEqual({ low: 3, high: 3 })
  })
})
