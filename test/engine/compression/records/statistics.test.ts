import { beforeAll, expect, it } from 'vitest'
import { isAdditive } from '../../../../electron/engine/compression/records/sums.ts'
import { loadCompressor } from '../../../../electron/engine/compression/load-compressor.ts'

let compress: Awaited<ReturnType<typeof loadCompressor>>
beforeAll(async () => {
  compress = await loadCompressor()
})
const said = (text: string, budget = 300): string => compress({ text, budget }).text.split('\n')[0] ?? ''
const column = (name: string, values: readonly number[]): boolean =>
  isAdditive(
    name,
    Float64Array.from(values),
    values.reduce((sum, value) => sum + value, 0),
  )

it.each(['amount', 'fileSize', 'total_bytes', 'Requests', 'Umsatz', 'Quantité', 'seconds'])(
  '%s has a sum',
  (name) => expect(column(name, [3, 90, 40])).toBe(true),
)

it.each([
  'inode',
  'PID',
  'mean size',
  'bytes/s',
  'errors %',
  'year',
  'latitude',
  'amount_avg',
  'order id',
  'Temp',
])('%s has none', (name) => expect(column(name, [3, 90, 40])).toBe(false))

it('a column that has the sum of the others has none', () =>
  expect(column('sales', [3, 90, 40, 133])).toBe(false))

const cities = ['Oslo', 'Lima', 'Quito']
const rows = (name: (i: number) => string): string[] =>
  Array.from(
    { length: 90 },
    (_, i) => `${name(i).padEnd(8)}${(cities[i % 3] ?? '').padEnd(8)}${String((i * 37) % 900).padStart(7)}`,
  )

it('columns without names have no statistics, and their values no names', () => {
  const text = `         city      amount\n${rows(String).join('\n')}\n`
  expect(said(text)).toContain('amount: 0 to 8')
  for (const goal of [undefined, 'which amount is the largest', 'Lima 41'])
    expect(compress({ text, budget: 250, ...(goal === undefined ? {} : { goal }) }).text).not.toMatch(
      /column ?\d/,
    )
})

it('nothing is said of all rows where the text has only the first and the last', () => {
  const table = rows((i) => `item-${i}`)
  const text = [
    'item    city     amount',
    ...table.slice(0, 45),
    '...     ...        ...',
    ...table.slice(45),
  ]
  expect(said(text.join('\n'))).not.toContain('Of all')
})

it('parts of a table with the same columns are one list, which has no invented name', () => {
  const page = (n: number): string[] => ['', '  name  city     amount', ...rows((i) => `i-${n}-${i}`)]
  const text = ['Report (node 4)', ...page(1), ...page(2), ...page(3)].join('\n')
  const first = said(text, 400)
  expect(first).toContain('records 270 (')
  expect(first).not.toMatch(/table|Report/)
})

it('a line right above a table names it, one above a blank line does not', () => {
  const table = rows((i) => `i-${i}`).map((row) => `| ${row.trim().split(/ +/).join(' | ')} |`)
  const above = (gap: string): string =>
    said(
      [`Stock of the shop${gap}`, '| name | city | amount |', '|---|---|---|', ...table, '', 'The end.'].join(
        '\n',
      ),
    )
  expect(above('')).toContain('Stock of the shop 90 (')
  expect(above('\n')).toContain('records 90 (')
  expect(above(':\n')).toContain('Stock of the shop 90 (')
})

it('a line of a sum and its number names no columns', () => {
  const text = ['total  313240', ...rows((i) => `i-${i}`)].join('\n')
  expect(said(text)).not.toContain('total:')
})
