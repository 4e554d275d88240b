import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeConfig } from '../helpers/data-folder.ts'
import { RawClient } from '../helpers/raw-client.ts'
import type { RawClientOptions, RawMessage } from '../helpers/raw-client.ts'
import { CLI } from '../helpers/run-cli.ts'
import { startEngine } from '../helpers/running-engine.ts'
import type { RunningEngine } from '../helpers/running-engine.ts'
import { testServer } from '../helpers/upstream.ts'
import { removeFolder } from '../helpers/remove-folder.ts'
import { waitFor } from '../helpers/wait-for.ts'

/** Message by message, a client sees the same with `connect --server` as without. */

const folder = mkdtempSync(join(tmpdir(), 'sluice-transparency-'))
const servers = {
  features: testServer('features'),
  old: testServer('features', '--era', 'legacy'),
  mirror: testServer('mirror'),
}
type ServerId = keyof typeof servers
let engine: RunningEngine

beforeAll(async () => {
  engine = await startEngine(writeConfig(join(folder, 'joined'), servers))
  writeConfig(join(folder, 'hosted'), servers)
})

afterAll(async () => {
  await engine.stop()
  removeFolder(folder)
})

type Way = 'direct' | 'joined' | 'hosted'

function clientOf(way: Way, server: ServerId, options: Pick<RawClientOptions, 'onQuestion'> = {}): RawClient {
  const { command = '', args = [] } = servers[server]
  if (way === 'direct') return new RawClient({ command, args, ...options })
  const through = [CLI, 'connect', '--server', server, '--data-dir', join(folder, way)]
  return new RawClient({ command: process.execPath, args: through, ...options })
}

interface Scenario {
  readonly server: ServerId
  /** The part of a server's line that passes Sluice. */
  readonly shown?: (line: string) => string
  readonly options?: Pick<RawClientOptions, 'onQuestion'>
  readonly run: (client: RawClient) => Promise<void>
}

/** Progress tokens are, like ids, each side's own. */
const withoutTokens = (line: string): string =>
  line.replace(/("_meta":\{"progressToken":)\d+(\}\}\})$/, '$1"own"$2')

async function expectNoDifference(scenario: Scenario, atLeast: number): Promise<void> {
  const { server, options, run, shown = (line: string) => line } = scenario
  const clients = (['direct', 'joined', 'hosted'] as const).map((way) => clientOf(way, server, options))
  try {
    await Promise.all(clients.map(run))
    // What no answer announced may still be on its way; compared below.
    const counts = (): number[] => clients.map(({ heard }) => heard.length)
    await waitFor(() => expect(counts()).toEqual(Array(3).fill(Math.max(atLeast, ...counts())))).catch(
      () => {},
    )
  } finally {
    // At the end of its output all of it has been read.
    await Promise.all(clients.map((client) => client.end()))
  }
  const [direct = [], joined, hosted] = clients.map(({ heard }) =>
    heard.map((line) => shown(withoutTokens(line))),
  )
  expect(direct.length).toBeGreaterThanOrEqual(atLeast)
  expect(joined).toEqual(direct)
  expect(hosted).toEqual(direct)
}

const inOrder =
  (...requests: [method: string, params?: RawMessage][]) =>
  async (client: RawClient): Promise<void> => {
    for (const [method, params] of requests) await client.request(method, params)
  }

const call = (name: string, args?: RawMessage, meta?: RawMessage): [string, RawMessage] => [
  'tools/call',
  { name, ...(args ? { arguments: args } : {}), ...(meta ? { _meta: meta } : {}) },
]

