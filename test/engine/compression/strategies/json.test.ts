import * as fc from '../../../helpers/properties.ts'
import { describe, expect, test } from 'vitest'
import { jsonStrategy } from '../../../../electron/engine/compression/strategies/json.ts'
import { decodeLossless } from '../../../helpers/decode-lossless.ts'
import { countTokens } from '../../../../electron/engine/text/tokens/count-tokens.ts'
import { describeStrategyContract } from '../../../helpers/strategy-contract.ts'

const orders = Array.from({ length: 120 }, (_, i) => ({
  order_id: `#W${4000 + i * 37}`,
  customer: {
    name: ['Ada Byron', 'Grace Hopper', 'Alan Turing'][i % 3],
    city: ['Oslo', 'Lima', 'Kyoto'][i % 3],
  },
  status: i === 77 ? 'cancelled' : 'delivered',
  items: [
    {
      name: i % 2 ? 'kettle' : 'lamp',
      price: 10 + i / 4,
      options: { color: i % 5 ? 'black' : 'red', size: i % 7 },
    },
  ],
  note: null,
  tracking_url: `https://parcels.example.com/track/${4000 + i * 37}`,
}))
const article = Array.from(
  { length: 200 },
  (_, i) => `Paragraph ${i} tells of the ${['harbour', 'castle', 'market'][i % 3]} and its ${i} keepers.`,
).join('\n')
const samples = [
  JSON.stringify({ object: 'list', has_more: true, data: orders }, null, 2),
  JSON.stringify(Object.fromEntries(orders.map((order) => [order.order_id, order]))),
  orders.map((order) => JSON.stringify(order)).join('\n'),
  JSON.stringify({ title: 'Town', body: article }),
  JSON.stringify({ status: 'success', data: { result: [{ metric: { job: 'api' }, values: points(400) }] } }),
  JSON.stringify({ result: JSON.stringify({ items: orders }) }),
]

function points(count: number): [number, string][] {
  return Array.from({ length: count }, (_, i) => [
    1_700_000_000 + i * 15,
    String(i === 321 ? 99.5 : (i % 7) + 0.25),
  ])
}

const compress = (text: string, goal: string | undefined, budget: number) => {
  const output = jsonStrategy.compress({ text, goal, budget })
  if (output === undefined) throw new Error('The strategy gave nothing.')
  return output
}

describeStrategyContract(jsonStrategy, {
  texts: samples,
  goals: ['status of order #W4370', 'harbour keepers'],
})

