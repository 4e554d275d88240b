import { describe, expect, test } from 'vitest'
import { readDate, readNumber } from '../../../../electron/engine/text/tables/read-number.ts'

describe('readNumber', () => {
  test.each([
    ['12', 12],
    ['1,234.5', 1234.5],
    ['$1,234', 1234],
    ['€ 5', 5],
    ['−3.5', -3.5],
    ['(45)', -45],
    ['12.5 %', 12.5],
    ['3.2M', 3_200_000],
    ['414Mi', 414_000_000],
    ['28m', 28],
    ['12 km', 12],
    ['3 years', 3],
    ['1:02:03', 3723],
    ['38:29.7', 2309.7],
    ['1st', 1],
    ['7[2]', 7],
    ['.5', 0.5],
  ])('%s is %d', (cell, value) => {
    expect(readNumber(cell)).toBe(value)
  })

  test.each([
    '',
    'none',
    '—',
    'version 3',
    '2012-05-01',
    '29 September 1901',
    'a long cell of words that ends in 5',
  ])('"%s" is none', (cell) => {
    expect(readNumber(cell)).toBeNaN()
  })
})

describe('readDate', () => {
  test('orders dates however they are written', () => {
    const written = ['1899', '12 March 1901', 'June 22, 1901', '1901-12-01', '5 Jan 1902', '1903–04']
    const values = written.map(readDate)
    expect(values).toEqual(values.toSorted((a, b) => a - b))
    expect(values.some(Number.isNaN)).toBe(false)
  })

  test.each(['', 'Paris', '12', 'Room 1901 of the house'])('"%s" is none', (cell) => {
    expect(readDate(cell)).toBeNaN()
  })
})
