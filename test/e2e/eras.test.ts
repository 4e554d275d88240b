import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startFeaturesHttp } from '../fixtures/servers/features-http.ts'
import type { FeaturesHttp } from '../fixtures/servers/features-http.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { CLI } from '../helpers/run-cli.ts'
import { startEngine } from '../helpers/running-engine.ts'
import type { RunningEngine } from '../helpers/running-engine.ts'
import { testServer } from '../helpers/upstream.ts'
import { removeFolder } from '../helpers/remove-folder.ts'
import { compiledCode } from '../helpers/compiled-code.ts'

/** Clients and servers of both eras, in every combination, through a running engine. */

const folder = mkdtempSync(join(tmpdir(), 'sluice-eras-'))
let engine: RunningEngine
let httpServers: FeaturesHttp[]

beforeAll(async () => {
  httpServers = await Promise.all([
    startFeaturesHttp({ eras: 'legacy' }),
    startFeaturesHttp({ eras: 'modern' }),
  ])
  const [legacy, modern] = httpServers
  const dataDir = writeConfig(folder, {
    'legacy-stdio': testServer('features', '--era', 'legacy'),
    'modern-stdio': testServer('features', '--era', 'modern'),
    'legacy-http': { url: `${legacy?.url}/mcp` },
    'modern-http': { url: `${modern?.url}/mcp` },
    'legacy-sse': { type: 'sse', url: `${legacy?.url}/sse` },
  })
  engine = await startEngine(dataDir)
})

afterAll(async () => {
  await engine.stop()
  await Promise.all(httpServers.map((server) => server.close()))
  removeFolder(folder)
})

const clientEras = ['legacy', 'modern'] as const
type ClientEra = (typeof clientEras)[number]
const servers = ['legacy-stdio', 'modern-stdio', 'legacy-http', 'modern-http', 'legacy-sse'] as const

const asking = { elicitation: { form: {} }, sampling: {}, roots: {} }
const accepted = { action: 'accept' as const, content: { name: 'Ann' } }
const authorized = (): { headers: Record<string, string> } => ({
  headers: { Authorization: `Bearer ${engine.token}` },
})

async function connect(era: ClientEra, way: 'stdio' | 'http', server: string | undefined): Promise<Client> {
  const mode = era === 'legacy' ? 'legacy' : { pin: '2026-07-28' }
  const client = new Client(
    { name: 'eras', version: '1' },
    { versionNegotiation: { mode }, capabilities: asking },
  )
  client.setRequestHandler('elicitation/create', () => accepted)
  const scope = server === undefined ? [] : ['--server', server]
  const path = server === undefined ? '/mcp' : `/mcp/${server}`
  await client.connect(
    way === 'stdio'
      ? new StdioClientTransport({
          command: process.execPath,
          args: [CLI, 'connect', ...scope, '--data-dir', folder],
          env: compiledCode(),
          stderr: 'ignore',
        })
      : new StreamableHTTPClientTransport(new URL(path, engine.url), { requestInit: authorized() }),
  )
  return client
}

/** Until the end of the test, or of all. */
async function connectForTest(
  era: ClientEra,
  way: 'stdio' | 'http',
  server: string | undefined,
): Promise<Client> {
  if (era === 'modern' && server !== undefined) return connectOnce(way, server)
  const client = await connect(era, way, server)
  onTestFinished(() => client.close())
  return client
}

/** Clients of the later era, for all tests of a way: their requests share nothing but the server that each starts. */
const shared = new Map<string, Promise<Client>>()
afterAll(async () => {
  for (const client of shared.values()) await (await client).close()
})
function connectOnce(way: 'stdio' | 'http', server: string): Promise<Client> {
  const key = `${way} ${server}`
  const connected = shared.get(key) ?? connect('modern', way, server)
  shared.set(key, connected)
  return connected
}

const textOf = (result: object): unknown => (result as { content?: { text?: string }[] }).content?.[0]?.text

