import { formatMoney } from '../../../shared/format-money.ts'
import { expect, test } from 'vitest'
import {
  formatBytes,
  formatCount,
  formatMs,
  formatNoun,
  formatShare,
  formatShort,
} from '../../../renderer/format/numbers.ts'

test.each([
  [0, '0'],
  [1234567, '1,234,567'],
  [-42, '−42'],
])('counts: %d is %s', (value, text) => expect(formatCount(value)).toBe(text))

test.each([
  [950, '950'],
  [1000, '1 k'],
  [12_400, '12.4 k'],
  [99_960, '100 k'],
  [999_499, '999 k'],
  [999_500, '1 M'],
  [3_100_000, '3.1 M'],
  [-12_400, '−12.4 k'],
])('short: %d is %s', (value, text) => expect(formatShort(value)).toBe(text))

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [4200, '4.2 kB'],
  [999_949, '1.0 MB'],
  [81_000_000, '81.0 MB'],
  [250_000_000, '250 MB'],
])('bytes: %d is %s', (value, text) => expect(formatBytes(value)).toBe(text))

test.each([
  [0.44, '0.4 ms'],
  [9.96, '10 ms'],
  [12.4, '12 ms'],
  [999.6, '1.0 s'],
  [3100, '3.1 s'],
])('milliseconds: %d is %s', (value, text) => expect(formatMs(value)).toBe(text))

test('a share says 100 % only where nothing is left', () => {
  expect(formatShare(1000, 100)).toBe('−90 %')
  expect(formatShare(182_738, 1)).toBe('−99 %')
  expect(formatShare(182_738, 0)).toBe('−100 %')
  expect(formatShare(100, 100)).toBe('')
  expect(formatShare(100, 120)).toBe('')
})

test('money shows cents only where they matter', () => {
  expect(formatMoney(11.716)).toBe('$11.72')
  expect(formatMoney(0.25)).toBe('$0.250')
  expect(formatMoney(0.0042)).toBe('$0.0042')
  expect(formatMoney(0)).toBe('$0.00')
  expect(formatMoney(-3)).toBe('−$3.00')
})

test('one and many', () => {
  expect(formatNoun(1, 'call')).toBe('1 call')
  expect(formatNoun(0, 'call')).toBe('0 calls')
  expect(formatNoun(2000, 'entry', 'entries')).toBe('2,000 entries')
})
