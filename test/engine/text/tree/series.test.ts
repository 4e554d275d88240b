import { describe, expect, test } from 'vitest'
import { childrenOf } from '../../../../electron/engine/text/tree/json-document.ts'
import { parseJson } from '../../../../electron/engine/text/tree/parse-json.ts'
import { describeSeries, isSeries } from '../../../../electron/engine/text/tree/series.ts'

const describeText = (text: string): unknown => {
  const document = parseJson(text)
  if (document === undefined || !isSeries(document, document.root)) throw new Error('This is no series.')
  return JSON.parse(describeSeries(document, document.root))
}
const isSeriesText = (text: string): boolean => {
  const document = parseJson(text)
  return document !== undefined && isSeries(document, document.root)
}

describe('series of numbers', () => {
  test('are told by length, ends, extremes with their places, mean and course', () => {
    const rising = Array.from({ length: 100 }, (_, i) => i + (i === 40 ? 500 : 0) - (i === 7 ? 50 : 0))
    expect(describeText(JSON.stringify(rising))).toEqual({
      numbers: 100,
      first: 0,
      min: -43,
      'min at': 7,
      max: 540,
      'max at': 40,
      mean: 54,
      course: 'rising',
      last: [97, 98, 99],
    })
  })

  test('say when they were least and most where a list beside them has the times, which are told by their ends', () => {
    const time = Array.from({ length: 60 }, (_, i) => `2026-11-27T${String(i % 24).padStart(2, '0')}:00`)
    const rain = time.map((_, i) => (i === 20 ? 11.7 : (i % 5) / 10))
    const document = parseJson(JSON.stringify({ time, rain, holidays: time.slice(1) }))!
    const [ofTime, ofRain, ofHolidays] = childrenOf(document, document.root)
    expect(JSON.parse(describeSeries(document, ofRain!))).toMatchObject({ max: 11.7, 'max at': time[20] })
    expect(isSeries(document, ofTime!)).toBe(true)
    expect(JSON.parse(describeSeries(document, ofTime!))).toEqual({
      dates: 60,
      first: time[0],
      last: time[59],
    })
    expect(isSeries(document, ofHolidays!)).toBe(false)
  })

  test('keep the digits of their numbers', () => {
    const text = `[${Array.from({ length: 80 }, (_, i) => `${i}.50`).join(',')}]`
    const document = parseJson(text)
    expect(document && describeSeries(document, document.root)).toContain('"max":79.50')
  })

  test('are printed whole when that is short', () => {
    const numbers = Array.from({ length: 20 }, (_, i) => i)
    expect(describeText(JSON.stringify(numbers))).toEqual(numbers)
  })

  test.each([
    ['constant', () => 5],
    ['falling', (i: number) => 100 - i],
    ['level', (i: number) => (i % 2 ? 1 : -1)],
  ])('course: %s', (course, at) => {
    expect(describeText(JSON.stringify(Array.from({ length: 90 }, (_, i) => at(i))))).toMatchObject({
      course,
    })
  })

  test('points of a time and a number, also as text, are series', () => {
    expect(isSeriesText(JSON.stringify(Array.from({ length: 9 }, (_, i) => [i, `${i}.5`])))).toBe(true)
    expect(isSeriesText(JSON.stringify(Array.from({ length: 9 }, (_, i) => [i, 'up'])))).toBe(false)
    expect(isSeriesText(JSON.stringify(Array.from({ length: 9 }, (_, i) => [i, ''])))).toBe(false)
  })

  test('short or mixed lists are not', () => {
    expect(isSeriesText('[1,2,3]')).toBe(false)
    expect(isSeriesText(JSON.stringify([...Array.from({ length: 30 }, (_, i) => i), 'x']))).toBe(false)
    expect(isSeriesText('{}')).toBe(false)
  })
})
