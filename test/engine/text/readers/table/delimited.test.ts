import { expect, test } from 'vitest'
import { loadCompressor } from '../../../../../electron/engine/compression/load-compressor.ts'
import { readText } from '../../../../../electron/engine/text/readers/registry.ts'
import { valuesOf } from '../../../../../electron/engine/text/readers/reading-values.ts'

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