describe('json', () => {
  test.each(samples.filter((_, i) => i !== 2).map((text, i) => [i, text] as const))(
    'what comes out of sample %i is JSON again',
    (_, text) => {
      for (const goal of [undefined, 'status of order #W4370'])
        for (const budget of [100, 300, 1000])
          expect(() => JSON.parse(compress(text, goal, budget).text)).not.toThrow()
    },
  )

  test('JSON lines stay one value per line', () => {
    const lines = compress(samples[2] ?? '', 'order #W4370', 300).text.split('\n')
    expect(lines.length).toBeGreaterThan(1)
    for (const line of lines) expect(JSON.parse(line)).toBeTypeOf('object')
  })

  test('a small document passes whole and minified', () => {
    const output = compress('{ "a": 46.0,\n "id": 12345678901234567890 }', undefined, 100)
    expect(output).toEqual({
      text: '{"a":46.0,"id":12345678901234567890}',
      omitted: undefined,
      lossless: true,
    })
  })

  test('numbers are copied as they are written', () => {
    const text = JSON.stringify(orders).replace(
      '"status":"cancelled"',
      '"status":"cancelled","paid":46.0,"ref":90071992547409931234',
    )
    const { text: shown } = compress(text, 'paid and ref of the cancelled order', 300)
    expect(shown).toContain('"paid":46.0')
    expect(shown).toContain('90071992547409931234')
  })

  test('the record that the goal names is there with its id', () => {
    const parsed: unknown = JSON.parse(
      compress(samples[0] ?? '', 'Which city is order #W6849 going to?', 200).text,
    )
    expect(JSON.stringify(parsed)).toContain('"order_id":"#W6849"')
    expect(JSON.stringify(parsed)).toContain('"city":"Kyoto"')
  })

  test('superlatives are answered from the data', () => {
    const { text } = compress(samples[0] ?? '', 'What is the order with the highest price?', 300)
    expect(text).toContain('39.75')
    expect(text).toContain(`#W${4000 + 119 * 37}`)
  })

  test('something unlike the rest is found, with and without a goal', () => {
    const id = `#W${4000 + 77 * 37}`
    for (const goal of ['anything unusual among the statuses?', undefined]) {
      const { text } = compress(samples[0] ?? '', goal, 400)
      expect(text).toContain('cancelled')
      expect(text).toContain(id)
    }
  })

  test('without a goal every key is named', () => {
    const { text, omitted } = compress(samples[0] ?? '', undefined, 400)
    for (const key of [
      'object',
      'has_more',
      'order_id',
      'customer',
      'price',
      'options',
      'tracking_url',
      'note',
    ])
      expect(`${omitted}${text}`).toContain(`"${key}"`)
  })

  test('it says what it leaves out', () => {
    const { omitted } = compress(samples[0] ?? '', 'order #W6849', 300)
    expect(omitted).toMatch(/^\d+ of 120 records, [\d,]+ of 1,\d{3} values/)
  })

  test('a long text is cut to what fits the goal and uses the room there is', () => {
    const text = JSON.stringify({
      title: 'Town',
      body: `${article}\nThe lighthouse was lit in 1797 for the first time.\n${article}`,
    })
    const output = compress(text, 'When was the lighthouse lit?', 300)
    expect(output.text).toContain('1797')
    expect(output.text).toContain('…')
    expect(output.omitted).toContain('parts of 1 long value')
    expect(countTokens(output.text)).toBeGreaterThan(150)
  })

  test('a series is described by its course, extremes and last values', () => {
    const { text } = compress(samples[4] ?? '', undefined, 200)
    expect(JSON.parse(text)).toMatchObject({
      data: { result: [{ metric: { job: 'api' }, values: { points: 400, 'max at': 321, course: 'level' } }] },
    })
    expect(text).toContain('[1700004815,"99.5"]')
    expect(text).toContain('[1700005985,"0.25"]')
  })

  test('JSON inside of one string is seen through', () => {
    const { text } = compress(samples[5] ?? '', 'city of order #W6849', 200)
    expect(JSON.parse(text)).toHaveProperty('result.items')
    expect(text).toContain('"city":"Kyoto"},"status"')
  })

  test('a column that leaves no room for a value with its names gives way to values', () => {
    const cgi = Array.from({ length: 40 }, (_, i) => ({
      evidence: `long words about evidence number ${i}`,
      _license: `https://licences.example.org/${i}`,
      source: `PMID:${22_608_338 + i * 7919};PMID:${21_156_289 + i * 104_729}`,
    }))
    const refs = Array.from({ length: 300 }, (_, i) => ({ n: i, text: `a passage of text number ${i}` }))
    const { text } = compress(
      JSON.stringify({ took: 4, hits: [{ _id: 'chr7:g.140453136A>T'.repeat(5), cgi, refs }] }),
      'What is the hits cgi source in this variant?',
      250,
    )
    expect(JSON.stringify(JSON.parse(text))).toContain('PMID:22608338')
  })

  test('a table of like objects that fits whole in rows is shown in rows', () => {
    const text = JSON.stringify(
      Array.from({ length: 40 }, (_, i) => ({ identifier: i, population: i * 7, continent: 'Asia' })),
    )
    const output = compress(text, 'population of 12', 350)
    expect(output.lossless).toBe(true)
    expect(output.omitted).toBeUndefined()
    expect(decodeLossless(output.text)).toBe(text)
  })

  test('asked for a lossless form, everything can be rebuilt', () => {
    const text = samples[0] ?? ''
    const output = jsonStrategy.compress({ text, goal: undefined, budget: 1e7, lossless: true })
    expect(decodeLossless(output?.text ?? '')).toBe(JSON.stringify(JSON.parse(text)))
    expect(countTokens(output?.text ?? '')).toBeLessThan(0.5 * countTokens(JSON.stringify(JSON.parse(text))))
  })
})

