import { expect, test } from 'vitest'
import { loadCompressor } from '../../../../electron/engine/compression/load-compressor.ts'

const compress = await loadCompressor()
const shown = (records: readonly object[], goal: string, budget = 250): string =>
  compress({ text: JSON.stringify(records, undefined, 1), goal, budget }).text

test('records are named by the part of a name rather than by a code', () => {
  const lands = Array.from({ length: 30 }, (_, i) => ({
    code: `${String.fromCharCode(65 + (i % 26))}${String.fromCharCode(70 + (i % 20))}`,
    name: {
      common: `Isle ${['Ura', 'Ven', 'Wad', 'Xan', 'Yor', 'Zel'][i % 6]}${i}`,
      official: `The State of Isle ${i}`,
    },
    currency: `cur${i}`,
    isMember: i !== 17,
  }))
  expect(shown(lands, 'which one is not a member')).toMatch(
    /"common":"Isle Zel17"[^}]*\}[^{]*"isMember":false/,
  )
})

test('what a verb behind a negation names is denied, also where the others differ from each other', () => {
  const locks = Array.from({ length: 24 }, (_, i) => ({
    door: `door ${i}`,
    lock: i % 9 === 4 ? `brass-lever-${i}` : `mod${i}WithNFCReader`,
    keys: 3 + i,
  }))
  const text = shown(locks, 'which doors do not use NFC locks?')
  for (const door of ['door 4', 'door 13', 'door 22']) expect(text).toContain(door)
})

test('an object where others have null is no lack of the field', () => {
  const tasks = Array.from({ length: 24 }, (_, i) => ({
    key: `T-${i}`,
    owner: i % 2 ? { name: ['Ada', 'Bo'][i % 4 === 1 ? 0 : 1], mail: `m${i}` } : null,
    title: `Task number ${i} of the list with a long title`,
  }))
  const first = compress({ text: JSON.stringify(tasks), budget: 200 }).text.split('\n')[0] ?? ''
  expect(first).toMatch(/owner\.name: (?:Ada 6, Bo 6|Bo 6, Ada 6), none 12/)
  expect(first).not.toMatch(/owner: null/)
})

test('the largest payment is the largest amount', () => {
  const payments = Array.from({ length: 30 }, (_, i) => ({
    id: `ch_${9000 + i}`,
    amount: i === 22 ? 98_700 : 1200 + i * 37,
    payment_method: { type: 'card', expires: 2027 + (i % 4) },
  }))
  expect(shown(payments, 'largest payment')).toMatch(/"id":"ch_9022","amount":98700/)
})
