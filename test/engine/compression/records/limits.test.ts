import { describe, expect, it } from 'vitest'
import { loadCompressor } from '../../../../electron/engine/compression/load-compressor.ts'

const compress = await loadCompressor()
const rows = Array.from({ length: 200 }, (_, i) => ({
  order: `A${1000 + i}`,
  total: (i * 7919) % 960,
  items: 2 + ((i * 31) % 30),
  age: 18 + ((i * 17) % 65),
  delivery_ms: 10 * ((i * 7) % 211),
}))
const forms = {
  json: JSON.stringify(rows),
  csv: ['order,total,items,age,delivery_ms', ...rows.map((row) => Object.values(row).join(','))].join('\n'),
}

describe('records beyond a limit that the goal names', () => {
  it.each([
    ['orders with a total over 920', ({ total }: (typeof rows)[0]) => total > 920],
    ['orders with fewer than 3 items', ({ items }: (typeof rows)[0]) => items < 3],
    ['which delivery took longer than 2 seconds', ({ delivery_ms }: (typeof rows)[0]) => delivery_ms > 2000],
    ['who is older than 80', ({ age }: (typeof rows)[0]) => age > 80],
  ])('%s', (goal, isWanted) => {
    const wanted = rows.filter(isWanted)
    expect(wanted.length).toBeGreaterThan(2)
    for (const text of Object.values(forms)) {
      const shown = compress({ text, goal, budget: 500 }).text
      expect(wanted.filter(({ order }) => !shown.includes(order))).toEqual([])
    }
  })
})
