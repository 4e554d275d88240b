import { expect, test } from 'vitest'
import { countTerms } from '../../../../electron/engine/text/words/count-terms.ts'
import { parseGoal } from '../../../../electron/engine/compression/rank/goal.ts'
import { widenGoal } from '../../../../electron/engine/compression/rank/widen-goal.ts'

const goal = parseGoal('Why was the last slow login refused?')
const wide = widenGoal(goal, 'authentication session', 0.2)
const weightOf = (word: string) =>
  wide.terms.reduce((sum, { weight }, id) => sum + weight * (countTerms(word, wide).counts?.[id] ?? 0), 0)

test('other words count, but less than those of the goal', () => {
  expect(weightOf('session')).toBeGreaterThan(0)
  expect(weightOf('session')).toBeLessThan(weightOf('refused') / 2)
})

test('the words of the goal keep their weight, its intent stays', () => {
  expect(countTerms('the login was refused', wide).counts?.reduce((a, b) => a + b)).toBe(
    countTerms('the login was refused', goal).counts?.reduce((a, b) => a + b),
  )
  expect([wide.text, wide.direction, wide.speaksOfTrouble]).toEqual([
    goal.text,
    goal.direction,
    goal.speaksOfTrouble,
  ])
  expect(wide.pairs.size).toBe(goal.pairs.size)
})

test('no words, no change', () => {
  expect(widenGoal(goal, '', 0.2)).toBe(goal)
})
