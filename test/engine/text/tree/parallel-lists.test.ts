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
})
