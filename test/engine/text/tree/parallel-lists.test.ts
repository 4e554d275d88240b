import { describe, expect, test } from 'vitest'
import { jsonStrategy } from '../../../../electron/engine/compression/strategies/json.ts'

describe('columns written as lists', () => {
  const towns = Array.from({ length: 60 }, (_, i) => `town ${String.fromCharCode(97 + (i % 26))}${i}`)
  const byColumn = {
    town: towns,
    people: towns.map((_, i) => (i % 7 === 3 ? null : 90_000 + ((i * 7919) % 500_000))),
    founded: towns.map((_, i) => 800 + ((i * 37) % 900)),
    mayor: towns.map((_, i) => `M. ${(i * 7919).toString(36)}`),
  }
  const rowsIn = (columns: Partial<Record<keyof typeof byColumn, unknown[]>>): unknown[][] =>
    (columns.town ?? []).map((_, row) => Object.values(columns).map((column) => column[row]))
  const sources = towns.map((_, row) => Object.values(byColumn).map((column) => column[row]))

  test.each(['mayor of town n39', 'the largest number of people', undefined])(
    'are cut by rows: each shown cell stays beside those of its row (%s)',
    (goal) => {
      const shown = jsonStrategy.compress({ text: JSON.stringify({ data: byColumn }), goal, budget: 300 })
      const { data } = JSON.parse(shown?.text ?? '') as { data: typeof byColumn }
      expect(Object.keys(data)).toEqual(Object.keys(byColumn))
      const rows = rowsIn(data)
      expect(rows.length).toBeGreaterThan(3)
      for (const row of rows) expect(sources).toContainEqual(row)
      if (goal === 'mayor of town n39') expect(data.town).toContain('town n39')
    },
  )

  test('with times are described, and listed where the goal asks for a time', () => {
    const time = Array.from(
      { length: 168 },
      (_, i) => `2026-11-${20 + (i - (i % 24)) / 24}T${`${i % 24}`.padStart(2, '0')}:00`,
    )
    const hourly = {
      time,
      rain: time.map((_, i) => ((i * 31) % 97) / 10),
      wind: time.map((_, i) => (i * 53) % 89),
    }
    const show = (goal: string): { hourly: typeof hourly } =>
      JSON.parse(
        jsonStrategy.compress({ text: JSON.stringify({ hourly }), goal, budget: 400 })?.text ?? '',
      ) as {
        hourly: typeof hourly
      }
    const place = show('wind on 2026-11-23 at 15:00').hourly.time.indexOf('2026-11-23T15:00')
    expect(show('wind on 2026-11-23 at 15:00').hourly.wind[place]).toBe(hourly.wind[87])
    expect(show('when was there the strongest wind').hourly.wind).toMatchObject({
      'max at': expect.any(String),
    })
  })

  test.each(['close on 2026-02-20', 'close on 20 February 2026', 'close at 1771545600'])(
    'with Unix times around them are listed where one of these is asked for (%s)',
    (goal) => {
      const timestamp = Array.from({ length: 120 }, (_, i) => 1771545600 + (i - 40) * 86_400)
      const close = timestamp.map((_, i) => (i % 9 === 4 ? null : 100 + ((i * 7919) % 1000) / 10))
      const chart = { result: [{ meta: { symbol: 'ACME' }, timestamp, indicators: { quote: [{ close }] } }] }
      const shown = jsonStrategy.compress({ text: JSON.stringify({ chart }), goal, budget: 300 })
      const [first] = (JSON.parse(shown?.text ?? '') as { chart: typeof chart }).chart.result
      const place = first?.timestamp.indexOf(1771545600) ?? -1
      expect(first?.indicators.quote[0]?.close[place]).toBe(close[40])
    },
  )

  test('in a frame of a list come with what names them', () => {
    const frames = Array.from({ length: 40 }, (_, i) => ({
      schema: {
        refId: 'A',
        meta: { type: 'timeseries-multi', executedQueryString: 'sum by (pod) (rate(requests_total[5m]))' },
        fields: [
          { name: 'Time', type: 'time', typeInfo: { frame: 'time.Time' } },
          { name: 'Value', type: 'number', labels: { pod: `checkout-${i}x`, namespace: 'prod' } },
        ],
      },
      data: { values: [[0, 1, 2, 3, 4].map((k) => 1764300000000 + k * 60_000), [i, 0.5, null, i + 1.25, 2]] },
    }))
    const shown = jsonStrategy.compress({
      text: JSON.stringify({ results: { A: { status: 200, frames } } }),
      goal: 'values of pod checkout-23x',
      budget: 500,
    })
    const { results } = JSON.parse(shown?.text ?? '') as {
      results: { A: { frames: Partial<(typeof frames)[0]>[] } }
    }
    const withValues = results.A.frames.filter(({ data }) => data !== undefined)
    expect(withValues.length).toBeGreaterThan(0)
    for (const { schema, data } of withValues) {
      const source = frames.find((frame) =>
        JSON.stringify(schema).includes(`"${frame.schema.fields[1]?.labels?.pod}"`),
      )
      expect(data?.values.map((list) => list.length)).toEqual([
        data?.values[0]?.length,
        data?.values[0]?.length,
      ])
      data?.values[0]?.forEach((at, k) =>
        expect(data.values[1]?.[k]).toEqual(
          source?.data.values[1]?.[source.data.values[0]?.indexOf(at ?? 0) ?? -1],
        ),
      )
    }
    expect(shown?.text).toContain('24.25')
  })

  test('are described together, nulls or not, or listed together where one has words', () => {
    const time = Array.from(
      { length: 400 },
      (_, i) => `2026-${`${1 + (i % 12)}`.padStart(2, '0')}-0${1 + (i % 9)}T00:00`,
    )
    const rain = time.map((_, i) => (i % 6 === 2 ? null : ((i * 31) % 97) / 10))
    const wind = time.map((_, i) => (i * 53) % 89)
    const sky = time.map((_, i) => ['clear', 'fog', 'snow'][i % 3])
    const show = (columns: object): Record<string, unknown> =>
      JSON.parse(
        jsonStrategy.compress({ text: JSON.stringify(columns), goal: 'strongest wind', budget: 400 })?.text ??
          '',
      ) as Record<string, unknown>
    expect(show({ time, rain, wind })).toMatchObject({
      rain: { nulls: 67 },
      wind: { 'max at': expect.any(String) },
    })
    const listed = show({ time, rain, wind, sky }) as Record<string, unknown[]>
    expect(Object.keys(listed)).toEqual(['time', 'rain', 'wind', 'sky'])
    expect(listed['time']?.length).toBeGreaterThan(3)
    listed['wind']?.forEach((value, k) => {
      const rows = [...wind.keys()].filter((i) => wind[i] === value && time[i] === listed['time']?.[k])
      expect(rows.map((i) => [rain[i] ?? null, sky[i]])).toContainEqual([
        listed['rain']?.[k],
        listed['sky']?.[k],
      ])
    })
  })

  test('of a chart are whole beside their labels, or not there', () => {
    const labels = Array.from({ length: 12 }, (_, i) => `Week ${i + 1} ${i % 3 ? 'north' : 'south'}`)
    const datasets = Array.from({ length: 30 }, (_, d) => ({
      label: `Profit ${2010 + d}`,
      backgroundColor: `#${100_000 + d * 991}`,
      data: labels.map((_, i) => (d * 7919 + i * 613) % 9973),
    }))
    const text = JSON.stringify({ type: 'bar', data: { labels, datasets } })
    const shown = jsonStrategy.compress({ text, goal: 'Profit 2015 in Week 10', budget: 400 })?.text ?? ''
    const { data } = JSON.parse(shown) as {
      data: { labels: string[]; datasets: Partial<(typeof datasets)[0]>[] }
    }
    expect(data.labels).toEqual(labels)
    const lists = data.datasets.flatMap((one) => (one.data === undefined ? [] : [one.data]))
    expect(lists.length).toBeGreaterThan(0)
    for (const list of lists) expect(datasets.map((one) => one.data)).toContainEqual(list)
  })

  test('beside rows or records are cut with them', () => {
    const index = Array.from({ length: 200 }, (_, i) => `k${i}`)
    const data = index.map((_, i) => [['Oslo', 'Kyoto'][i % 2], (i * 7919) % 10_007, i / 1000])
    const records = index.map((_, i) => ({ source: `wiki/${(i * 37) % 211}.md`, page: i % 40 }))
    for (const document of [
      { columns: ['city', 'sales', 'share'], index, data },
      { ids: index, metadatas: records },
    ]) {
      const text = JSON.stringify(document)
      const shown = JSON.parse(
        jsonStrategy.compress({ text, goal: 'what has k144', budget: 250 })?.text ?? '',
      ) as { index?: string[]; ids?: string[]; data?: unknown[]; metadatas?: unknown[] }
      const keys = shown.index ?? shown.ids ?? []
      expect(keys).toContain('k144')
      const parts = shown.data ?? shown.metadatas ?? []
      expect(parts).toEqual(keys.map((key) => (shown.data ? data : records)[index.indexOf(key)]))
    }
  })
})
