import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeConfig } from '../helpers/data-folder.ts'
import { RawClient, type RawMessage } from '../helpers/raw-client.ts'
import { CLI } from '../helpers/run-cli.ts'
import { startEngine, type RunningEngine } from '../helpers/running-engine.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { testServer } from '../helpers/upstream.ts'

/** Servers that break the protocol's rules, and a client that relies on Sluice. */

let engine: RunningEngine
const servers: Server[] = []
/** Tools called at the server over HTTP. */
const called: string[] = []

const tool = (name: string, properties: RawMessage, more: RawMessage = {}): RawMessage => ({
  name,
  description: 'Does it.',
  inputSchema: { type: 'object', properties, ...more },
})
const header = (name: unknown, type?: unknown): RawMessage => ({
  type: type ?? 'string',
  'x-mcp-header': name,
})
const valid = [
  tool('plain', { a: { type: 'string' } }),
  tool('with-header', { region: header('Region') }),
  tool('deep', {
    place: { type: 'object', properties: { city: header('City'), n: header('N', 'integer') } },
  }),
  tool('named-so', { 'x-mcp-header': { type: 'string' } }),
  tool('in-a-default', { a: { type: 'object', default: { 'x-mcp-header': 'no schema' } } }),
]
const invalid = [
  tool('empty', { a: header('') }),
  tool('no-text', { a: header(7) }),
  tool('space', { a: header('My Region') }),
  tool('colon', { a: header('Region:') }),
  tool('line-break', { a: header('Region\r\nX: y') }),
  tool('umlaut', { a: header('Région') }),
  tool('object', { a: header('A', 'object') }),
  tool('array', { a: header('A', 'array') }),
  tool('number', { a: header('A', 'number') }),
  tool('untyped', { a: { 'x-mcp-header': 'A' } }),
  tool('twice', { a: header('Same'), b: header('sAME') }),
  tool('in-items', { a: { type: 'array', items: header('A') } }),
  tool('in-a-choice', { a: { anyOf: [header('A')] } }),
  tool('at-the-top', {}, { 'x-mcp-header': 'A' }),
  tool('behind-a-reference', { a: { $ref: '#/$defs/a' } }, { $defs: { a: header('A') } }),
]

const complete = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
function resultOf({ method, params }: RawMessage): RawMessage | undefined {
  if (method === 'server/discover')
    return { ...complete, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }
  if (method === 'tools/list') return { ...complete, tools: [...valid, ...invalid] }
  if (method !== 'tools/call') return undefined
  const { name } = params as { name: string }
  called.push(name)
  return { resultType: 'complete', content: [{ type: 'text', text: `did ${name}` }] }
}

