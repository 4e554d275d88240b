import * as fc from '../../../helpers/properties.ts'
import { describe, expect, test } from 'vitest'
import { showRecords } from '../../../../electron/engine/compression/records/show-records.ts'
import { jsonStrategy } from '../../../../electron/engine/compression/strategies/json.ts'
import { jsonReading } from '../../../../electron/engine/text/readers/json.ts'
import { tableReader } from '../../../../electron/engine/text/readers/table.ts'
import { yamlReader } from '../../../../electron/engine/text/readers/yaml.ts'
import type { Reading } from '../../../../electron/engine/text/readers/reading.ts'
import { parseJson } from '../../../../electron/engine/text/tree/parse-json.ts'
import { countTokens } from '../../../../electron/engine/text/tokens/count-tokens.ts'

function reading(value: unknown): Reading {
  const document = parseJson(JSON.stringify(value))
  if (document === undefined) throw new Error('The sample is not JSON.')
  return jsonReading(document)
}
const show = (source: Reading, goal: string | undefined, budget: number): string =>
  showRecords(source, goal, budget)?.text ?? ''

type Job = Record<string, string | number | boolean>
const cities = ['Oslo', 'Lima', 'Kyoto', 'Quito', 'Perth', 'Turin']
const job = (n: number): Job => ({
  job: `job-${n}`,
  city: cities[n % cities.length] ?? '',
  seconds: 100 + ((n * 37) % 211),
  state: 'done',
})
const jobs = (count: number, change: (each: Job, n: number) => Job = (each) => each): Job[] =>
  Array.from({ length: count }, (_, n) => change(job(n), n))
const jobNames = (text: string): string[] => [...new Set(text.match(/job-\d+/g))].sort()

const counts = fc.integer({ min: 20, max: 200 })
const budgets = fc.integer({ min: 150, max: 900 })