describe('the older era, byte by byte', () => {
  // The versions that there are have a test each.
  test('initialize with a version that there is not', () =>
    expectNoDifference(
      {
        server: 'features',
        run: async (client) => {
          await client.initialize({ protocolVersion: '1999-01-01' })
          await client.request('ping')
        },
      },
      2,
    ))

  test('2025-11-25: lists, prompts, resources, templates, completions and their errors', () =>
    expectNoDifference(
      {
        server: 'features',
        run: async (client) => {
          await client.initialize({ protocolVersion: '2025-11-25' })
          await inOrder(
            ['tools/list'],
            ['tools/list', {}],
            ['prompts/list', { _meta: { 'example.org/any': 1 } }],
            ['prompts/get', { name: 'greet', arguments: { name: 'Ann', language: 'german' } }],
            ['prompts/get', { name: 'greet', arguments: {} }],
            ['resources/list'],
            ['resources/templates/list'],
            ['resources/read', { uri: 'note://readme' }],
            ['resources/read', { uri: 'note://logo' }],
            ['resources/read', { uri: 'item://7' }],
            ['resources/subscribe', { uri: 'note://readme' }],
            ['resources/unsubscribe', { uri: 'note://readme' }],
            [
              'completion/complete',
              { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'language', value: 'e' } },
            ],
            [
              'completion/complete',
              { ref: { type: 'ref/resource', uri: 'item://{id}' }, argument: { name: 'id', value: 'ap' } },
            ],
            [
              'completion/complete',
              { ref: { type: 'ref/prompt', name: 'nobody' }, argument: { name: 'x', value: '' } },
            ],
            ['ping'],
            ['example.org/unknown', { any: true }],
          )(client)
        },
      },
      18,
    ))

  test('2025-06-18: tools with every kind of content and of failure', () =>
    expectNoDifference(
      {
        server: 'features',
        run: async (client) => {
          await client.initialize({ protocolVersion: '2025-06-18' })
          await inOrder(
            ['ping'],
            call('echo', { text: 'ünï 👋 \u2028' }),
            call('echo', { text: 7 }),
            call('echo'),
            call('every-content', {}),
            call('weather', { city: 'Ulm' }),
            call('fail', {}),
            call('who-calls', {}, { 'example.org/trace': 'abc' }),
          )(client)
        },
      },
      9,
    ))

  test('2025-03-26: progress, log messages, changed lists and updated resources, in their order', () =>
    expectNoDifference(
      {
        server: 'features',
        run: async (client) => {
          await client.initialize({ protocolVersion: '2025-03-26' })
          await inOrder(
            ['ping'],
            call('progress', { steps: 3 }, { progressToken: 'my own token' }),
            call('progress', { steps: 2 }, { progressToken: 7 }),
            call('progress', { steps: 1 }),
            call('log', { level: 'info', message: 'at the first level' }),
            ['logging/setLevel', { level: 'error' }],
            call('log', { level: 'info', message: 'not loud enough' }),
            call('log', { level: 'error', message: 'loud enough' }),
            ['logging/setLevel', { level: 'deafening' }],
            ['resources/subscribe', { uri: 'note://readme' }],
            call('touch-resource', { uri: 'note://readme' }),
            call('add-tool', {}),
          )(client)
        },
      },
      18,
    ))

  test('2024-11-05: a cancelled call is cancelled at the server, and nothing answers it', () =>
    expectNoDifference(
      {
        server: 'features',
        run: async (client) => {
          await client.initialize({ protocolVersion: '2024-11-05' })
          const requestId = client.nextId
          client.request(...call('wait-for-cancel', {})).catch(() => {})
          // Messages are read in order: with this answer the previous call has arrived.
          await client.request(...call('cancelled-count', {}))
          client.send({
            method: 'notifications/cancelled',
            params: { requestId, reason: 'I changed my mind.' },
          })
          await client.request('ping')
          await client.request(...call('cancelled-count', {}))
        },
      },
      2,
    ))

  test('the server asks the client: sampling, elicitation, roots, answered and refused', () =>
    expectNoDifference(
      {
        server: 'features',
        options: {
          onQuestion: (method) => {
            if (method === 'roots/list') return { result: { roots: [{ uri: 'file:///x', name: 'x' }] } }
            if (method === 'elicitation/create') {
              return { result: { action: 'accept', content: { name: 'Ann' }, _meta: { 'x-any': 1 } } }
            }
            return { error: { code: -1, message: 'User rejected sampling request', data: { by: 'user' } } }
          },
        },
        run: async (client) => {
          const capabilities = { sampling: {}, elicitation: { form: {} }, roots: { listChanged: true } }
          await client.initialize({ capabilities, protocolVersion: '2025-11-25' })
          await inOrder(call('ask-user', {}), call('ask-model', {}), call('ask-roots', {}))(client)
        },
      },
      7,
    ))
})

/**
 * Around lists, in the introduction and in the answer to a ping nothing unknown to schemas passes: it is neither
 * approved nor scanned. Cursors are Sluice's own.
 */
function withoutUnapproved(line: string): string {
  const { result, ...message } = JSON.parse(line) as { result?: RawMessage }
  if (!result) return line
  const kept = ['protocolVersion', 'capabilities', 'serverInfo', 'instructions', 'nextCursor', ...LISTS]
  const isAround = 'protocolVersion' in result || LISTS.some((list) => list in result)
  const isPing = (result['you-sent'] as RawMessage | undefined)?.['method'] === 'ping'
  if (!isAround && !isPing) return line
  const entries = Object.entries(result).filter(([key]) => kept.includes(key))
  const shown = entries.map(([key, value]) => [key, key === 'nextCursor' ? 'a cursor' : value])
  return JSON.stringify({ ...message, result: Object.fromEntries(shown) as RawMessage })
}
const LISTS = ['tools', 'prompts', 'resources', 'resourceTemplates']

