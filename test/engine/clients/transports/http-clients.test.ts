import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernHttp,
} from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ListRootsRequestSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { HttpServer } from '../../../../electron/engine/clients/transports/http-server.ts'
import { startHttpServer } from '../../../../electron/engine/clients/transports/http-server.ts'
import { silentLogger } from '../../../../electron/engine/ground/logger.ts'
import { initializeRequest } from '../../../helpers/initialize-request.ts'
import type { EchoSession } from './echo-session.ts'
import { echoSessions } from './echo-session.ts'

const token = 'right-token'
const requestInit = { headers: { Authorization: `Bearer ${token}` } }
const clients: { close(): Promise<void> }[] = []
let server: HttpServer
let sessions: EchoSession[]

beforeEach(async () => {
  const echo = echoSessions()
  sessions = echo.sessions
  server = await startHttpServer({
    port: 0,
    token,
    openSession: echo.openSession,
    logger: silentLogger,
    maxMessageBytes: 100_000_000,
    serverExists: () => true,
  })
})

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close().catch(() => {})))
  await server.close()
  expect(sessions.every(({ ended }) => ended.aborted)).toBe(true)
})

const at = (path: string): URL => new URL(path, server.url)

function oldClient(): OldClient {
  const client = new OldClient({ name: 'v1', version: '1' }, { capabilities: { roots: {} } })
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///x' }] }))
  clients.push(client)
  return client
}

async function modernClient(mode: 'auto' | 'legacy' | { pin: string }, path = '/mcp'): Promise<ModernClient> {
  const client = new ModernClient(
    { name: 'v2', version: '1' },
    { versionNegotiation: { mode }, capabilities: { roots: {} } },
  )
  clients.push(client)
  client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///x' }] }))
  await client.connect(new ModernHttp(at(path), { requestInit }))
  return client
}

interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>
  callTool(params: { name: string; arguments?: Record<string, unknown> }): Promise<Record<string, unknown>>
}

async function exercise(client: AnyClient): Promise<void> {
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('echo')
  const echoed = await client.callTool({ name: 'echo', arguments: { deep: { list: [1] } } })
  expect(echoed['content']).toEqual([{ type: 'text', text: '{"deep":{"list":[1]}}' }])
  const big = await client.callTool({ name: 'big' })
  expect(JSON.stringify(big).length).toBeGreaterThan(20_000_000)
  const many = Array.from({ length: 16 }, (_, n) => client.callTool({ name: 'echo', arguments: { n } }))
  expect((await Promise.all(many)).map(({ content }) => content)).toEqual(
    many.map((_, n) => [{ type: 'text', text: `{"n":${n}}` }]),
  )
  await expect(
    client.callTool({ name: 'echo', arguments: { text: 'x'.repeat(5_000_000) } }),
  ).resolves.toBeTruthy()
}