describe('faults of earlier systems', () => {
  test('a result without anything to save is not inflated (RLM added a kilobyte to {"a":1})', () => {
    expect(compress('{"a":1}', undefined, 100).text).toBe('{"a":1}')
    expect(compress('{ "a" : 1 }', 'a', 100).text).toBe('{"a":1}')
  })

  test('lossless never makes a document longer (TOON: up to a quarter on nested listings)', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value)
        const output = jsonStrategy.compress({ text, goal: undefined, budget: 1e7, lossless: true })
        expect(countTokens(output?.text ?? text)).toBeLessThanOrEqual(countTokens(text))
      }),
      { numRuns: 300 },
    )
  })

  test('values stay, not only types (rtk); null and empty ones do not crowd them out', () => {
    const rows = Array.from({ length: 90 }, (_, i) => ({
      a: null,
      b: '',
      c: [],
      port: 8000 + i,
      host: `h${i}`,
    }))
    const { text } = compress(JSON.stringify(rows), 'port of host h42', 120)
    expect(text).toContain('"port":8042')
    expect(text.match(/null/g)?.length ?? 0).toBeLessThan(4)
  })

  test('fields that must be kept do not exceed the budget (headroom)', () => {
    const errors = Array.from({ length: 300 }, (_, i) => ({
      id: i,
      level: 'error',
      message: `failure number ${i}`,
    }))
    const { text } = compress(JSON.stringify(errors), 'all errors', 200)
    expect(countTokens(text)).toBeLessThanOrEqual(200)
  })

  test('an object that is asked for is not emptied (RLM: fields ["users"] gave [{}, {}])', () => {
    const users = Array.from({ length: 80 }, (_, i) => ({ profile: { first: `F${i}`, last: `L${i}` } }))
    const { text } = compress(JSON.stringify({ users, meta: { page: 1 } }), 'users', 300)
    expect(text).not.toContain('{}')
    expect(text).toContain('"first":"F0"')
  })

  test('one huge line of JSON does not come back whole (RLM: a search returned 1.2 MB)', () => {
    const text = JSON.stringify(
      Array.from({ length: 20_000 }, (_, i) => ({ id: i, text: `entry ${i} of the list` })),
    )
    const output = compress(text, 'entry 17321', 300)
    expect(countTokens(output.text)).toBeLessThanOrEqual(300)
    expect(output.text).toContain('entry 17321 of the list')
  })
})

describe('tables written as lists of lists', () => {
  const rows = Array.from({ length: 90 }, (_, i) => [
    i,
    `user-${i}`,
    ['Oslo', 'Lima'][i % 2],
    (i * 53) % 97,
    i === 50 ? 'locked' : 'active',
  ])
  const columns = ['id', 'login', 'city', 'visits', 'state']
  const forms = {
    'names beside the rows': { columns, rows },
    'descriptions of columns beside the rows': {
      rows,
      fields: columns.map((name) => ({ name, type: 'text' })),
    },
    'the first row': [columns, ...rows],
  }

  test.each(Object.entries(forms))('a row is printed whole, with its header: %s', (_, value) => {
    const { text } = compress(JSON.stringify(value), 'city of user-42', 150)
    expect(text).toContain('[42,"user-42","Oslo",92,"active"]')
    for (const column of columns) expect(text).toContain(`"${column}"`)
  })

  test.each(Object.entries(forms))('the header names the columns for superlatives: %s', (_, value) => {
    const most = rows.reduce((a, b) => (Number(b[3]) > Number(a[3]) ? b : a))
    const { text } = compress(JSON.stringify(value), 'login with the most visits', 150)
    expect(text).toContain(JSON.stringify(most))
  })

  test('without a goal the odd row is there', () => {
    const { text } = compress(JSON.stringify(forms['names beside the rows']), undefined, 200)
    expect(text).toContain('"user-50","Oslo",31,"locked"]')
  })
})

