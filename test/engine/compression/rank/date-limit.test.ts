import { expect, test } from 'vitest'
import { dateLimitIn } from '../../../../electron/engine/compression/rank/date-limit.ts'

const day = (year: number, month: number, date: number): number => year * 372 + month * 31 + date

test.each([
  ['seen after 14 October', day(2026, 10, 15), day(2026, 10, 14) + 0.9],
  ['created after 2026-11-20', day(2026, 11, 21), day(2026, 11, 20) + 0.5],
  ['created since Nov 20th, 2026', day(2026, 11, 20), day(2026, 11, 19) + 0.9],
  ['hired before 2012', day(2011, 12, 31) + 0.9, day(2012, 1, 1)],
  ['hired after 2012', day(2013, 1, 1), day(2012, 12, 31) + 0.9],
  ['due until March 31', day(2026, 3, 31) + 0.9, day(2026, 4, 1)],
  ['older than May 2024', day(2024, 4, 30), day(2024, 5, 1)],
  ['before the 1st of January 2026', day(2025, 12, 31), day(2026, 1, 1)],
])('%s', (goal, wanted, other) => {
  const limit = dateLimitIn(goal)
  expect(limit?.isBeyond(wanted, 2026)).toBe(true)
  expect(limit?.isBeyond(other, 2026)).toBe(false)
})

test.each([
  'what happened on 9 November',
  'after the deployment',
  'the file before main.ts',
  'more than 2012 rows',
])('%s has no limit of dates', (goal) => {
  expect(dateLimitIn(goal)).toBeUndefined()
})
