import { expect, test } from 'vitest'
import { startScreensWorld } from '../../helpers/screens-world.ts'
import { testServer } from '../../helpers/upstream.ts'

test('two servers with a tool of one name: each row has the figures of its own server', async () => {
  const world = await startScreensWorld({ one: testServer('big-result'), two: testServer('big-result') })
  const [one, two] = [await world.connect('one'), await world.connect('two')]
  await one('tools/list')
  await two('tools/list')
  await two('tools/call', { name: 'log', arguments: { bytes: 60_000 } })
  await two('tools/call', { name: 'echo', arguments: { text: 'x' } })
  await one('tools/call', { name: 'echo', arguments: { text: 'x' } })
  await one('tools/call', { name: 'echo', arguments: { text: 'x' } })
  await expect.poll(async () => (await world.http.activity.list({})).calls.length).toBe(4)

  const rows = await world.http.tools.list({})
  const calls = (server: string, tool: string): number | undefined =>
    rows.find((row) => row.server === server && row.tool === tool)?.savings.calls
  expect([calls('one', 'log'), calls('two', 'log')]).toEqual([0, 1])
  expect([calls('one', 'echo'), calls('two', 'echo')]).toEqual([2, 1])
  const alone = await world.http.tools.list({ server: 'one' })
  expect(alone.find(({ tool }) => tool === 'log')?.savings.net).toBe(0)
})

test('several tools are hidden and shown at once; the answer names those that changed', async () => {
  const world = await startScreensWorld({ one: testServer('big-result') })
  await (
    await world.connect('one')
  )('tools/list')
  const [echo, log] = [
    { server: 'one', tool: 'echo' },
    { server: 'one', tool: 'log' },
  ]
  const { hide } = world.http.tools
  expect(await hide({ tools: [echo, log], hidden: true })).toEqual({ changed: [echo, log] })
  expect(await hide({ tools: [log], hidden: false })).toEqual({ changed: [log] })
  await expect(hide({ tools: [log, { ...log, tool: 'lok' }], hidden: true })).rejects.toThrow(/Did you mean/)
  expect(await hide({ tools: [echo, log], hidden: false })).toEqual({ changed: [echo] })
  expect(JSON.stringify(world.engine.settings.current.servers['one'])).not.toContain('hidden')
})

test('a list has no definitions; a search reads them whole, and the one that is opened has its own', async () => {
  const world = await startScreensWorld({
    one: {
      ...testServer('big-result'),
      tools: { echo: { description: `Repeats. ${'So on. '.repeat(90)}In the end.` } },
    },
  })
  const request = await world.connect('one')
  await request('tools/list')
  const rows = await world.http.tools.list({})
  expect(rows.map(({ tool, isEdited }) => [tool, isEdited])).toEqual([
    ['echo', true],
    ['json', false],
    ['log', false],
    ['prose', false],
  ])
  expect(JSON.stringify(rows)).not.toMatch(/inputSchema|In the end/)
  expect(rows[0]?.about).toMatch(/^Repeats\. So on/)
  const found = async (text: string) => (await world.http.tools.search({ text })).map(({ tool }) => tool)
  expect(await found('in the END')).toEqual(['echo'])
  expect(await found('seed')).toEqual(['json', 'log', 'prose'])
  expect(await found('inputSchema')).toEqual([])
  const { original, originalTokens, shownTokens } = await world.http.tools.show({
    server: 'one',
    tool: 'echo',
  })
  expect(original).toHaveProperty('inputSchema')
  expect(rows[0]).toMatchObject({ originalTokens, shownTokens })
})
