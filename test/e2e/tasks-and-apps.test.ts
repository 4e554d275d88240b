import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { JsonObject } from '../../electron/engine/protocol/json-rpc.ts'
import { engineWorld } from '../helpers/engine-world.ts'
import { rawSession } from '../helpers/raw-session.ts'
import { testServer } from '../helpers/upstream.ts'

/** Tasks of 2025-11-25 and pages of MCP Apps, for clients of either era. */

const PAGE = 'ui://report/page.html'
const cleanups: (() => Promise<void> | void)[] = []
let world: Awaited<ReturnType<typeof engineWorld>>

beforeAll(async () => {
  world = await engineWorld(
    {
      s: testServer('tasks-and-apps'),
      modern: testServer('modern-tasks'),
      shared: { ...testServer('tasks-and-apps'), shared: true },
      sharedModern: { ...testServer('modern-tasks'), shared: true },
    },
    { approvals: { firstSight: 'trust' } },
    { whenDone: (end) => cleanups.push(end) },
  )
})
afterAll(async () => {
  for (const clean of cleanups.toReversed()) await clean()
})

/** Of each 2026-07-28 request. */
const envelopeOf = (capabilities: JsonObject): JsonObject => ({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': capabilities,
})

const asked = async (
  { client }: Awaited<ReturnType<typeof world.connect>>,
  method: string,
  params: JsonObject = {},
): Promise<JsonObject> =>
  (await client.request(
    { method, params } as never,
    z.record(z.string(), z.unknown()) as never,
  )) as JsonObject

test('a call as a task, its state, its result and its end pass to clients of the same era', async () => {
  const client = await world.connect()
  const begun = await asked(client, 'tools/call', { name: 'report', arguments: {}, task: { ttl: 60_000 } })
  expect(begun).toMatchObject({ task: { taskId: 't-1', status: 'working', pollInterval: 10 } })
  expect(await asked(client, 'tasks/get', { taskId: 't-1' })).toMatchObject({ status: 'working' })
  expect(await asked(client, 'tasks/list')).toMatchObject({ tasks: [{ taskId: 't-1' }] })
  expect(await asked(client, 'tasks/result', { taskId: 't-1' })).toMatchObject({
    content: [{ text: 'done later' }],
    _meta: { 'io.modelcontextprotocol/related-task': { taskId: 't-1' } },
  })
  expect(await asked(client, 'tasks/get', { taskId: 't-1' })).toMatchObject({ status: 'completed' })
  expect(await asked(client, 'tasks/cancel', { taskId: 't-1' })).toMatchObject({ status: 'cancelled' })
})

const EXTENSION = 'io.modelcontextprotocol/tasks'
const modern = { kind: 'server', serverId: 'modern' } as const
const textIn = ({ content }: JsonObject): unknown => (content as JsonObject[] | undefined)?.[0]?.['text']

test('tasks of 2026-07-28 pass to clients that follow them, and nobody else is told of them', async () => {
  const capabilities = { extensions: { [EXTENSION]: {} } }
  const client = await world.connect({ scope: modern, era: 'modern', capabilities })
  expect(client.client.getServerCapabilities()).toMatchObject(capabilities)
  // The SDK's client has no tasks: requests by hand.
  const link = { era: 'modern', notify: () => {}, ask: () => Promise.reject(new Error('No.')) } as const
  const session = world.engine.openSession({ scope: modern, client: {}, link })
  const raw = (method: string, params: JsonObject): Promise<JsonObject> =>
    session.handleRequest({
      id: 1,
      method,
      params: { ...params, _meta: envelopeOf(capabilities) },
      signal: new AbortController().signal,
      notify: () => {},
    })
  const begun = await raw('tools/call', { name: 'report', arguments: {} })
  expect(begun).toMatchObject({ resultType: 'task', taskId: 'report' })
  expect(await raw('tasks/get', { taskId: 'report' })).toMatchObject({ status: 'input_required' })
  const inputResponses = { who: { action: 'accept', content: { name: 'Eve' } } }
  await raw('tasks/update', { taskId: 'report', inputResponses })
  expect(await raw('tasks/get', { taskId: 'report' })).toMatchObject({
    status: 'completed',
    result: { content: [{ text: 'report for Eve' }] },
  })
  await session.close()
  const legacy = await world.connect({ scope: modern })
  expect(legacy.client.getServerCapabilities()).toEqual({ tools: {} })
  // With all servers Sluice is the server, and has no tasks.
  const all = await world.connect({ scope: { kind: 'all' }, era: 'modern', capabilities })
  expect(await all.call('modern__report')).toBe('report at once')
  const other = await world.connect({ era: 'modern' })
  expect(other.client.getServerCapabilities()).not.toHaveProperty('tasks')
})

test('a modern server’s task is awaited for an older client, which is asked and gets the result', async () => {
  const client = await world.connect({ scope: modern, capabilities: { elicitation: { form: {} } } })
  client.client.setRequestHandler('elicitation/create', () => ({
    action: 'accept' as const,
    content: { name: 'Ada' },
  }))
  expect(await client.call('eager')).toBe('report for Ada')
  const abort = new AbortController()
  const stuck = client.client.callTool({ name: 'stuck', arguments: {} }, { signal: abort.signal })
  stuck.catch(() => {})
  await expect.poll(() => client.call('seen')).toMatch(/tasks\/get tools\/call$/)
  abort.abort()
  await expect(stuck).rejects.toThrow()
  await expect.poll(() => client.call('seen')).toMatch(/tasks\/cancel/)
})