describe('answers of real servers', () => {
  const pods = {
    kind: 'List',
    items: Array.from({ length: 60 }, (_, i) => ({
      metadata: { name: `web-${i}`, namespace: ['default', 'tools'][i % 2], uid: `8f${i * 991}` },
      spec: { nodeName: `node-${i % 5}` },
      status: {
        phase: i === 17 ? 'Pending' : 'Running',
        containers: [{ ready: true, restartCount: i === 22 ? 14 : 0 }],
      },
    })),
  }
  const items = (goal: string, budget = 250): unknown =>
    JSON.parse(compress(JSON.stringify(pods), goal, budget).text)

  test('a record is named by a field of an object in it', () => {
    expect(JSON.stringify(items('Which pod restarts the most?'))).toMatch(
      /"name":"web-22"[^]*"restartCount":14/,
    )
  })

  test('"not running" finds what is not', () => {
    expect(JSON.stringify(items('pods that are not running'))).toMatch(/"name":"web-17"[^]*"phase":"Pending"/)
  })

  test('ids that a map leads from do not crowd the names of fields out', () => {
    const packages = Object.fromEntries(
      Array.from({ length: 200 }, (_, i) => [
        `node_modules/pkg-${i}`,
        { version: `1.${i}.0`, integrity: 'x', license: 'MIT' },
      ]),
    )
    const { text } = compress(JSON.stringify({ lockfileVersion: 3, packages }), undefined, 120)
    for (const key of ['lockfileVersion', 'packages', 'version', 'integrity', 'license'])
      expect(text).toContain(`"${key}"`)
  })
})

test('a record that no field names is told by all that differs: a sample of a metric comes with its labels', () => {
  const samples = ['/cart', '/orders', '/search', '/login'].flatMap((route, r) =>
    ['10.0.0.1:80', '10.0.0.2:80', '10.0.0.3:80'].flatMap((instance, i) =>
      ['200', '404', '500'].map((code, c) => ({
        metric: {
          __name__: 'http_requests_total',
          env: 'production-europe',
          job: 'checkout-service',
          code,
          instance,
          route,
        },
        value: [1795832967.6, `${(r + 2) * (i + 3) * (c + 5) * 7}`],
      })),
    ),
  )
  const text = JSON.stringify({ status: 'success', data: { resultType: 'vector', result: samples } }, null, 2)
  const shown = jsonStrategy.compress({ text, goal: 'where does most of the traffic go', budget: 400 })
  const { data } = JSON.parse(shown?.text ?? '') as {
    data: { result: { metric?: object; value?: [number, string] }[] }
  }
  const withValue = data.result.filter(({ value }) => value !== undefined)
  expect(withValue.length).toBeGreaterThan(2)
  for (const { metric, value } of withValue) {
    const own = samples.filter((sample) => sample.value[1] === value?.[1])
    const labels = Object.entries(metric ?? {})
    expect(
      own.filter((sample) =>
        labels.every(([key, label]) =>
          Object.entries(sample.metric).some(([a, b]) => a === key && b === label),
        ),
      ),
    ).toHaveLength(1)
  }
})

test('an empty element keeps its place in a list', () => {
  const series = Array.from({ length: 60 }, (_, q) => ({
    name: `sensor ${q}`,
    values: [1.5, null, 3.25, null, 5, q],
  }))
  const shown = jsonStrategy.compress({
    text: JSON.stringify({ series }),
    goal: 'values of sensor 23',
    budget: 250,
  })
  const { series: kept } = JSON.parse(shown?.text ?? '') as { series: { values?: unknown[] }[] }
  const lists = kept.flatMap(({ values }) => (values === undefined ? [] : [values]))
  expect(lists.length).toBeGreaterThan(3)
  for (const list of lists) expect(list.slice(0, 5)).toEqual([1.5, null, 3.25, null, 5])
})
