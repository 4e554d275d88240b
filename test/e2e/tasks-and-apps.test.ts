import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { JsonObject } from '../../electron/engine/protocol/json-rpc.ts'
import { engineWorld } from '../helpers/engine-world.ts'
import { testServer } from '../helpers/upstream.ts'

/** Tasks of 2025-11-25 and pages of MCP Apps, as clients of either era find them behind Sluice. */

const PAGE = 'ui://report/page.html'
const cleanups: (() => Promise<void> | void)[] = []
let world: Awaited<ReturnType<typeof engineWorld>>

beforeAll(async () => {
  world = await engineWorld(
    { s: testServer('tasks-and-apps') },
    { approvals: { firstSight: 'trust' } },
    { whenDone: (end) => cleanups.push(end) },
  )
})
afterAll(async () => {
  for (const clean of cleanups.toReversed()) await clean()
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
