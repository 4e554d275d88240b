import { expect, test } from 'vitest'
import { loadCompressor } from '../../../../electron/engine/compression/load-compressor.ts'

const compress = await loadCompressor()
const entries = Array.from({ length: 60 }, (_, i) => ({
  entry: `B-${200 + i * 3}`,
  text: ['Groceries', 'Salary', 'Fuel', 'Refund'][i % 4],
  amount: i === 29 ? -1940.5 : i % 2 === 0 ? -((i * 37) % 400) - 3.2 : 2100 + ((i * 53) % 700),
}))
const csv = ['entry,text,amount', ...entries.map((each) => Object.values(each).join(','))].join('\n')

test.each([
  ['the largest expense', 'B-287'],
  ['der höchste Verlust', 'B-287'],
  ['expenses over 1500', 'B-287'],
  [
    'the largest payment received',
    `B-${200 + 3 * entries.findIndex(({ amount }) => amount === Math.max(...entries.map((each) => each.amount)))}`,
  ],
])('%s', (goal, entry) => {
  for (const text of [csv, JSON.stringify(entries)])
    expect(compress({ text, goal, budget: 170 }).text).toContain(entry)
})

test('amounts below zero are asked for, whatever their column is called and however many columns there are', () => {
  const names = ['iron', 'paper', 'glass', 'wool', 'rubber', 'cement', 'linen', 'copper']
  const months = Array.from({ length: 72 }, (_, i) => [
    `${2019 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}-01`,
    ...names.map((_, k) => 4000 + ((i * (7 + k) * 131) % 900)),
    i === 41 ? -517 : ((i * 61) % 200) - 90,
  ])
  const text = [['month', ...names, 'delta'].join(','), ...months.map((row) => row.join(','))].join('\n')
  expect(compress({ text, goal: 'the worst loss', budget: 200 }).text).toContain('-517')
})
