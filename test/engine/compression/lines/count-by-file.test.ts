import { expect, it } from 'vitest'
import { loadCompressor } from '../../../../electron/engine/compression/load-compressor.ts'

const compress = await loadCompressor()
const files = [
  'src/billing/invoice.ts',
  'src/stock/reorder.ts',
  'lib/ui.py',
  'lib/api.py',
  'a.go',
  'b.go',
  'c.go',
]
/** The later a file, the more lines it has; some are notes. */
const lines = files.flatMap((file, i) =>
  Array.from(
    { length: 4 + 3 * i },
    (_, n) => `${file}:${n * 7 + 1}: ${n % 4 === 3 ? 'note' : 'error'}: Words about thing ${(n * 37) % 11}`,
  ),
)
const count = (file: string, word: string) =>
  lines.filter((line) => line.startsWith(file) && line.includes(` ${word}:`)).length
const headerFor = (goal: string) =>
  compress({ text: lines.join('\n'), goal, budget: 250 }).text.split('\n')[0] ?? ''

it('says how many lines each file has, where a goal asks which has most', () => {
  expect(headerFor('which file has the most errors')).toContain(
    `lines with "error" by file: c.go ${count('c.go', 'error')}, b.go ${count('b.go', 'error')}`,
  )
  expect(headerFor('which file has the most problems')).toContain('lines by file: c.go 22, b.go 19')
  expect(headerFor('which file has the fewest notes')).toContain(
    '"note" by file: src/stock/reorder.ts 1, src/billing/invoice.ts 1, ',
  )
})

it('says nothing of it where something else is asked, or lines have no files', () => {
  expect(headerFor('why does thing 3 fail')).not.toContain('by file')
  const text = lines.map((line) => line.replace(/^\S+ /, '')).join('\n')
  expect(compress({ text, goal: 'which file has the most errors', budget: 250 }).text).not.toContain(
    'by file',
  )
})
