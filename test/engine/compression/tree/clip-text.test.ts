import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clipText } from '../../../../electron/engine/compression/tree/clip-text.ts'
import { parseGoal } from '../../../../electron/engine/compression/rank/goal.ts'

const goal = parseGoal('When was the lighthouse lit?')

describe('clipText', () => {
  test('is never longer than asked for, and well-formed', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 400 }),
        fc.integer({ min: 2, max: 120 }),
        fc.boolean(),
        (text, longest, aimed) => {
          const clipped = clipText(text, longest, aimed ? goal : undefined)
          expect(clipped.length).toBeLessThanOrEqual(Math.max(longest, 2))
          expect(clipped.isWellFormed()).toBe(true)
        },
      ),
      { numRuns: 500 },
    )
  })

  test('keeps the sentence that fits the goal and marks the gaps', () => {
    const filler = 'The market opens early. '.repeat(30)
    const clipped = clipText(`${filler}The lighthouse was lit in 1797. ${filler}`, 120, goal)
    expect(clipped).toContain('The lighthouse was lit in 1797.')
    expect(clipped).toContain(' … ')
    expect(clipped.endsWith(' …')).toBe(true)
  })

  test('without a goal it keeps the beginning', () => {
    expect(clipText('One. Two. Three. Four.', 16, undefined)).toBe('One. Two. …')
  })

  test('cuts a text without any break', () => {
    expect(clipText('a'.repeat(5000), 50, goal)).toBe(`${'a'.repeat(49)}…`)
  })

  test('numbers with points are not torn apart', () => {
    const text = `${'Nothing here. '.repeat(20)}Version 3.14.15 of the lighthouse was lit. ${'Nothing here. '.repeat(20)}`
    expect(clipText(text, 100, goal)).toContain('3.14.15')
  })
})
