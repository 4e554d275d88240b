import { expect, it } from 'vitest'
import { readKinds } from '../../../../electron/engine/compression/lines/read-kinds.ts'
import { timeSpan } from '../../../../electron/engine/compression/lines/time-span.ts'

const spanOf = (...lines: string[]): string | undefined => timeSpan(readKinds(lines.join('\n')))

it('says the first and last time, the day once', () => {
  expect(spanOf('2026-05-01 10:00:01 a', 'b', '2026-05-01 10:09:00 c')).toBe(
    '2026-05-01 10:00:01 to 10:09:00',
  )
})

it('never begins inside a number', () => {
  expect(spanOf('20171223-22:15:29:606|a', '20171223-22:53:12:718|b')).toBe('22:15:29 to 22:53:12')
})

it('says none where a time is before the one above', () => {
  expect(spanOf('Built: Sat 11 May 2024 06:14:19 AM', 'Built: Fri 05 Aug 2022 04:07:04 AM')).toBeUndefined()
  expect(spanOf('Time: Sun Nov 29 10:38:32 2026', 'built on May  1 2025 09:21:09')).toBeUndefined()
  expect(spanOf('11 May 2024 06:14:19 a', '12 May 2024 06:14:19 b')).toBe(
    '11 May 2024 06:14:19 to 12 May 2024 06:14:19',
  )
})
