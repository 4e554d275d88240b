import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../../electron/engine/protocol/json-rpc.ts'
import type { UpstreamLink } from '../../../../electron/engine/protocol/link.ts'
import type { FeaturesHttpOptions } from '../../../fixtures/servers/features-http.ts'
import { startFeaturesHttp } from '../../../fixtures/servers/features-http.ts'
import type { TestLinkOptions } from '../../../helpers/upstream.ts'
import { legacyClient, modernClient, openTestLink, textOf } from '../../../helpers/upstream.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function start(options: FeaturesHttpOptions = {}) {
  const server = await startFeaturesHttp(options)
  closing.push(() => server.close())
  return server
}

async function connect(options: TestLinkOptions) {
  const opened = await openTestLink(options)
  closing.push(() => opened.link.close())
  return opened
}

/** A hand-written server, for behaviour that the SDK's servers lack. */
async function startRaw(handle: (body: JsonObject, req: IncomingMessage, res: ServerResponse) => void) {
  const server: Server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      handle(text === '' ? {} : (JSON.parse(text) as JsonObject), req, res)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

const call = (link: UpstreamLink, name: string, args: JsonObject = {}): Promise<JsonObject> =>
  link.request('tools/call', { name, arguments: args })

describe.each([legacyClient, modernClient])('$era client', (client) => {
  test('cancelling reaches the server', async () => {
    const { url, requests } = await start()
    const { link } = await connect({ settings: { url: `${url}/mcp` }, client })
    const abort = new AbortController()
    const before = requests.length
    const waiting = link.request('tools/call', { name: 'wait-for-cancel' }, { signal: abort.signal })
    await expect.poll(() => requests.length).toBeGreaterThan(before)
    abort.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    expect(textOf(await call(link, 'echo', { text: 'goes on' }))).toBe('goes on')
  })

  test('what the server says on a request’s stream is known to belong to it', async () => {
    const { url } = await start()
    const { link, heard } = await connect({ settings: { url: `${url}/mcp` }, client })
    if (client.era === 'legacy') await link.request('logging/setLevel', { level: 'debug' })
    const related: [string, JsonObject | undefined][] = []
    const meta = client.era === 'modern' ? { _meta: { 'io.modelcontextprotocol/logLevel': 'debug' } } : {}
    await link.request(
      'tools/call',
      { name: 'log', arguments: { level: 'warning', message: 'careful' }, ...meta },
      { onRelated: (...args) => related.push(args) },
    )
    expect(related).toEqual([
      ['notifications/message', { level: 'warning', logger: 'features', data: { message: 'careful' } }],
    ])
    expect(heard.notifications).toEqual([])
  })

  test('headers from the settings are sent, and their lack is named', async () => {
    const { url } = await start({ requiredHeaders: { authorization: 'Bearer good' } })
    const settings = { url: `${url}/mcp` }
    const { link } = await connect({
      settings: { ...settings, headers: { Authorization: 'Bearer good' } },
      client,
    })
    expect(textOf(await call(link, 'echo', { text: 'in' }))).toBe('in')
    await expect(openTestLink({ settings, client })).rejects.toMatchObject({
      code: 'SERVER_UNAVAILABLE',
      message: expect.stringMatching(/answered 401: it wants credentials/) as string,
    })
  })

  test('a server that is not there is named with its url and the reason', async () => {
    const settings = { url: 'http://127.0.0.1:9/mcp' }
    await expect(openTestLink({ settings, client })).rejects.toThrow(
      /^Server "test" is not available: http:\/\/127\.0\.0\.1:9\/mcp could not be reached: .*fetch failed/,
    )
  })
})

describe('sessions', () => {
  test('a forgotten session is opened anew, once, with what the client had said in it', async () => {
    const server = await start({ eras: 'legacy' })
    const { link, heard } = await connect({ settings: { url: `${server.url}/mcp` } })
    await link.request('logging/setLevel', { level: 'error' })
    await server.dropSessions()
    const answers = await Promise.all(['a', 'b', 'c'].map((text) => call(link, 'echo', { text })))
    expect(answers.map(textOf)).toEqual(['a', 'b', 'c'])
    const who = JSON.parse(textOf(await call(link, 'who-calls'))) as JsonObject
    expect(who['clientInfo']).toEqual(legacyClient.clientInfo)
    const related: string[] = []
    const onRelated = (method: string): number => related.push(method)
    const quiet = { name: 'log', arguments: { level: 'info', message: 'not wanted' } }
    await link.request('tools/call', quiet, { onRelated })
    expect([related, heard.notifications, heard.lost]).toEqual([[], [], []])
  })

  test('the server’s own stream brings list changes', async () => {
    const { url, requests } = await start({ eras: 'legacy' })
    const { link, heard } = await connect({ settings: { url: `${url}/mcp` } })
    await expect.poll(() => requests).toContain('GET /mcp')
    await call(link, 'add-tool')
    await expect
      .poll(() => heard.notifications.map(([method]) => method))
      .toContain('notifications/tools/list_changed')
  })

  test('are given back at the end', async () => {
    const server = await start({ eras: 'legacy' })
    const { link } = await openTestLink({ settings: { url: `${server.url}/mcp` } })
    await link.close()
    expect(server.requests.at(-1)).toBe('DELETE /mcp')
  })
})

/** Knows one session at a time; what follows `initialize` in the second one is up to the test. */
async function startForgetful(inSecond: (body: JsonObject, res: ServerResponse) => void) {
  const streams = new Set<ServerResponse>()
  let sessions = 0
  let known = ''
  const url = await startRaw((body, req, res) => {
    const answer = (status: number, result?: JsonObject): void => {
      res.writeHead(status, { 'content-type': 'application/json', 'mcp-session-id': known })
      res.end(result && JSON.stringify({ jsonrpc: '2.0', id: body['id'], result }))
    }
    if (body['method'] === 'initialize') {
      known = `session-${++sessions}`
      answer(200, {
        protocolVersion: '2025-11-25',
        capabilities: { logging: {} },
        serverInfo: { name: 'raw', version: '1' },
      })
    } else if (req.headers['mcp-session-id'] !== known) answer(404)
    else if (req.method === 'GET') {
      streams.add(res)
      res.on('close', () => streams.delete(res))
      res.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    } else if (body['id'] === undefined) answer(202)
    else if (sessions > 1) inSecond(body, res)
    else answer(200, {})
  })
  return { url, streams, forget: () => (known = 'forgotten') }
}

test('a session that could not be opened anew leaves no stream open', async () => {
  const { url, streams, forget } = await startForgetful((_, res) => res.writeHead(500).end())
  const { link } = await connect({ settings: { url } })
  await link.request('logging/setLevel', { level: 'error' })
  await expect.poll(() => streams.size).toBe(1)
  forget()
  await expect(link.request('logging/setLevel', { level: 'error' })).rejects.toThrow('500')
  await link.close()
  await expect.poll(() => streams.size).toBe(0)
})

test('a connection that is closed while its session is opened anew leaves no stream open', async () => {
  let waiting = 0
  const { url, streams, forget } = await startForgetful(() => waiting++)
  const { link } = await connect({ settings: { url } })
  await link.request('logging/setLevel', { level: 'error' })
  await expect.poll(() => streams.size).toBe(1)
  forget()
  const refused = expect(link.request('logging/setLevel', { level: 'error' })).rejects.toThrow()
  await expect.poll(() => [waiting, streams.size]).toEqual([1, 2])
  await link.close()
  await refused
  await expect.poll(() => streams.size).toBe(0)
})

test('an answer that breaks off fails its call alone', async () => {
  const url = await startRaw((body, req, res) => {
    const id = body['id']
    const status = req.method !== 'POST' ? 405 : id === undefined ? 202 : 200
    const result =
      body['method'] === 'initialize'
        ? { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'raw', version: '1' } }
        : { method: body['method'] }
    if (status !== 200) {
      res.writeHead(status).end()
    } else if (body['method'] === 'breaks') {
      res.writeHead(200, { 'content-type': 'text/event-stream' })
      res.write('event: message\ndata: {"jsonrpc":"2.0","method":"notifications/x"}\n\n')
      res.end()
    } else {
      res.writeHead(200, { 'content-type': 'application/json' })
      res.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
    }
  })
  const { link } = await connect({ settings: { url } })
  const broken = expect(link.request('breaks', {})).rejects.toMatchObject({
    code: 'SERVER_LOST',
    message: expect.stringMatching(/ended its answer to breaks before it was complete/) as string,
  })
  expect(await link.request('fine', {})).toEqual({ method: 'fine' })
  await broken
  expect(await link.request('fine again', {})).toEqual({ method: 'fine again' })
})

