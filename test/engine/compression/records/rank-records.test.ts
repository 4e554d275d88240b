import { describe, expect, test } from 'vitest'
import { findLeaves } from '../../../../electron/engine/text/tree/find-leaves.ts'
import { valueOf } from '../../../../electron/engine/text/tree/json-document.ts'
import { parseJson } from '../../../../electron/engine/text/tree/parse-json.ts'
import { prepareFeatures, scoreItems } from '../../../../electron/engine/compression/records/rank-records.ts'
import { readRecords } from '../../../../electron/engine/compression/records/read-records.ts'
import { parseGoal } from '../../../../electron/engine/compression/rank/goal.ts'
import { softenDenied } from '../../../../electron/engine/compression/rank/soften-denied.ts'

function ranked(value: unknown, goal: string): string[] {
  const document = parseJson(JSON.stringify(value))
  if (document === undefined) throw new Error('The sample is not JSON.')
  const leaves = findLeaves(document)
  const read = readRecords(leaves)
  const { items } = read
  const scores = scoreItems(prepareFeatures(read, softenDenied(parseGoal(goal), document.text), undefined))
  const order = [...scores.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
  return order.map((leaf) => valueOf(document, leaves.nodes[items.leafOf[leaf] ?? 0] ?? 0))
}
const best = (value: unknown, goal: string, count = 1): string[] => ranked(value, goal).slice(0, count)

const cities = ['Oslo', 'Lima', 'Kyoto', 'Quito', 'Perth', 'Turin', 'Malmo', 'Basel']

describe('scoreItems', () => {
  test('field names count as words: the field that is asked for comes first', () => {
    const record = {
      id: 'x1',
      billing: { address: { zip: '0150' }, total: 12 },
      shipping: { address: { zip: '9900' } },
    }
    expect(best(record, 'What is the zip of the shipping address?')).toEqual(['9900'])
  })

  test('an id lifts the fields of its record above those of others', () => {
    const orders = cities.map((city, i) => ({ order_id: `#W${7000 + i}`, city, price: i * 10 }))
    expect(best(orders, 'Where does order #W7004 go to?', 3)).toEqual(
      expect.arrayContaining(['#W7004', 'Perth']),
    )
  })

  test('a state that is denied lifts the records that do not have it', () => {
    const drives = cities.map((city, i) => ({ city, checks: { passed: i !== 5, spare: 100 - i }, port: i }))
    expect(best(drives, "which drive didn't pass?", 2)).toContain('false')
    const texts = cities.map((city, i) => ({ city, ready: i === 2 ? 'False' : 'True', port: i }))
    expect(best(texts, 'cities that are not ready')).toEqual(['Kyoto'])
    const stock = [...cities, ...cities].map((city, i) => ({
      city,
      port: i,
      state: i === 9 ? 'open' : ['lost', 'sold'][i % 2],
    }))
    expect(best(stock, 'where is the state neither lost nor sold', 2)).toContain('open')
  })

  test.each([
    ['not-found', 'units that are not found', 'loaded'],
    ['NotReady', 'which nodes are not ready', 'Ready'],
    ['not_running', 'services not running', 'running'],
  ])('a state that the text itself calls %s is found by its words', (state, goal, usual) => {
    const rows = cities.map((city, i) => ({ city, kind: `kind ${i % 2}`, state: i === 5 ? state : usual }))
    expect(best(rows, goal)).toEqual([state])
  })

  test.each([
    ['which has no supplier', { supplier: null }, (i: number) => ({ supplier: { name: `Nord ${i}` } })],
    ['cities without a supplier', {}, (i: number) => ({ supplier: `Nord ${i}` })],
    ['supplier is empty', { supplier: '' }, (i: number) => ({ supplier: `Nord ${i}` })],
    ['which have no fix', { fixAvailable: false }, () => ({ fixAvailable: true })],
  ])('%s: records that have it not come first', (goal, without, other) => {
    const rows = cities.map((city, i) => ({ city, kind: `kind ${i % 2}`, ...(i === 5 ? without : other(i)) }))
    expect(best(rows, goal, 4).filter((value) => cities.includes(value))).toContain('Turin')
  })

  test.each([['what happened on November 9', ['2026-11-09T07:15:00Z']]])('%s', (goal, wanted) => {
    const dates = ['10-26', '11-02', '11-09', '11-13', '11-16', '11-19', '11-23', '11-30']
    const rows = cities.map((city, i) => ({ city, port: 9 + 11 * i, seen: `2026-${dates[i]}T07:15:00Z` }))
    expect(best(rows, goal, wanted.length)).toEqual(expect.arrayContaining(wanted))
  })

  test('counts with a remark in brackets have extremes', () => {
    const restarts = ['0', '4 (20m ago)', '0', '30 (46m ago)', '12 (3h ago)', '0', '0', '9 (2d ago)']
    const pods = cities.map((city, i) => ({ pod: `${city}-pod`, age: `${90 - i}d`, restarts: restarts[i] }))
    expect(best(pods, 'most restarts')).toEqual(['30 (46m ago)'])
  })

  test('superlatives lift the extremes of the column they name', () => {
    const variants = cities.map((city, i) => ({
      item: `I${i}`,
      city,
      price: 50 + ((i * 37) % 80),
      weight: 90 - i,
    }))
    const cheapest = variants.reduce((a, b) => (b.price < a.price ? b : a))
    expect(best(variants, 'What is the cheapest item?', 4)).toContain(cheapest.item)
  })

  test('so do numbers behind a label that all of them have', () => {
    const imports = cities.map((city, i) => ({ self: `import time: ${(i * 37) % 80}`, module: city }))
    expect(best(imports, 'module with the largest self time')).toEqual(['import time: 74'])
  })

  test('a record whose whole name is asked for comes before those that have it in theirs', () => {
    const names = ['web-api', 'web.1', 'web worker', 'web', 'web-cron', 'webhook']
    const services = names.map((name, i) => ({ name, replicas: 10 + i }))
    expect(best(services, 'How many replicas does web have?', 2).toSorted()).toEqual(['13', 'web'])
    const byName = Object.fromEntries(services.map(({ name, replicas }) => [name, { replicas, zone: 'b' }]))
    expect(best(byName, 'replicas of web')).toEqual(['13'])
  })

  test('a record that the one asked for names has the other half of the answer', () => {
    const authors = ['Ada Moor', 'Ben Hale', 'Cleo Park', 'Dora Voss', 'Emil Rask', 'Fay Lund'].map(
      (title, i) => ({
        id: i + 1,
        title,
        facts: [
          `${title} is a potter from the west coast and was born on a farm in ${1950 + i}.`,
          i === 1 ? 'The studio is shared with the daughter, Emil Rask.' : 'The studio is open in May.',
        ],
      }),
    )
    const found = best(authors, "where was Ben Hale's daughter born", 7)
    expect(found).toContain('Emil Rask is a potter from the west coast and was born on a farm in 1954.')
  })

  test('amounts of four digits are no dates', () => {
    const bills = cities.map((city, i) => ({
      city,
      total: i === 3 ? 12.34 : Number((1022.67 + i * 1300).toFixed(2)),
    }))
    expect(best(bills, 'the lowest total', 2)).toContain('12.34')
  })

  test('ISO dates have extremes too', () => {
    const builds = cities.map((city, i) => ({ city, created_at: `2025-0${1 + ((i * 5) % 8)}-11T00:00:00Z` }))
    expect(best(builds, 'city of the newest build', 2)).toContain('Quito')
  })

  test('a record that holds all the values asked for beats records that repeat one of them', () => {
    const variants = Object.fromEntries(
      cities.map((_, i) => [
        `v${i}`,
        {
          sku: `S${i}`,
          options: {
            color: i % 2 ? 'gray' : 'red',
            size: `${8 + (i >> 1)}`,
            note: 'gray '.repeat(i === 7 ? 5 : 0),
          },
        },
      ]),
    )
    expect(best([{ name: 'Sneakers', variants }], 'sneakers gray, size 9: which sku?', 4)).toContain('S3')
  })

  test('odd values come first when something unusual is asked for', () => {
    const pods = Array.from({ length: 40 }, (_, i) => ({
      pod: `p${i}`,
      phase: i === 23 ? 'Evicted' : 'Running',
      node: `n${i % 6}`,
    }))
    expect(best(pods, 'anything unusual?')).toEqual(['Evicted'])
    expect(best(pods, 'anything unusual?', 3)).toContain('p23')
  })
})
