import { expect, it } from 'vitest'
import { loadCompressor } from '../../../../electron/engine/compression/load-compressor.ts'

const compress = await loadCompressor()
const offers = Array.from({ length: 30 }, (_, i) => ({
  id: `offer-${i}`,
  price: 200 + ((i * 37) % 90),
  segments: [
    {
      from: 'CPH',
      to: ['ZRH', 'AMS', 'FRA'][i % 3],
      carrier: 'SK',
      terminal: 'T2',
      aircraft: 'Airbus A320neo',
    },
    {
      from: ['ZRH', 'AMS', 'FRA'][i % 3],
      to: 'LIS',
      carrier: 'TP',
      terminal: 'T1',
      aircraft: `Boeing 737-${800 + i}`,
    },
  ],
}))

it('says which short lists miss elements, because a part of one reads as the whole', () => {
  const { text } = compress({
    text: JSON.stringify({ offers }),
    goal: 'which offers fly a Boeing to LIS',
    budget: 400,
  })
  const [header = '', body = ''] = text.split('\n\n')
  const shown = (JSON.parse(body) as { offers: { segments?: unknown[] }[] }).offers
  expect(shown.some(({ segments }) => segments?.length === 1)).toBe(true)
  expect(header).toContain('elements of segments')
})

it('says nothing of lists that are whole or of records', () => {
  const rows = Array.from({ length: 60 }, (_, i) => ({ name: `row ${i}`, tags: ['a', 'b'], size: i * 31 }))
  const { text } = compress({ text: JSON.stringify({ rows }), goal: 'size of row 17', budget: 120 })
  expect(text).not.toContain('elements of rows')
})