describe('SDK v2 over Streamable HTTP', () => {
  it.each([
    ['auto', 'modern'],
    ['legacy', 'legacy'],
    [{ pin: '2026-07-28' }, 'modern'],
  ] as const)('%j speaks the %s era', async (mode, era) => {
    const client = await modernClient(mode)
    await exercise(client)
    expect(sessions.at(-1)?.options).toMatchObject({ link: { era }, client: { name: 'v2' } })
  })

  it.each(['auto', 'legacy'] as const)('%s hears of progress and is obeyed when it cancels', async (mode) => {
    const client = await modernClient(mode)
    const steps: number[] = []
    await client.callTool({ name: 'steps' }, { onprogress: ({ progress }) => void steps.push(progress) })
    expect(steps).toEqual([1, 2, 3])
    const abort = new AbortController()
    const call = client.callTool({ name: 'wait' }, { signal: abort.signal })
    await expect.poll(() => sessions.at(-1)?.requests.at(-1)?.params?.['name']).toBe('wait')
    abort.abort()
    await expect(call).rejects.toThrow()
    await expect.poll(() => sessions.at(-1)?.requests.at(-1)?.signal.aborted).toBe(true)
  })

  it('keeps a subscriptions/listen stream open and ends it in good order', async () => {
    const client = await modernClient('auto')
    const heard: string[] = []
    client.setNotificationHandler('notifications/tools/list_changed', () => void heard.push('tools'))
    const subscription = await client.listen({ toolsListChanged: true })
    const session = sessions.at(-1)
    await expect.poll(() => session?.listeners.size).toBe(1)
    for (const tell of session?.listeners ?? []) tell('notifications/tools/list_changed')
    await expect.poll(() => heard).toEqual(['tools'])
    await subscription.close()
    await expect.poll(() => session?.listeners.size).toBe(0)
  })

  it('lets a server ask the client in the course of a call', async () => {
    const client = await modernClient('legacy')
    const { content } = await client.callTool({ name: 'ask' })
    expect(content).toEqual([{ type: 'text', text: '{"roots":[{"uri":"file:///x"}]}' }])
  })

  it('brings what belongs to no call to a legacy client, and says when it can ask nothing', async () => {
    const client = await modernClient('legacy')
    const heard: string[] = []
    client.setNotificationHandler('notifications/tools/list_changed', () => void heard.push('tools'))
    const { link } = sessions.at(-1)?.options ?? {}
    await expect
      .poll(() => {
        link?.notify('notifications/tools/list_changed')
        return heard.length
      })
      .toBeGreaterThan(0)
    await expect(link?.ask('roots/list', undefined)).resolves.toEqual({ roots: [{ uri: 'file:///x' }] })
    const { host } = at('/')
    const deaf = await fetch(at('/mcp'), initializeRequest('deaf', { ...requestInit.headers, host }))
    await deaf.text()
    await expect(sessions.at(-1)?.options.link.ask('roots/list', undefined)).rejects.toThrow('no stream open')
  })

  it('does not let a client in without the token', async () => {
    const client = new ModernClient({ name: 'v2', version: '1' })
    await expect(client.connect(new ModernHttp(at('/mcp')))).rejects.toThrow()
    expect(sessions).toHaveLength(0)
  })
})

describe('SDK v1', () => {
  it('works over Streamable HTTP; MCPCP failed after initialize with "Already connected to a transport"', async () => {
    const client = oldClient()
    await client.connect(new OldHttp(at('/mcp/echo'), { requestInit }))
    await exercise(client)
    expect((await client.callTool({ name: 'ask' })).content).toEqual([
      { type: 'text', text: '{"roots":[{"uri":"file:///x"}]}' },
    ])
    expect(sessions[0]?.options.scope).toEqual({ kind: 'server', serverId: 'echo' })
  })

  it('MCPCP shared one server between all HTTP clients: here each has its own session', async () => {
    const [first, second] = [oldClient(), oldClient()]
    await first.connect(new OldHttp(at('/mcp'), { requestInit }))
    await second.connect(new OldHttp(at('/mcp'), { requestInit }))
    await first.callTool({ name: 'echo', arguments: { who: 'first' } })
    await first.close()
    expect((await second.callTool({ name: 'echo', arguments: { who: 'second' } })).content).toEqual([
      { type: 'text', text: '{"who":"second"}' },
    ])
    expect(
      sessions.map(({ requests }) => requests.filter(({ method }) => method === 'tools/call').length),
    ).toEqual([1, 1])
  })

  it('ends its session by DELETE', async () => {
    const client = oldClient()
    const transport = new OldHttp(at('/mcp'), { requestInit })
    await client.connect(transport)
    await transport.terminateSession()
    await expect.poll(() => sessions[0]?.ended.aborted).toBe(true)
  })

  it('MCPCP hung when connected over SSE: here it works, questions and progress included', async () => {
    const client = oldClient()
    await client.connect(new SSEClientTransport(at('/sse/echo'), { requestInit }))
    await exercise(client)
    const steps: number[] = []
    await client.callTool({ name: 'steps' }, undefined, {
      onprogress: ({ progress }) => void steps.push(progress),
    })
    expect(steps).toEqual([1, 2, 3])
    expect((await client.callTool({ name: 'ask' })).content).toEqual([
      { type: 'text', text: '{"roots":[{"uri":"file:///x"}]}' },
    ])
    const heard: string[] = []
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => void heard.push('tools'))
    sessions[0]?.options.link.notify('notifications/tools/list_changed')
    await expect.poll(() => heard).toEqual(['tools'])
    expect(sessions[0]?.options).toMatchObject({
      scope: { kind: 'server', serverId: 'echo' },
      client: { name: 'v1' },
    })
    await client.close()
    await expect.poll(() => sessions[0]?.ended.aborted).toBe(true)
    expect(server.sessions()).toBe(0)
  })
})
