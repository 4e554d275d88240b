import { expect, test } from 'vitest'
import { loadCompressor } from '../../../../electron/engine/compression/load-compressor.ts'

const compress = await loadCompressor()

test.each(['-', '<none>', 'n/a', '(null)', String.raw`\N`])('a cell %s is empty', (cell) => {
  const rows = Array.from({ length: 40 }, (_, i) => [
    `queue-${String(i).padStart(2, '0')}`,
    `${(i * 37) % 90}`,
    i === 26 ? cell : `worker-${i % 5}-${(i * 7919).toString(16)}`,
    i === 26 ? cell : `worker-host-${i % 5}`,
  ])
  const text = [['QUEUE', 'DEPTH', 'WORKER-ID', 'HOST'], ...rows]
    .map((row) =>
      row
        .map((each) => each.padEnd(20))
        .join('')
        .trimEnd(),
    )
    .join('\n')
  expect(compress({ text, goal: 'queue without a worker', budget: 200 }).text).toContain('queue-26')
})