/** Required of every client with every server. */
async function exercise(client: Client, prefix = ''): Promise<void> {
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining([`${prefix}echo`, `${prefix}ask-user`]),
  )
  const call = (name: string, args = {}) =>
    client.callTool({ name: `${prefix}${name}`, arguments: args }, { onprogress: () => {} })
  expect(textOf(await call('echo', { text: 'grüß dich' }))).toBe('grüß dich')
  expect(await call('weather', { city: 'Ulm' })).toMatchObject({ structuredContent: { celsius: 3 } })
  expect(await call('fail')).toMatchObject({ isError: true })
  const steps: number[] = []
  await client.callTool(
    { name: `${prefix}progress`, arguments: { steps: 3, delayMs: 20 } },
    { onprogress: ({ progress }) => void steps.push(progress) },
  )
  // The SDK's client drops progress that arrives together with the result, also without Sluice; transparency.test.ts
  // has none.
  expect([1, 2, 3].slice(0, steps.length)).toEqual(steps)
  // By a request in one era, by an answer that requires input in the other.
  expect(textOf(await call('ask-user'))).toBe('accept: {"name":"Ann"}, state asked-once')
}

describe.each(clientEras)('a %s client', (era) => {
  test.each(servers)('over stdio in front of %s', async (server) => {
    await exercise(await connectForTest(era, 'stdio', server))
  })

  test.each(servers)('over HTTP in front of %s', async (server) => {
    await exercise(await connectForTest(era, 'http', server))
  })

  test.each(['stdio', 'http'] as const)('in front of all of them at once, over %s', async (way) => {
    const client = await connectForTest(era, way, undefined)
    for (const server of servers) await exercise(client, `${server}__`)
  })
})

test.each(['/sse', ...servers.map((server) => `/sse/${server}`)])(
  'a client of the first SDK generation over HTTP+SSE at %s',
  async (path) => {
    const client = new OldClient({ name: 'old', version: '1' }, { capabilities: asking })
    client.setRequestHandler(ElicitRequestSchema, () => accepted)
    await client.connect(
      new SSEClientTransport(new URL(path, engine.url), {
        requestInit: authorized(),
        eventSourceInit: {
          fetch: (url, init) =>
            fetch(url, { ...init, headers: { ...init.headers, ...authorized().headers } }),
        },
      }),
    )
    onTestFinished(() => client.close())
    const prefix = path === '/sse' ? 'legacy-stdio__' : ''
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain(`${prefix}echo`)
    const echoed = await client.callTool({ name: `${prefix}echo`, arguments: { text: 'hi' } })
    expect(textOf(echoed)).toBe('hi')
    const asked = await client.callTool({ name: `${prefix}ask-user`, arguments: {} })
    expect(textOf(asked)).toBe('accept: {"name":"Ann"}, state asked-once')
  },
)

describe.each(['stdio', 'http'] as const)('log messages for a client of 2026-07-28 over %s', (way) => {
  test.each(servers)('of %s arrive with the request that wants their level', async (server) => {
    const client = await connectOnce(way, server)
    const heard: unknown[] = []
    client.setNotificationHandler('notifications/message', ({ params }) => void heard.push(params.data))
    const log = (level: string, message: string, wanted?: string): Promise<unknown> =>
      client.callTool({
        name: 'log',
        arguments: { level, message },
        ...(wanted === undefined ? {} : { _meta: { 'io.modelcontextprotocol/logLevel': wanted } }),
      })
    await log('error', 'nobody asked')
    await log('warning', 'wanted', 'warning')
    await log('info', 'below what is wanted', 'error')
    await log('debug', 'wanted by now', 'debug')
    await Promise.all([log('info', 'of two', 'info'), log('info', 'of the other', 'error')])
    expect(heard.slice(0, 2)).toEqual([{ message: 'wanted' }, { message: 'wanted by now' }])
    expect(heard).toContainEqual({ message: 'of two' })
    expect(heard).not.toContainEqual({ message: 'nobody asked' })
    expect(heard).not.toContainEqual({ message: 'below what is wanted' })
  })
})
