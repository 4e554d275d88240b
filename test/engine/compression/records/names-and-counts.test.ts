import { expect, test } from 'vitest'
import { loadCompressor } from '../../../../electron/engine/compression/load-compressor.ts'

const compress = await loadCompressor()
const csvOf = (rows: readonly Readonly<Record<string, string | number>>[]): string =>
  [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))]
    .map((row) => row.join(','))
    .join('\n')

const LICENCES = ['MIT', 'MIT', 'ISC', 'MIT', 'Apache-2.0', 'MIT', 'BSD-3-Clause', 'MIT']
const NAMES = 'box tar zip path glob tree walk link read mime'.split(' ')
const TITLES = 'Mill Bridge Weaver Garden Chapel Lake Orchard Market Mirror Shepherd'.split(' ')
const packages = Array.from({ length: 160 }, (_, i) => ({
  package:
    i === 31
      ? 'error-ex31'
      : i === 77
        ? 'es-errors77'
        : `${NAMES[i % 10]}-${NAMES[(i * 7 + Math.floor(i / 10)) % 10]}${i}`,
  license: i === 90 ? 'Python-2.0' : i === 130 ? 'CC-BY-4.0' : (LICENCES[i % 8] ?? ''),
  size: 1000 + ((i * 7919) % 900),
}))

test('words of failure in names of packages and in titles are no failures', () => {
  expect(compress({ text: csvOf(packages), goal: undefined, budget: 200 }).text).not.toMatch(/error/)
  const paintings = Array.from({ length: 80 }, (_, i) => ({
    number: `L-${100 + i}`,
    artwork: `${i % 11 === 5 ? 'Broken' : ['Red', 'Tall', 'Pale', 'Old'][i % 4]} ${TITLES[i % 10]} ${TITLES[(i * 3 + Math.floor(i / 10)) % 10]}`,
    worth: i === 43 ? 99000 : 500 + ((i * 53) % 400),
  }))
  const shown = compress({ text: csvOf(paintings), goal: undefined, budget: 220 }).text
  expect(shown).toContain('99000')
  expect(shown.match(/Broken/g)?.length ?? 0).toBeLessThan(4)
})

test('a message that differs in each record still says that one failed', () => {
  const events = Array.from({ length: 60 }, (_, i) => ({
    id: i,
    note: i === 37 ? 'upload of part 37 failed' : `upload of part ${i} done in ${i * 3} ms`,
  }))
  expect(compress({ text: JSON.stringify(events), goal: undefined, budget: 200 }).text).toContain('37 failed')
})

test.each([
  'which packages are not under MIT, ISC, BSD or Apache licences?',
  'packages other than MIT, ISC, BSD and Apache',
])('%s: those without any of the list', (goal) => {
  const shown = compress({ text: csvOf(packages), goal, budget: 150 }).text
  expect(shown).toContain('Python-2.0')
  expect(shown).toContain('CC-BY-4.0')
})

test.each(['how many packages are under each licence', 'number of packages per license'])(
  '%s: the counts of the column',
  (goal) => {
    expect(compress({ text: csvOf(packages), goal, budget: 250 }).text).toMatch(/MIT 100, .*Python-2\.0 1/)
  },
)
