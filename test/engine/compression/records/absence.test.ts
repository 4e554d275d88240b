import { expect, test } from 'vitest'
import { loadCompressor } from '../../../../electron/engine/compression/load-compressor.ts'

const compress = await loadCompressor()
const NAMES = ['Ida', 'Jonas', 'Petra', 'Samir', 'Wei']
const parcels = Array.from({ length: 40 }, (_, i) => ({
  parcel: `PX-${3000 + i * 7}`,
  destination: ['Lyon', 'Graz', 'Turin', 'Gent'][i % 4],
  weight_g: 200 + ((i * 733) % 4000),
  shipped: i !== 23,
  reviewer: i === 31 ? null : { login: NAMES[i % 5]?.toLowerCase(), active: true },
  state: i === 17 ? 'open' : 'settled',
  booked_at: `2026-03-${String(1 + (i % 28)).padStart(2, '0')}`,
}))

test.each([
  ['unshipped parcels', 'PX-3161', '"shipped":false'],
  ['unreviewed parcels', 'PX-3217', '"reviewer":null'],
  ['unsettled parcels', 'PX-3119', '"state":"open"'],
])('%s are those without the state', (goal, parcel, value) => {
  const shown = compress({ text: JSON.stringify({ parcels }), goal, budget: 500 }).text
  const record = shown.split('"parcel":').find((part) => part.includes(parcel))
  expect(record).toContain(value)
})

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
