import { expect, test } from 'vitest'
import { timesIn } from '../../../../electron/engine/compression/rank/asked-times.ts'

test.each([
  ['load on 2026-02-20', '2026-02-20T13:00', '2026-02-21T13:00'],
  ['load at 13:45', '2026-02-20 13:45', '2026-02-20 13:50'],
  ['close at 1771545600', '2026-02-20 00:00 1771545600', '2026-02-21 00:00 1771632000'],
  ['close on 20 February', '2026-02-20 00:00', '2026-03-20 00:00'],
  ['close on Feb 3', '2026-02-03 00:00', '2026-02-13 00:00'],
  ['close on the 3rd of Sept. 2026', '2026-09-03', '2026-09-13'],
])('%s asks for a time', (goal, asked, other) => {
  expect(timesIn(goal)(asked)).toBe(true)
  expect(timesIn(goal)(other)).toBe(false)
})

test.each([undefined, 'which host is slow', 'the 10 largest of 250 files'])('%s asks for none', (goal) => {
  expect(timesIn(goal)('2026-02-20 13:45')).toBe(false)
})
