import { expect, test } from 'vitest'
import { formatAgo, formatDuration, formatMoment } from '../../../renderer/format/times.ts'

const NOW = new Date(2026, 10, 22, 15, 30, 0).getTime()
const SECOND = 1000
const HOUR = 3_600_000

test.each([
  [10 * SECOND, 'just now'],
  [59.6 * SECOND, 'just now'],
  [60 * SECOND, '1 minute ago'],
  [59 * 60 * SECOND, '59 minutes ago'],
  [25 * HOUR, '1 day ago'],
  [-5 * SECOND, 'just now'],
])('%d ms before is %s', (before, text) => expect(formatAgo(NOW - before, NOW)).toBe(text))

test('a duration has its largest whole unit', () => {
  expect(formatDuration(NOW - 1 * SECOND, NOW)).toBe('1 second')
  expect(formatDuration(NOW - 3.9 * HOUR, NOW)).toBe('3 hours')
})

test('the day is named for what is not of today', () => {
  expect(formatMoment(NOW - HOUR, NOW)).toBe('14:30:00')
  expect(formatMoment(NOW - 24 * HOUR, NOW)).toBe('21 Nov 15:30')
})
