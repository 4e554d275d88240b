import { expect, it } from 'vitest'
import { loadCompressor } from '../../../../electron/engine/compression/load-compressor.ts'

const compress = await loadCompressor()
const folders = ['api', 'billing', 'catalogue', 'delivery', 'events', 'files', 'gateway', 'history']

it('records of several kinds in one list have names of their kind', () => {
  const lines = folders.flatMap((folder, i) => [
    { type: 'begin', data: { path: { text: `src/${folder}.py` } } },
    ...Array.from({ length: 6 }, (_, n) => ({
      type: 'match',
      data: {
        path: { text: `src/${folder}.py` },
        lines: { text: `legacy call ${n} of ${folder} in a line` },
        line_number: 40 * n + i,
      },
    })),
    {
      type: 'end',
      data: {
        path: { text: `src/${folder}.py` },
        stats: { bytes: 900 + i, matches: folder === 'delivery' ? 68 : i },
      },
    },
  ])
  const text = lines.map((line) => JSON.stringify(line)).join('\n')
  const shown = compress({ text, goal: 'which file has the most matches', budget: 300 }).text
  expect(shown.split('\n').find((line) => line.includes('"matches":68'))).toContain('src/delivery.py')
})

it.each([
  ['which queues are empty?', 'messages'],
  ['which of them were never used?', 'calls'],
])('numbers that are 0 are what is asked for: %s', (goal, column) => {
  const rows = Array.from(
    { length: 120 },
    (_, i) => `queue-${i}\t${i % 7}00${i}\t${i === 37 || i === 88 ? 0 : 3 + ((i * 37) % 500)}`,
  )
  const shown = compress({ text: [`name\tmade\t${column}`, ...rows].join('\n'), goal, budget: 200 }).text
  for (const queue of [37, 88]) expect(shown).toMatch(new RegExp(`queue-${queue}\t`))
})
