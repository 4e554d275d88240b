import { expect, test } from 'vitest'
import { sharedText } from '../../../../electron/engine/compression/lines/share-of-kind.ts'

test('what all lines say stays, numbers too; what differs becomes a gap, and no part of a path stays', () => {
  expect(sharedText(['took 5 of 10 ms for /api/v1/users/7', 'took 9 of 10 ms for /api/v1/users/8'])).toBe(
    'took … of 10 ms for /…',
  )
})

test('addresses and times become one gap', () => {
  expect(sharedText(['from 10.0.0.1 at 10:22', 'from 10.9.1.2 at 11:23'])).toBe('from … at …')
})

test('one line alone stays as it is', () => {
  expect(sharedText(['user 5 left'])).toBe('user 5 left')
})

test('of lines of different shape what they share at both ends stays', () => {
  expect(sharedText(['wrote 5 files', 'wrote 6 files to disk'])).toBe('wrote …')
  expect(sharedText(['wrote 5 files', 'wrote six or 7 files'])).toBe('wrote … files')
})
