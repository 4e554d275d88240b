import { expect, test } from 'vitest'
import { onAskedDay, timesIn } from '../../../../electron/engine/compression/rank/asked-times.ts'

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

const WRITTEN = [
  '{"lvl":"info","ts":"2026-11-09T15:00:00Z"}',
  '10.0.0.1 - - [09/Nov/2026:10:06:19 +0100] "GET /"',
  'Nov  9 08:00:01 host sshd[9]: closed',
  'Mon, 09 Nov 2026 08:00:00 GMT',
  '09.11.2026 08:00 Anmeldung',
  '2026/11/09 08:00:00 [error] 7#7',
]
test.each(WRITTEN)('the day of %s', (line) => {
  for (const goal of [
    'what happened on 9 November',
    'errors on Nov 9',
    'lines of 2026-11-09',
    'on the 9th of November 2026',
  ])
    expect(onAskedDay(goal)?.(line), goal).toBe(true)
  for (const goal of ['what happened on 8 November', 'errors on Oct 9'])
    expect(onAskedDay(goal)?.(line)).toBe(false)
  expect(onAskedDay('how many of the 9 may fail')).toBeUndefined()
})
