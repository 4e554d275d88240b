import { expect, it } from 'vitest'
import { loadCompressor } from '../../../../electron/engine/compression/load-compressor.ts'

const compress = await loadCompressor()

function plan(parts: number): string {
  const scans = Array.from({ length: parts }, (_, i) => [
    `   ->  Bitmap Heap Scan on stock_${i} p_${i}  (cost=${i}.10..${i * 37}.90 rows=${i * 7} width=44) (actual time=0.${i}21..${i}.529 rows=${i * 9} loops=1)`,
    `         Recheck Cond: (sku = 'K-${i}17'::text)`,
    `         Heap Blocks: exact=${i * 3}`,
    `         ->  Bitmap Index Scan on stock_${i}_sku_idx  (cost=0.00..${i}.20 rows=${i * 5} width=0) (actual time=0.8${i}..1.2${i} rows=${i * 5} loops=1)`,
    `               Index Cond: (sku = 'K-${i}17'::text)`,
  ])
  return [
    ' Append  (cost=0.00..9120.40 rows=4100 width=44) (actual time=1.102..96.881 rows=3900 loops=1)',
    ...scans.flat(),
    ' Planning Time: 3.114 ms',
    ' Execution Time: 563.871 ms\n',
  ].join('\n')
}

it('a budget is used, also where the estimates of what fits mislead', () => {
  const budgets = Array.from({ length: 30 }, (_, i) => 400 + i * 100)
  for (const text of [8, 19, 20, 21].map(plan))
    for (const budget of budgets) {
      const output = compress({ text, budget, goal: 'which index is used on orders' })
      if (output.text === text) continue
      expect(output.tokensAfter, `${text.length} characters, ${budget} tokens`).toBeGreaterThan(0.7 * budget)
    }
})

it('a budget is used where one whole row makes each other row of a wide table longer', () => {
  const words = ['north', 'order', 'alpha', 'queue', 'ledger', 'refund', 'pool']
  const wide = (columns: number): string =>
    [
      Array.from({ length: columns }, (_, at) => `${words[at % words.length]}_${at}`),
      ...Array.from({ length: 80 }, (_, row) =>
        Array.from({ length: columns }, (_, at) => {
          const number = (row * 7919 + at * 104_729) % 99_991
          return at % 3 === 0 ? words[number % words.length] : at % 3 === 1 ? `id-${number}` : `${number}`
        }),
      ),
    ]
      .map((row) => row.join(','))
      .join('\n')
  for (const columns of [25, 30, 40, 60])
    for (const budget of [500, 700, 900]) {
      const { tokensAfter } = compress({ text: wide(columns), budget, goal: 'refund orders of north_0' })
      expect(tokensAfter, `${columns} columns, ${budget} tokens`).toBeGreaterThan(0.7 * budget)
    }
})
