import * as fc from '../../helpers/properties.ts'
import { describe, expect, test } from 'vitest'
import { allocate } from '../../../electron/engine/compression/allocate.ts'
import type { Unit } from '../../../electron/engine/compression/unit.ts'
import { countTokens } from '../../../electron/engine/text/tokens/count-tokens.ts'

const line = (i: number, value: number, needs?: readonly number[]): Unit => ({
  text: `line number ${i}`,
  value,
  needs,
})

describe('allocate', () => {
  test('takes the most valuable units and prints them in document order', () => {
    const units = [line(0, 1), line(1, 9), line(2, 2), line(3, 8)]
    expect(allocate(units, { budget: 9, gap: '' })).toMatchObject({
      text: 'line number 1\nline number 3',
      taken: [1, 3],
    })
  })

  test('prints companions with the unit that needs them, and pays for them', () => {
    const units = [line(0, 0), line(1, 1), line(2, 9, [0])]
    const { taken } = allocate(units, { budget: 10, gap: '' })
    expect(taken).toEqual([0, 2])
  })

  test('leaves a unit out when its companions do not fit', () => {
    const units = [{ text: 'a very long heading '.repeat(20), value: 0 }, line(1, 1), line(2, 9, [0])]
    expect(allocate(units, { budget: 20, gap: '' }).taken).toEqual([1])
  })

  test('marks every gap once', () => {
    const units = Array.from({ length: 9 }, (_, i) => line(i, i % 4 === 1 ? 1 : 0))
    const { text } = allocate(units, { budget: 100, gap: (skipped) => `(${skipped} left out)` })
    expect(text).toBe('(1 left out)\nline number 1\n(3 left out)\nline number 5\n(3 left out)')
  })

  test('units without value are only printed as companions', () => {
    expect(allocate([line(0, 0), line(1, -1)], { budget: 100 }).taken).toEqual([])
  })

  test('equal values are taken in document order', () => {
    const units = Array.from({ length: 50 }, (_, i) => line(i, 1))
    expect(allocate(units, { budget: 30, gap: '' }).taken).toEqual(
      [0, 1, 2, 3, 4, 5, 6].slice(0, allocate(units, { budget: 30, gap: '' }).taken.length),
    )
  })

  test('texts are only made for units that come into question', () => {
    let made = 0
    const units = Array.from({ length: 10_000 }, (_, i) => ({
      value: i === 77 ? 2 : 1,
      text: () => {
        made++
        return `unit ${i}`
      },
    }))
    expect(allocate(units, { budget: 20 }).taken).toContain(77)
    expect(made).toBeLessThan(200)
  })

  test('says when everything is printed', () => {
    const units = [line(0, 1), line(1, 1)]
    expect(allocate(units, { budget: 100 })).toMatchObject({
      complete: true,
      text: 'line number 0\nline number 1',
    })
  })

  test('never goes over the budget', () => {
    const unit = fc.record({
      text: fc.oneof(fc.lorem({ maxCount: 12 }), fc.string({ unit: 'binary', maxLength: 30 })),
      value: fc.double({ min: -1, max: 10, noNaN: true }),
      needs: fc.array(fc.nat({ max: 19 }), { maxLength: 3 }),
    })
    fc.assert(
      fc.property(
        fc.array(unit, { minLength: 20, maxLength: 20 }),
        fc.nat({ max: 120 }),
        fc.constantFrom('', '…', '[…]'),
        (units, budget, gap) => {
          expect(countTokens(allocate(units, { budget, gap, costExponent: 0.3 }).text)).toBeLessThanOrEqual(
            budget,
          )
        },
      ),
      { numRuns: 300 },
    )
  })
})
