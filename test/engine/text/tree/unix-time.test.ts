import { expect, test } from 'vitest'
import { unixTime } from '../../../../electron/engine/text/tree/unix-time.ts'

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