test.each(['legacy', 'modern'] as const)(
  'a tool that an older server runs as a task alone gives its result to whoever asks for that: %s client',
  async (era) => {
    for (const [scope, name] of [
      [{ kind: 'server', serverId: 's' }, 'patient'],
      [{ kind: 'all' }, 's__patient'],
    ] as const) {
      const client = await world.connect({ era, scope })
      expect(textIn(await asked(client, 'tools/call', { name, arguments: {} }))).toBe('done later')
    }
  },
)

test.each(['legacy', 'modern'] as const)(
  'and so it does where the server is shared, though nobody sees its tasks: %s client',
  async (era) => {
    for (const [scope, name] of [
      [{ kind: 'server', serverId: 'shared' }, 'patient'],
      [{ kind: 'all' }, 'shared__patient'],
    ] as const) {
      const client = await world.connect({ era, scope })
      expect(textIn(await asked(client, 'tools/call', { name, arguments: {} }))).toBe('done later')
      const task = { ttl: 60_000 }
      expect(textIn(await asked(client, 'tools/call', { name, arguments: {}, task }))).toBe('done later')
      await expect(asked(client, 'tasks/list')).rejects.toThrow()
    }
  },
)

test('a task of a shared server of 2026-07-28 is its own client’s alone', async () => {
  const scope = { kind: 'server', serverId: 'sharedModern' } as const
  const client = await world.connect({ scope, capabilities: { elicitation: { form: {} } } })
  client.client.setRequestHandler('elicitation/create', () => ({
    action: 'accept' as const,
    content: { name: 'Ada' },
  }))
  expect(await client.call('eager')).toBe('report for Ada')
  await expect(asked(client, 'tasks/get', { taskId: 'stuck' })).rejects.toThrow(/isn't a task of this client/)
})

test.each(['legacy', 'modern'] as const)(
  'a tool’s page is named, listed and read whole: %s client',
  async (era) => {
    const client = await world.connect({ era })
    const { tools } = (await asked(client, 'tools/list')) as { tools: JsonObject[] }
    expect(tools[0]).toMatchObject({ _meta: { ui: { resourceUri: PAGE, visibility: ['model', 'app'] } } })
    const result = await asked(client, 'tools/call', { name: 'report', arguments: {} })
    expect(result).toMatchObject({ structuredContent: { rows: 1 }, _meta: { ui: { resourceUri: PAGE } } })
    const [, embedded] = result['content'] as [JsonObject, { resource: JsonObject }]
    expect(embedded.resource['text']).toHaveLength(60_000)
    const { contents } = (await asked(client, 'resources/read', { uri: PAGE })) as { contents: JsonObject[] }
    expect(contents[0]).toMatchObject({
      uri: PAGE,
      mimeType: 'text/html;profile=mcp-app',
      _meta: { ui: { csp: {} } },
    })
    expect(contents[0]?.['text']).toHaveLength(60_000)
  },
)

test('in front of all servers a page is read by the address that the tool names', async () => {
  const client = await world.connect({ scope: { kind: 'all' } })
  const { tools } = (await asked(client, 'tools/list')) as { tools: JsonObject[] }
  const meta = tools.find((tool) => tool['name'] === 's__report')?.['_meta'] as {
    ui: { resourceUri: string }
  }
  const { contents } = (await asked(client, 'resources/read', { uri: meta.ui.resourceUri })) as {
    contents: JsonObject[]
  }
  expect(contents[0]?.['text']).toHaveLength(60_000)
})

test.each([
  ['one server', { kind: 'server', serverId: 's' }, 'patient'],
  ['all servers', { kind: 'all' }, 's__patient'],
] as const)('a client that knows no tasks hears nothing of them, in front of %s', async (_, scope, name) => {
  const session = rawSession(world.engine.openSession, { scope })
  await session.introduce()
  const result = await session.request('tools/call', { name, arguments: {} })
  expect(textIn(result)).toBe('done later')
  expect(result).not.toHaveProperty('_meta')
  await expect.poll(() => session.told.map(({ method }) => method)).toContain('notifications/message')
  expect(JSON.stringify(session.told)).not.toMatch(/task/i)
  await session.close()
})

test('one that names the capability hears of their states, and which task a message belongs to', async () => {
  const session = rawSession(world.engine.openSession, { capabilities: { tasks: {} } })
  await session.introduce()
  const result = await session.request('tools/call', { name: 'patient', arguments: {} })
  expect(result).toMatchObject({ _meta: { 'io.modelcontextprotocol/related-task': { taskId: 't-1' } } })
  await expect.poll(() => session.told.map(({ method }) => method)).toContain('notifications/message')
  expect(session.told).toMatchObject([
    { method: 'notifications/tasks/status', params: { taskId: 't-1' } },
    { params: { _meta: { 'io.modelcontextprotocol/related-task': { taskId: 't-1' } } } },
  ])
  await session.close()
})
