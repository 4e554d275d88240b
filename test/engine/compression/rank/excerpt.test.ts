import * as fc from '../../../helpers/properties.ts'
import { describe, expect, test } from 'vitest'
import { excerpt } from '../../../../electron/engine/compression/rank/excerpt.ts'
import { parseGoal } from '../../../../electron/engine/compression/rank/goal.ts'

const goal = parseGoal('When was the lighthouse lit?')
/** Marks of what is left out, with the blank between two parts. */
const MARKS = 4

describe('excerpt', () => {
  test('is hardly longer than asked for, and well-formed', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 400 }),
        fc.integer({ min: 2, max: 120 }),
        fc.boolean(),
        (text, longest, isAimed) => {
          const cut = excerpt(text, longest, isAimed ? goal : undefined)
          expect(cut.length).toBeLessThanOrEqual(longest + MARKS)
          expect(cut.isWellFormed()).toBe(true)
        },
      ),
      { numRuns: 500 },
    )
  })

  test('keeps the part that fits the goal, and marks the gaps', () => {
    const filler = 'The market opens early. '.repeat(30)
    const cut = excerpt(`${filler}The lighthouse was lit in 1797. ${filler}`, 200, goal)
    expect(cut).toContain('The lighthouse was lit in 1797.')
    expect(cut).toMatch(/^The market .*… … ?.*…$/)
  })

  test('without a goal it keeps the beginning', () => {
    expect(excerpt('One. Two. Three. Four.', 16, undefined)).toBe('One. Two. Three.…')
  })

  test('shows nothing of a word that is too long, because nothing of it is whole', () => {
    expect(excerpt('a'.repeat(5000), 50, goal)).toBe('…')
  })

  test('numbers with points are not torn apart', () => {
    const filler = 'Nothing here. '.repeat(20)
    expect(excerpt(`${filler}Version 3.14.15 of the lighthouse was lit. ${filler}`, 100, goal)).toContain(
      '3.14.15',
    )
  })
})