describe('what no schema knows', () => {
  test('methods, fields, content types, roles, errors, both ways and in their order', () =>
    expectNoDifference(
      {
        server: 'mirror',
        shown: withoutUnapproved,
        options: {
          onQuestion: (method, params) =>
            (params as RawMessage)['about'] === 'refusal'
              ? { error: { code: -7, message: 'not to me', data: [method] } }
              : { result: { 'x-echo': params } },
        },
        run: async (client) => {
          await client.initialize({
            'x-param': { kept: true },
            capabilities: { 'x-telepathy': { range: 5 } },
            clientInfo: { name: 'raw', version: '1', 'x-info': 'kept' },
          })
          const { result } = await client.request('tools/list', { 'x-param': 1 })
          const { nextCursor: cursor } = result as RawMessage
          await inOrder(
            ['tools/list', { cursor, 'x-param': 1 }],
            [
              'tools/call',
              { name: 'mirror', arguments: { any: 'thing', nested: { list: [] } }, 'x-param': 2 },
            ],
            ['tools/call', { name: 'mirror', 'x-param': 3 }],
            ['tools/call', { name: 'refuse', arguments: {} }],
            ['prompts/list'],
            ['prompts/get', { name: 'ask', 'x-param': 4 }],
            ['resources/list', { 'x-param': 5 }],
            ['resources/read', { uri: 'odd:thing', 'x-param': 6 }],
            ['resources/templates/list'],
            ['x/anything', { deep: { list: [1, 'two', null] } }],
            ['x/no-params'],
            ['x/ask-me-back', { about: 'weather' }],
            ['x/ask-me-back', { about: 'refusal' }],
            ['x/tell-me', { about: 'news' }],
          )(client)
          client.send({ method: 'notifications/roots/list_changed' })
          client.send({ method: 'notifications/x/anything', params: { 'x-param': 8 } })
          await client.request('ping')
        },
      },
      22,
    ))
})

const envelope = (extra: RawMessage = {}): RawMessage => ({
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} }, sampling: {}, roots: {} },
    ...extra,
  },
})

describe('the era of 2026-07-28, byte by byte', () => {
  test('discovery, lists, calls, rounds of input, progress, errors', () =>
    expectNoDifference(
      {
        server: 'features',
        run: async (client) => {
          const modern = (method: string, params: RawMessage = {}, meta: RawMessage = {}) =>
            client.request(method, { ...params, ...envelope(meta) })
          await modern('server/discover')
          await modern('tools/list')
          await modern('tools/call', { name: 'echo', arguments: { text: 'hi' } })
          await modern('tools/call', { name: 'every-content', arguments: {} })
          await modern('tools/call', { name: 'weather', arguments: { city: 'Bonn' } })
          await modern('tools/call', { name: 'progress', arguments: { steps: 2 } }, { progressToken: 'p' })
          await modern('tools/call', { name: 'ask-user', arguments: {} })
          await modern('tools/call', {
            name: 'ask-user',
            arguments: {},
            requestState: 'asked-once',
            inputResponses: { name: { action: 'accept', content: { name: 'Bea' } } },
          })
          await modern('prompts/list')
          await modern('prompts/get', { name: 'greet', arguments: { name: 'Ann', language: 'german' } })
          await modern('resources/list')
          await modern('resources/read', { uri: 'note://readme' })
          await modern('resources/templates/list')
          await modern('ping')
          await modern('example.org/unknown', { any: 1 })
        },
      },
      16,
    ))
})

describe('what the server sees of its client', () => {
  test('name, capabilities, folder, environment and request metadata are the client’s own', async () => {
    const scenario: Scenario = {
      server: 'features',
      run: async (client) => {
        await client.initialize({
          capabilities: { roots: { listChanged: true } },
          clientInfo: { name: 'some-editor', title: 'Some Editor', version: '9.9' },
        })
        const answer = await client.request(...call('who-calls', {}))
        expect(JSON.stringify(answer)).toContain('Some Editor')
        expect(JSON.stringify(answer)).toContain(process.cwd())
      },
    }
    await expectNoDifference(scenario, 2)
  })

  test('an empty line and a message that is none do not disturb the session', async () => {
    const client = clientOf('joined', 'old')
    await client.initialize()
    client.send({ nonsense: true })
    const pong = await client.request('ping')
    expect(pong['result']).toEqual({})
    await waitFor(() => expect(client.heard.join('\n')).toContain('-32600'))
    expect(await client.end()).toBe(0)
  })
})