test('a connection that breaks in mid-call says that the call may have been carried out', async () => {
  const url = await startRaw((body, req, res) => {
    const result = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      serverInfo: { name: 'raw', version: '1' },
    }
    if (body['method'] === 'tools/call') req.socket.destroy()
    else if (body['method'] !== 'initialize') res.writeHead(req.method === 'POST' ? 202 : 405).end()
    else {
      res.writeHead(200, { 'content-type': 'application/json' })
      res.end(JSON.stringify({ jsonrpc: '2.0', id: body['id'], result }))
    }
  })
  const { link } = await connect({ settings: { url } })
  await expect(call(link, 'pay')).rejects.toMatchObject({
    code: 'SERVER_LOST',
    message: expect.stringMatching(/broke off: fetch failed.*may have been carried out/) as string,
  })
})

test('arguments that a tool declares as headers are repeated there (2026-07-28)', async () => {
  const seen: (string | undefined)[] = []
  const url = await startRaw((body, req, res) => {
    const tool = {
      name: 'run',
      inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
    }
    const results: Record<string, JsonObject> = {
      'server/discover': { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
      'tools/list': { tools: [tool] },
    }
    if (body['method'] === 'tools/call') seen.push(req.headers['mcp-param-region'] as string | undefined)
    const result = { resultType: 'complete', ...(results[String(body['method'])] ?? { content: [] }) }
    res.writeHead(200, { 'content-type': 'application/json' })
    res.end(JSON.stringify({ jsonrpc: '2.0', id: body['id'], result }))
  })
  const { link } = await connect({ settings: { url }, client: modernClient })
  await link.request('tools/list', undefined)
  await call(link, 'run', { region: 'eu-west' })
  await call(link, 'run', { region: 'Zürich' })
  await call(link, 'run', {})
  expect(seen).toEqual(['eu-west', '=?base64?WsO8cmljaA==?=', undefined])
})

test('SSE: the end of the event stream loses the connection and is said so', async () => {
  const server = await start()
  const { link, heard } = await connect({ settings: { url: `${server.url}/sse`, type: 'sse' } })
  const before = server.requests.length
  const waiting = link.request('tools/call', { name: 'wait-for-cancel' })
  await expect.poll(() => server.requests.length).toBeGreaterThan(before)
  await server.dropSessions()
  await expect(waiting).rejects.toThrow(/ended its event stream/)
  expect(heard.lost).toHaveLength(1)
})