async function listen(answer: (message: RawMessage) => RawMessage): Promise<string> {
  const server = createServer((request, response) => {
    void textOf(request).then((body) => {
      const message = request.method === 'POST' ? (JSON.parse(body) as RawMessage) : {}
      if (message['id'] === undefined) return response.writeHead(request.method === 'POST' ? 202 : 405).end()
      response.writeHead(200, { 'content-type': 'application/json' })
      return response.end(JSON.stringify({ jsonrpc: '2.0', id: message['id'], ...answer(message) }))
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

const notFound = { error: { code: -32_601, message: 'Method not found' } }

function oddAnswer({ method, params }: RawMessage): RawMessage {
  if (method === 'tools/call') return (params as { arguments: RawMessage }).arguments
  if (method === 'tools/list')
    return { result: { tools: [{ name: 'answer', inputSchema: { type: 'object' } }] } }
  if (method !== 'initialize') return notFound
  const serverInfo = { name: 'odd', version: '1' }
  return { result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } }
}

const LIST_ERROR = {
  code: -32_050,
  message: 'The licence has ended.',
  data: { renew: 'https://example.com/' },
}

beforeAll(async () => {
  const headers = await listen((message) => {
    const result = resultOf(message)
    return result ? { result } : notFound
  })
  const dataDir = writeConfig(join(temporaryFolder(afterAll), 'data'), {
    headers: { url: headers },
    pipe: testServer('odd-answers'),
    web: { url: await listen(oddAnswer) },
    unlisting: {
      url: await listen((message) =>
        message['method'] === 'tools/list' ? { error: LIST_ERROR } : oddAnswer(message),
      ),
    },
  })
  engine = await startEngine(dataDir)
})

afterAll(async () => {
  await engine.stop()
  for (const server of servers) server.closeAllConnections()
})

const connect = (...scope: string[]): RawClient =>
  new RawClient({
    command: process.execPath,
    args: [CLI, 'connect', ...scope, '--data-dir', engine.dataDir],
  })

const MODERN = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  },
}

describe('x-mcp-header of a server of 2026-07-28 over HTTP', () => {
  const names = (tools: readonly RawMessage[]): unknown[] => tools.map(({ name }) => name)

  test.each([
    ['a client of 2026-07-28', [], '', MODERN],
    ['an older client', [], '', undefined],
    ['all servers', ['all'], 'headers__', undefined],
  ])('tools that break a rule are neither listed nor called: %s', async (_name, all, prefix, meta) => {
    called.length = 0
    const client = connect(...(all.length > 0 ? [] : ['--server', 'headers']))
    if (!meta) await client.initialize({ protocolVersion: '2025-11-25' })
    const { result } = await client.request('tools/list', { ...meta })
    const listed = names((result as { tools: RawMessage[] }).tools).filter((name) =>
      String(name).startsWith(prefix),
    )
    expect(listed).toEqual(names(valid).map((name) => `${prefix}${String(name)}`))
    for (const { name } of [...valid, ...invalid])
      await client.request('tools/call', { ...meta, name: `${prefix}${String(name)}`, arguments: {} })
    expect(called).toEqual(names(valid))
    await client.end()
  })

  test('the log says of each tool why it is left out', () => {
    for (const { name } of invalid)
      expect(engine.output()).toMatch(new RegExp(`"${String(name)}" is left out: .*why=.*x-mcp-header`))
  })
})

describe('a server that fails to list its tools', () => {
  test.each([
    ['one server', ['--server', 'unlisting'], ''],
    ['all servers', [], 'unlisting__'],
  ])('gives its own error to a call: %s', async (_name, scope, prefix) => {
    const client = connect(...scope)
    await client.initialize({ protocolVersion: '2025-11-25' })
    const { error } = await client.request('tools/call', { name: `${prefix}answer`, arguments: {} })
    expect(error).toEqual(LIST_ERROR)
    await client.end()
  })
})

describe.each(['pipe', 'web'])('answers that are none, server %s', (server) => {
  let client: RawClient
  beforeAll(async () => {
    client = connect('--server', server)
    await client.initialize({ protocolVersion: '2025-11-25' })
  })
  afterAll(() => client.end())

  test.each([
    ['a result of null', { result: null }, "the result null, which isn't an object"],
    ['a number', { result: 5 }, "the result 5, which isn't an object"],
    ['a list', { result: [1] }, "the result [1], which isn't an object"],
    ['a text for an error', { error: 'broken' }, 'the error "broken", which lacks a code or a message'],
    ['an error of null', { error: null }, 'the error null, which lacks a code or a message'],
    ['an empty error', { error: {} }, 'the error {}, which lacks a code or a message'],
    ['nothing', {}, 'neither a result nor an error'],
    ['no version', { jsonrpc: null, result: {} }, 'a message without "jsonrpc": "2.0"'],
    ['another version', { jsonrpc: '1.0', result: {} }, 'a message without "jsonrpc": "2.0"'],
    [
      'an error of no version',
      { jsonrpc: null, error: { code: 1, message: 'x' } },
      'a message without "jsonrpc": "2.0"',
    ],
  ])('%s', async (_name, answer, words) => {
    const got = await client.request('tools/call', { name: 'answer', arguments: answer })
    expect(got['error']).toMatchObject({
      code: -32_603,
      message: expect.stringContaining(`Server "${server}" answered tools/call with ${words}.`) as string,
    })
    const good = { result: { content: [{ type: 'text', text: 'fine' }] } }
    expect(await client.request('tools/call', { name: 'answer', arguments: good })).toMatchObject(good)
  })
})