describe('showRecords', () => {
  test('one failing record among uniform ones is shown whole, without a goal, wherever it is', () => {
    fc.assert(
      fc.property(counts, fc.nat(), fc.integer({ min: 200, max: 900 }), (count, at, budget) => {
        const failing = { job: 'job-x', city: 'Bern', seconds: 7, state: 'failed', reason: 'disk is full' }
        const all = jobs(count).map((each, n) => (n === at % count ? failing : each))
        expect(show(reading(all), undefined, budget)).toContain(JSON.stringify(failing))
      }),
      { numRuns: 40 },
    )
  })

  test('the three largest of a column where many are far from the rest are shown, without a goal, wherever they are', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        // Sizes as they are: a tenth is far larger than the others, in no order.
        const size = (n: number): number =>
          (n * 7 + seed) % 10 === 0 ? 2_000 + 131 * n : 10 + ((n * 37) % 31)
        const files = Array.from({ length: 150 }, (_, n) => ({ file: `part-${n}.js`, bytes: size(n) }))
        const shown = show(reading(files), undefined, 400)
        for (const { file } of files.toSorted((a, b) => b.bytes - a.bytes).slice(0, 3))
          expect(shown).toContain(file)
      }),
      { numRuns: 20 },
    )
  })

  test('a longer value that many records repeat is shown once before it is repeated', () => {
    const script = (n: number) => `echo "the host is ready for step one" && run --fast --check=${n}`
    const steps = Array.from({ length: 40 }, (_, n) => ({ step: `step-${n}`, run: script(n === 31 ? 7 : 1) }))
    expect(show(reading(steps), 'what does the check run on the host', 150)).toContain('--check=7')
  })

  describe('rows whose places have names', () => {
    const columns = [
      'host',
      'region',
      'cpu',
      'memory',
      'disk',
      'sent',
      'got',
      'errors',
      'uptime',
      'owner',
      'version',
    ]
    const cell = (name: string, n: number) => (name === 'host' ? `web-${n}` : `${name} ${(n * 37) % 211}`)
    const rows = Array.from({ length: 60 }, (_, n) => columns.map((name) => cell(name, n)))
    const members = (text: string): [string, string][] =>
      [...text.matchAll(/"([a-z]+)":"([^"]*)"/g)].map(([, key = '', value = '']) => [key, value])

    test.each([
      ['beside', { columns, rows }],
      ['described', { columns: columns.map((name) => ({ name })), rows }],
      ['further away', { meta: { schema: columns.map((name) => ({ name, type: 'text' })) }, data: rows }],
      ['in the first row', { values: [columns, ...rows] }],
      [
        'of cells',
        {
          schema: { fields: columns.map((name) => ({ name })) },
          rows: rows.map((row) => ({ f: row.map((v) => ({ v })) })),
        },
      ],
    ])('are printed whole, or with the name of each value: a header %s', (_, value) => {
      for (const goal of ['errors of web-27', 'owner', undefined])
        for (const budget of [200, 500, 900]) {
          const text = show(reading(value), goal, budget)
          expect(text).toContain('web-')
          for (const [key, shown] of members(text).filter(([key]) => columns.includes(key)))
            expect(shown.split(/[ -]/)[0]).toBe(key === 'host' ? 'web' : key)
          for (const [list] of text.matchAll(
            /\[(?:"[^"]*"|\{"v":"[^"]*"\})(?:,(?:"[^"]*"|\{"v":"[^"]*"\}))*\]/g,
          ))
            expect(JSON.parse(list)).toHaveLength(columns.length)
        }
    })

    test('are printed whole without names', () => {
      const text = show(
        reading(rows.map((row) => row.map((value, n) => (n === 3 ? null : value)))),
        'web-27',
        500,
      )
      for (const row of JSON.parse(text) as unknown[]) expect(row).toHaveLength(columns.length)
    })
  })

  test('a condition that is denied is shown with its type, and with the record that has it', () => {
    const items = Array.from({ length: 40 }, (_, n) => ({
      name: `web-${n}`,
      conditions: [
        { type: 'Ready', status: n === 15 ? 'False' : 'True' },
        { type: 'PodScheduled', status: 'True' },
      ],
    }))
    expect(show(reading({ items }), 'which pods are not ready', 300)).toMatch(
      /"web-15","conditions":\[\{"type":"Ready","status":"False"\}/,
    )
  })

  test('a rising id names records better than words that they share', () => {
    const rows = Array.from({ length: 40 }, (_, n) => ({ sku: 40_000 + 7 * n, kind: `k${n % 31} wood` }))
    const shown = show(reading(rows), 'kind of 40070', 200)
    expect(shown.match(/"kind"/g)?.length).toBe(shown.match(/"sku"/g)?.length)
  })

  test('a value that refers to a name brings what the name stands for', () => {
    const rows = Array.from({ length: 60 }, (_, n) => ({
      artifact: `tool-${n}`,
      version: `\${tool${n}.version}`,
    }))
    const values = Object.fromEntries(rows.map((_, n) => [`tool${n}.version`, `${n}.${n % 7}.2-rc${n}`]))
    expect(show(reading({ values, rows }), 'artifact tool-31', 120)).toContain('"31.3.2-rc31"')
  })

  test('a larger budget keeps at least what a smaller one keeps, but for what is said of all records', () => {
    fc.assert(
      fc.property(counts, budgets, budgets, (count, one, other) => {
        // That is a twentieth of a budget: 360 tokens may say one more sum than 346.
        fc.pre(Math.min(one, other) < 0.93 * Math.max(one, other))
        const source = reading(jobs(count))
        const few = jobNames(show(source, 'seconds of the jobs in Kyoto', Math.min(one, other)))
        expect(jobNames(show(source, 'seconds of the jobs in Kyoto', Math.max(one, other)))).toEqual(
          expect.arrayContaining(few),
        )
      }),
      { numRuns: 30 },
    )
  })

  test('neither the order of keys nor a prefix of every value of a column changes what is kept', () => {
    const goal = 'Which job took longest in Turin?'
    const kept = jobNames(show(reading(jobs(90)), goal, 200))
    expect(kept.length).toBeGreaterThan(1)
    const turned = jobs(90, (each) => Object.fromEntries(Object.entries(each).reverse()))
    expect(jobNames(show(reading(turned), goal, 200))).toEqual(kept)
    const prefixed = jobs(90, (each) => ({ ...each, state: `jobs.example.state.${each['state']}` }))
    const longer = jobNames(show(reading(prefixed), goal, 260))
    expect(longer).toEqual(expect.arrayContaining(kept.slice(0, 1)))
  })

  test.each(['seconds', 'secs', 'duration_ms', 'elapsed'])(
    'the slowest is found by a column named %s',
    (name) => {
      const renamed = jobs(90, ({ seconds = 0, ...each }, n) => ({
        ...each,
        [name]: n === 41 ? 9999 : seconds,
      }))
      expect(show(reading(renamed), 'Which job was slowest?', 150)).toMatch(/job-41\b[^{}]*9999/)
    },
  )

  test('the same records as JSON, YAML and a table keep the same answer', () => {
    const all = jobs(120, (each, n) => ({ ...each, seconds: n === 77 ? 5000 : (each['seconds'] ?? 0) }))
    const yaml = all
      .map((each) => Object.entries(each).map(([key, value], i) => `${i === 0 ? '-' : ' '} ${key}: ${value}`))
      .map((lines) => lines.join('\n'))
      .join('\n')
    const csv = [Object.keys(job(0)), ...all.map((each) => Object.values(each))]
      .map((row) => row.join(','))
      .join('\n')
    for (const source of [reading(all), yamlReader.read(yaml), tableReader.read(csv)]) {
      if (source === undefined) throw new Error('A reader does not know its format.')
      const text = show(source, 'job with the most seconds', 150)
      expect(text).toMatch(/job-77\b/)
      expect(text).toMatch(/\b5000\b/)
    }
  })

  test('every record that is shown is named', () => {
    fc.assert(
      fc.property(counts, budgets, (count, budget) => {
        const shown = JSON.parse(show(reading(jobs(count)), 'seconds in Lima', budget)) as Job[]
        expect(shown.length).toBeGreaterThan(0)
        for (const each of shown) expect(each['job']).toMatch(/^job-/)
      }),
      { numRuns: 30 },
    )
  })

  test('statistics are true of all records, and all is in the budget', () => {
    const all = jobs(200, (each, n) => ({ ...each, state: n % 20 === 0 ? 'late' : 'done' }))
    const shown = showRecords(reading(all), undefined, 400)
    const sum = all.reduce((total, each) => total + Number(each['seconds']), 0)
    expect(shown?.omitted).toContain('state: done 190, late 10')
    expect(shown?.omitted).toContain(`sum ${sum}`)
    expect(countTokens(shown?.text ?? '') + countTokens(shown?.omitted ?? '')).toBeLessThanOrEqual(400)
  })

  test('records named by a key or a number bring their title', () => {
    const issues = Array.from({ length: 40 }, (_, n) => ({
      key: `SHOP-${2000 + n}`,
      fields: {
        summary: `Something about ${cities[n % 6]}, part ${'abcdefg'.charAt(n >> 3)}`,
        priority: n === 17 ? 'Highest' : 'Low',
        created: `2026-11-${10 + (n % 20)}T10:00:00Z`,
        hours: n * 7,
      },
    }))
    issues[17]!.fields.summary = 'Cards are charged twice'
    expect(show(reading(issues), 'which issue has priority Highest', 200)).toContain(
      'Cards are charged twice',
    )
  })

  test('the first of two quantities in a cell orders its column', () => {
    const stats = Array.from({ length: 60 }, (_, n) => ({
      name: `${cities[n % 6]} ${n}`,
      memory: n === 33 ? '6.91GiB / 7.6GiB' : `${20 + n}.5MiB / 7.6GiB`,
      state: `says a few words about ${n} and nothing else that has to be known today`,
    }))
    expect(show(reading(stats), 'highest memory', 150)).toContain('6.91GiB')
  })

  test('a long value is cut to the sentences that fit', () => {
    const story = Array.from(
      { length: 60 },
      (_, n) => `Sentence ${n} speaks of ${cities[n % 6]} and the weather there.`,
    )
    story[33] = 'The harbour was closed because of ice.'
    const text = show(reading({ title: 'News', story: story.join(' ') }), 'Why was the harbour closed?', 200)
    expect(text).toContain('The harbour was closed because of ice.')
    expect(text).toContain('…')
  })
  test('keys that begin alike do not take the room of others', () => {
    const settings = Object.fromEntries([
      ...Array.from({ length: 120 }, (_, i) => [`cache_size_${i}`, i] as const),
      ...['port', 'host', 'user', 'mode'].map((key, i) => [key, `${key}${i}`] as const),
    ])
    const shown = show(reading(settings), undefined, 200)
    for (const key of ['port', 'host', 'user', 'mode']) expect(shown).toContain(`"${key}":`)
  })
})

