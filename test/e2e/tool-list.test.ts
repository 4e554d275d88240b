import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../electron/engine/protocol/json-rpc.ts'
import { engineWorld } from '../helpers/engine-world.ts'
import { testServer } from '../helpers/upstream.ts'

/** `toolList` of config.json: plain schemas, slim and lazy lists, with all layers. */

const server = testServer('odd-tools')
const tools = { hidden_one: { hidden: true } }
const masking = { direction: 'from-server', types: ['email'] } as const
const cleanups: (() => Promise<void> | void)[] = []
let world: Awaited<ReturnType<typeof engineWorld>>

beforeAll(async () => {
  world = await engineWorld(
    {
      s: { ...server, tools },
      plain: { ...server, tools, toolList: { schemas: 'plain' } },
      asis: { ...server, tools, toolList: { schemas: 'as-is' } },
      slim: { ...server, tools, toolList: { slim: true } },
      lazy: { ...server, tools, toolList: { lazy: true }, masking },
    },
    { approvals: { firstSight: 'trust' } },
    { whenDone: (end) => cleanups.push(end) },
  )
})
afterAll(async () => {
  for (const clean of cleanups.toReversed()) await clean()
})

const connect = (serverId: string, name = 'test', era: 'legacy' | 'modern' = 'legacy') =>
  world.connect({ scope: { kind: 'server', serverId }, name, era })

async function schemaOf(serverId: string, name?: string): Promise<JsonObject> {
  const { client } = await connect(serverId, name)
  const { tools: listed } = await client.listTools()
  return listed.find((tool) => tool.name === 'query')?.inputSchema as unknown as JsonObject
}

describe('schemas', () => {
  test('are the server’s own for clients that take them, and plain where a client or the settings want it', async () => {
    const own = await schemaOf('s')
    expect(own).toHaveProperty('anyOf')
    expect(await schemaOf('asis', 'claude-code')).toEqual(own)
    const plain = await schemaOf('plain')
    expect(plain).not.toHaveProperty('anyOf')
    expect(await schemaOf('s', 'claude-code')).toEqual(plain)
    expect(Object.keys(plain['properties'] as JsonObject)).toEqual([
      expect.stringMatching(/^_filter_\w{6}$/),
      'tree',
      'page',
    ])
  })

  test('a call by the plain name reaches the server by its own', async () => {
    const plain = await schemaOf('plain')
    const [shown = ''] = Object.keys(plain['properties'] as JsonObject)
    const { call } = await connect('s', 'claude-code')
    expect(await call('query', { [shown]: 'a eq 1', page: 2 })).toBe(
      'query got {"$filter":"a eq 1","page":2}, 0',
    )
    expect(await call('query', { $filter: 'x' })).toBe('query got {"$filter":"x"}, 0')
  })
})

test('slim definitions say the same with less', async () => {
  const { client } = await connect('slim')
  const { tools: listed } = await client.listTools()
  expect(listed.find((tool) => tool.name === 'send_letter')).toEqual({
    name: 'send_letter',
    description: 'Sends letter to recipient.',
    inputSchema: {
      type: 'object',
      properties: {
        letter: { type: 'string' },
        recipient: { type: 'string', description: 'e-mail address of person who gets letter' },
      },
      required: ['letter', 'recipient'],
    },
    annotations: { readOnlyHint: false },
  })
})

describe.each(['legacy', 'modern'] as const)('a lazy list, %s client', (era) => {
  test('has three tools by which the others are found, read and called', async () => {
    const { client, names, call } = await connect('lazy', 'test', era)
    expect(await names()).toEqual(['find_tool', 'describe_tool', 'call_tool'])
    expect((await client.listTools()).tools[0]?.description).toContain('not listed (query, send_letter):')
    expect(await call('find_tool')).toBe('query\nsend_letter')
    expect(await call('find_tool', { query: 'letters' })).toMatch(/^send_letter: This tool is useful/)
    expect(await call('describe_tool')).toBe(
      'The arguments of describe_tool are not right: "name" is missing. They look like {"name": "…"}, with the name of a tool as find_tool gives it.',
    )
    expect(await call('call_tool', { tool: 'send_letter', name: ' ' })).toMatch(
      /call_tool are not right: "name" is empty\. They look like \{"name": "…", "arguments": \{…\}\}/,
    )
    expect(await call('call_tool', { name: 7 })).toMatch(/"name" must be a text/)
    expect(JSON.parse(await call('describe_tool', { name: 'send_letter' }))).toMatchObject({
      name: 'send_letter',
      inputSchema: { required: ['letter', 'recipient'] },
    })
    expect(await call('call_tool', { name: 'query', arguments: { $filter: 'x' } })).toBe(
      'query got {"$filter":"x"}, 0',
    )
    // As some models write it.
    expect(await call('call_tool', { name: 'query', arguments: '{"$filter":"x"}' })).toBe(
      'query got {"$filter":"x"}, 0',
    )
    expect(await call('call_tool', { name: 'sendletter' })).toMatch(/no tool "sendletter".*send_letter/)
    expect(await call('call_tool', { name: 'query', arguments: 'x' })).toMatch(/must be an object/)
  })

  test('a call goes through everything as the named tool: masked, booked, refused where it is hidden', async () => {
    const { call } = await connect('lazy', `lazy-${era}`, era)
    const args = { letter: 'Hi', recipient: 'anna.schmidt@example.com' }
    const answer = await call('call_tool', { name: 'send_letter', arguments: args })
    // The server got a placeholder; the model sees the address.
    expect(answer).toBe(`send_letter got ${JSON.stringify(args)}, ${'[EMAIL_1]'.length}`)
    await expect
      .poll(async () => (await world.engine.ledger.recentCalls(1))[0])
      .toMatchObject({ server: 'lazy', tool: 'send_letter', client: `lazy-${era}` })
    expect(await call('find_tool')).not.toContain('hidden_one')
    expect(await call('call_tool', { name: 'hidden_one' })).toMatch(/no tool "hidden_one"/)
  })
})

test('in front of all servers, lazy ones are found by their public names, the others are listed', async () => {
  const { names, call } = await world.connect({ scope: { kind: 'all' } })
  const listed = await names()
  expect(listed).toContain('s__query')
  expect(listed).toContain('call_tool')
  expect(listed).not.toContain('lazy__query')
  expect((await call('find_tool')).split('\n')).toContain('lazy__query')
  expect(await call('call_tool', { name: 'lazy__query', arguments: { page: 1 } })).toBe(
    'query got {"page":1}, 0',
  )
  expect(await call('call_tool', { name: 's__query', arguments: {} })).toMatch(/no tool "s__query"/)
})

test('nothing of a server that waits for approval is found, and the pins are its own definitions', async () => {
  const asking = await engineWorld({ s: { ...server, tools, toolList: { lazy: true, slim: true } } })
  const { names, call } = await asking.connect()
  expect(await names()).toEqual(['sluice_blocked'])
  expect(await call('find_tool')).not.toContain('query')
  asking.approveAll()
  await expect.poll(names).toEqual(['find_tool', 'describe_tool', 'call_tool'])
  expect(await call('find_tool')).toBe('query\nsend_letter')
  const [{ identity } = { identity: '' }] = asking.engine.approvals.store?.servers() ?? []
  const pinned = asking.engine.approvals.store?.pinsOf(identity).find(({ name }) => name === 'send_letter')
  expect(pinned?.definition).toContain('This tool is useful')
})
