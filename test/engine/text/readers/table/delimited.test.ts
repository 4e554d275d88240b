import * as fc from '../../../../helpers/properties.ts'
import { expect, test } from 'vitest'
import { loadCompressor } from '../../../../../electron/engine/compression/load-compressor.ts'
import { readText } from '../../../../../electron/engine/text/readers/registry.ts'
import { valuesOf } from '../../../../../electron/engine/text/readers/reading-values.ts'
import { hasDecimal } from '../../../../../electron/engine/text/readers/table/delimited.ts'

const compress = await loadCompressor()
const zone = Array.from({ length: 40 }, (_, i) =>
  [
    `${['www', 'db', 'mail'][i % 3]}${i}.example.org.`,
    i === 17 ? 60 : 3600,
    'IN',
    i % 2 ? 'A' : 'TXT',
    `192.0.2.${i}`,
  ].join('\t'),
)
const text = ['; answer', ...zone, ';; Query time: 22 msec', ';; records: 40'].join('\n')

test('rows that tabs divide are a table, not settings below a comment; what nothing divides below is none of it', () => {
  const reading = readText(text)
  expect(reading?.format).toBe('table')
  expect(valuesOf(reading!)).toHaveLength(40)
  expect(compress({ text, goal: 'when was it asked', budget: 120 }).text).toContain(
    '\n;; Query time: 22 msec',
  )
})

test('the only one with the least is shown; the many that are equal and come next are not', () => {
  const shown = compress({ text, goal: 'entry with the shortest lifetime', budget: 120 }).text
  expect(shown).toContain(zone[17])
})

test('as many tabs as fill a column divide once', () => {
  const names = [
    'oak',
    'hornbeam-of-the-valley',
    'ash',
    'wild-service-tree-hedge',
    'elm',
    'yew',
    'box',
    'fir',
  ]
  const rows = names.map(
    (name, i) => `  ${name.padEnd(12)}${name.length < 12 ? '\t\t' : '\t'}${i % 3 ? '[cut]' : '[grown]'}`,
  )
  const values = valuesOf(readText(rows.join('\n'))!) as Record<string, string>[]
  expect(values.map((row) => Object.keys(row).length)).toEqual(names.map(() => 2))
  expect(values.map(({ column2 }) => column2).filter((value) => value === '[cut]')).toHaveLength(5)
})

test('empty cells of a table that tabs divide stay empty', () => {
  const rows = ['tree\tage\tkeeper', 'oak\t90\tAnn', 'ash\t\tBo', 'elm\t40\t', 'yew\t\tCy']
  expect(valuesOf(readText(rows.join('\n'))!)).toMatchObject([
    {},
    { keeper: 'Bo' },
    { age: '40' },
    { keeper: 'Cy' },
  ])
})

test('names behind a comment sign are no heading where other lines follow the rows', () => {
  const rows = Array.from({ length: 9 }, (_, i) => `pond${i},${i * 7},${i === 4 ? 'dry' : 'full'},,${i}`)
  const document = ['# name,depth,state,note,rank', ...rows, '', 'Name: survey', 'Version: 3', ''].join('\n')
  const shown = compress({ text: document, goal: 'which pond is dry', budget: 70 })
  expect(shown.text).toContain('pond4')
  expect(shown.text).toContain('dry')
})

test('the comma of a number behind words is told as by one pattern', () => {
  const pattern = /^[^,]*\p{L}[^,]*\s[-+]?\d[\d.]*,\d{1,3}(?!\d)/u
  const pieces = fc.constantFrom('a', 'ß', ' ', '\t', '-', '+', '.', ',', '1', '23', '4567', '№', '𝒳')
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 14 }), (parts) => {
      const pair = parts.join('')
      expect(hasDecimal(pair)).toBe(pattern.test(pair))
    }),
    { numRuns: 2000 },
  )
  expect(hasDecimal('Sum   30.987,93')).toBe(true)
  expect(hasDecimal('Sum, of 30,5')).toBe(false)
})

test('a long line with one comma is read in time that grows with its length, not with its square', () => {
  const line = `${'word and other words '.repeat(20_000)}end, that was it`
  const lines = Array.from({ length: 4 }, () => line).join('\n')
  // Minutes, if each letter were tried with each blank.
  expect(readText(lines)).toBeUndefined()
})
