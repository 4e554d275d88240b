import { describe, expect, test } from 'vitest'
import { measureColumn } from '../../../../electron/engine/text/tables/measure-column.ts'
import { recordsStrategy } from '../../../../electron/engine/compression/strategies/records.ts'

const measure = (texts: readonly string[]) => measureColumn(texts.length, (place) => texts[place] ?? '')
const DAY = 86_400

describe('durations are measures in seconds', () => {
  test.each([
    ['12 weeks ago|3 days ago|About an hour ago|5 seconds ago', [84 * DAY, 3 * DAY, 3600, 5]],
    ['41d|2d3h|58s|3h12m|5m', [41 * DAY, 2 * DAY + 10_800, 58, 11_520, 300]],
    ['Up 3 hours|Up 2 weeks (healthy)|Up About a minute', [10_800, 14 * DAY, 60]],
    ['41 days, 2 hours ago|1 minute, 4 seconds ago|12 seconds ago', [41 * DAY + 7200, 64, 12]],
    ['00:41:07|1-02:03:04|3 days, 1:00:00', [2467, DAY + 7384, 3 * DAY + 3600]],
    ['1.5s|2m30s|800ms', [1.5, 150, 0.8]],
  ])('%s', (texts, seconds) => {
    expect([...(measure(texts.split('|'))?.values ?? [])]).toEqual(seconds)
  })

  test('but what has hours of a day only, or is no span, is none', () => {
    expect(measure(['09:15', '10:30', '11:00'])?.kind).toBe('number')
    expect(measure(['up to date', 'in progress', 'for sale'])).toBeUndefined()
  })
})

test.each([
  ['$1,234|€ 5|−3.5|(45)', [1234, 5, -3.5, -45]],
  ['7[2]|12 [note 3]|5', [7, 12, 5]],
  ['38:29.7|4:03.25|59:00', [2309.7, 243.25, 3540]],
  ['1,234.5|12|7', [1234.5, 12, 7]],
  ['12.5 %|3 %', [12.5, 3]],
  ['3.2M|1.5k', [3_200_000, 1500]],
  ['12 km|3 km', [12, 3]],
])('numbers of tables: %s', (texts, values) => {
  expect([...(measure(texts.split('|'))?.values ?? [])]).toEqual(values)
})

test('dates are ordered however they are written', () => {
  const written = ['1899-02-01', '12 March 1901', 'June 22, 1901', '1901-12-01', '5 Jan 1902']
  const column = measure(written)
  const values = [...(column?.values ?? [])]
  expect(column?.kind).toBe('date')
  expect(values).toEqual(values.toSorted((a, b) => a - b))
  expect(values.some(Number.isNaN)).toBe(false)
})

test.each([
  '20251104|20260119|20260120',
  '20251104T080000Z|20260119T235900|20260120T000000+0100',
  '20251104080000|20260119235900|20260120000000',
  'b. 1898/11/04|b. 1902/01/19|b. 1902/01/20',
])('dates without signs between, or behind a label: %s', (texts) => {
  const column = measure(texts.split('|'))
  const values = [...(column?.values ?? [])]
  expect(column?.kind).toBe('date')
  expect(values).toEqual(values.toSorted((a, b) => a - b))
  expect(new Set(values).size).toBe(3)
})

test('numbers that are no days are none', () => {
  expect(measure(['20261304', '20269919', '19000020'])?.kind).toBe('number')
})

test('order numbers of which most look like days keep those that do not', () => {
  const column = measure(Array.from({ length: 40 }, (_, i) => `${20_240_101 + i}`))
  expect(column?.kind).toBe('number')
  expect([...(column?.values ?? [])].at(-1)).toBe(20_240_140)
})

test('no day, written as zeros, leaves the others days', () => {
  const column = measure(['20251104', '00000000', '20260120'])
  expect(column?.kind).toBe('date')
  expect([...(column?.values ?? [])].map(Number.isNaN)).toEqual([false, true, false])
})

test.each([
  'none|—|n/a',
  'version 3|release x',
  'a long cell of words that ends in 5|and another one with 6',
])('no order: %s', (texts) => {
  expect(measure(texts.split('|'))).toBeUndefined()
})

describe('the end of a column that a goal asks for', () => {
  const NAMES = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'haven', 'inlet', 'jetty']
  const AGES = ['4d', '3h', '12d', '212d', '9m', '45d', '2d6h', '31s', '88d', '5h']
  const row = (cells: readonly string[]): string => cells.map((cell) => cell.padEnd(26)).join('')
  const table = (name: string, values: readonly string[]): string =>
    [['JOB', 'OWNER', name], ...NAMES.map((job, i) => [job, `team-${i % 3} of the harbour`, values[i] ?? ''])]
      .map(row)
      .join('\n')

  test.each([
    ['the oldest job', 'AGE', AGES, 'delta'],
    ['which job is the newest', 'AGE', AGES, 'haven'],
    ['which job runs longest', 'ELAPSED', AGES, 'delta'],
    [
      'oldest job',
      'CREATED',
      AGES.map(
        (age) =>
          `${parseInt(age)} ${age.endsWith('d') ? 'days' : age.endsWith('h') ? 'hours' : 'minutes'} ago`,
      ),
      'delta',
    ],
  ])('%s by %s', (goal, name, values, expected) => {
    const shown = recordsStrategy.compress({ text: table(name, values), goal, budget: 60 })?.text ?? ''
    expect(shown).toContain(expected)
  })
})
