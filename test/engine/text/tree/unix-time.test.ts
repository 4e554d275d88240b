import { expect, test } from 'vitest'
import { timeOf, unixTime } from '../../../../electron/engine/text/tree/unix-time.ts'

test.each([
  ['1771545600', '2026-02-20 00:00'],
  ['1771592400123', '2026-02-20 13:00'],
  ['1512085950.000216', '2017-11-30 23:52'],
])('%s is %s', (source, time) => {
  expect(unixTime(source)).toBe(time)
})

test.each(['177154560', '17715456001', '4912345678901', '0123456789', '1771545600s', '1771545600.', ''])(
  '%s is no time',
  (source) => {
    expect(unixTime(source)).toBeUndefined()
  },
)

test.each([
  ['2026-02-20T13:00:05Z', '2026-02-20T13:00'],
  ['20260220', '2026-02-20'],
  ['20260220T130005Z', '2026-02-20 13:00'],
  ['1771545600', '2026-02-20 00:00'],
])('the date of %s is %s', (source, time) => {
  expect(timeOf(source)).toBe(time)
})

test.each(['20261320', '20260232', '2026022', '202602201', '20260220-7'])('%s is no date', (source) => {
  expect(timeOf(source)).toBeUndefined()
})
