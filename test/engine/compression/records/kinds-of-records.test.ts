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