test('the series whose labels the goal says comes with its samples, before labels of others', () => {
  const result = ['/cart', '/orders', '/login', '/api/v1', '/api/v2'].flatMap((route, r) =>
    ['0.1', '0.5', '1', '5', '+Inf'].map((le, b) => ({
      metric: { route, le, pod: `p-${r}` },
      values: Array.from({ length: 6 }, (_, k) => [1764300000 + k * 30, `${r * 100 + b * 10 + k}`]),
    })),
  )
  const text = JSON.stringify({ data: { resultType: 'matrix', result } })
  const shown = jsonStrategy.compress({ text, goal: 'route /api/v1 le 5', budget: 400 })
  const kept = (JSON.parse(shown?.text ?? '') as { data: { result: Partial<(typeof result)[0]>[] } }).data
    .result
  const asked = kept.find(({ metric }) => metric?.route === '/api/v1' && metric.le === '5')
  expect(asked?.values?.length).toBeGreaterThan(3)
})

test('records in the only element of a list are told apart: the series that is asked for comes with its samples', () => {
  const series = Array.from({ length: 40 }, (_, i) => ({
    name: 'cpu',
    tags: { host: `srv${i}`, region: i % 2 ? 'us' : 'eu' },
    columns: ['time', 'mean', 'max'],
    values: Array.from({ length: 5 }, (_, k) => [`2026-11-28T0${k}:00:00Z`, i + k / 10, i * 2 + k]),
  }))
  const text = JSON.stringify({ results: [{ statement_id: 0, series }] })
  const shown = jsonStrategy.compress({ text, goal: 'srv31', budget: 400 })
  const { results } = JSON.parse(shown?.text ?? '') as {
    results: { series: Partial<(typeof series)[0]>[] }[]
  }
  const asked = results[0]?.series.find(({ tags }) => tags?.host === 'srv31')
  expect(asked?.values?.length).toBeGreaterThan(3)
})

test('rows of a series that no field names come with its labels', () => {
  const series = Array.from({ length: 30 }, (_, i) => ({
    name: 'cpu',
    tags: { host: `web0${i % 10}`, region: ['us-east', 'ap-south', 'eu-west'][Math.floor(i / 10)] },
    columns: ['time', 'used'],
    values: Array.from({ length: 12 }, (_row, k) => [
      `2026-03-01T${k + 10}:00:00Z`,
      (i * 97 + k * 31) % 1000,
    ]),
  }))
  const shown = jsonStrategy.compress({
    text: JSON.stringify({ results: [{ statement_id: 0, series }] }),
    goal: 'highest used in ap-south',
    budget: 300,
  })
  const { results } = JSON.parse(shown?.text ?? '') as {
    results: { series: Partial<(typeof series)[0]>[] }[]
  }
  const withRows = results.flatMap((one) => one.series).filter(({ values }) => values !== undefined)
  expect(withRows.length).toBeGreaterThan(0)
  for (const { tags, values = [] } of withRows) {
    const source = series.find((one) => one.tags.host === tags?.host && one.tags.region === tags?.region)
    for (const row of values) expect(source?.values).toContainEqual(row)
  }
})
