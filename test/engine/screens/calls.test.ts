import { expect, test } from 'vitest'
import { startScreensWorld } from '../../helpers/screens-world.ts'
import { testServer } from '../../helpers/upstream.ts'

test('one call in full holds placeholders where masking is on, in arguments and in what was sent', async () => {
  const address = 'jane.roe@example.com'
  for (const direction of ['from-server', 'from-model'] as const) {
    const world = await startScreensWorld({ one: testServer('big-result') }, { masking: { direction } })
    const ask = await world.connect('one')
    await ask('tools/call', { name: 'echo', arguments: { text: `Write to ${address}` } })
    await expect.poll(async () => (await world.http.activity.list({})).calls.length).toBe(1)
    const { calls } = await world.http.activity.list({})
    const detail = await world.http.activity.get({ id: calls[0]?.id ?? '' })
    expect(JSON.stringify(detail.sent)).toContain('[EMAIL_1]')
    if (direction === 'from-server') expect(JSON.stringify(detail.arguments)).toContain('[EMAIL_1]')
    if (direction === 'from-server') expect(world.heard.join('\n')).not.toContain(address)
  }
})

test('calls from the screens are on record and in no sum', async () => {
  const world = await startScreensWorld({ one: testServer('big-result') })
  await world.http.servers.tryStart({ server: 'one' })
  await world.http.tools.try({ server: 'one', tool: 'log', arguments: { bytes: 60_000 } })
  await expect.poll(async () => (await world.http.activity.list({})).calls.length).toBe(1)
  const everything = { from: 0, to: 9e15 }
  expect((await world.http.stats.report(everything)).totals.calls).toBe(0)
  expect((await world.http.stats.timeline({ ...everything })).points).toEqual([])
})

test('lists of calls are filtered and paged, series add up to the whole', async () => {
  const world = await startScreensWorld({ one: testServer('big-result'), two: testServer('big-result') })
  const [one, two] = [await world.connect('one', 'anna'), await world.connect('two', 'bert')]
  for (let i = 0; i < 5; i++) await one('tools/call', { name: 'echo', arguments: { text: `${i}` } })
  await two('tools/call', { name: 'log', arguments: { bytes: 60_000 } })
  const list = world.http.activity.list
  await expect.poll(async () => (await list({})).calls.length).toBe(6)
  expect((await list({ server: 'two' })).calls.map(({ tool }) => tool)).toEqual(['log'])
  expect((await list({ only: 'shortened' })).calls).toHaveLength(1)
  expect((await list({ text: 'ANN' })).calls).toHaveLength(5)
  expect((await list({ text: '%' })).calls).toHaveLength(0)
  const ids: string[] = []
  for (let before: string | undefined, page = 0; page < 4; page++) {
    const { calls, next } = await list({ limit: 2, ...(before === undefined ? {} : { before }) })
    ids.push(...calls.map(({ id }) => id))
    if (next === undefined) break
    before = next
  }
  expect(new Set(ids).size).toBe(6)
  expect(ids).toHaveLength(6)

  const range = { from: 0, to: 9e15 }
  for (const by of ['server', 'tool', 'client', 'strategy'] as const) {
    const { points, series } = await world.http.stats.timeline({ ...range, unit: 'hour', by })
    const sum = (all: typeof points): number => all.reduce((total, { net }) => total + net, 0)
    expect(series.reduce((total, each) => total + sum(each.points), 0)).toBe(sum(points))
    expect(series.length).toBeGreaterThan(1)
  }
  const only = await world.http.stats.timeline({ ...range, client: 'anna' })
  expect(only.points.reduce((total, { calls }) => total + calls, 0)).toBe(5)
  await expect(world.http.stats.timeline({ ...range, timeZone: 'Nowhere' })).rejects.toThrow(
    /isn't a time zone/,
  )
})
