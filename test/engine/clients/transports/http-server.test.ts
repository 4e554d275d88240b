import { connect, createServer, type AddressInfo } from 'node:net'
import { request as httpRequest } from 'node:http'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { startHttpServer } from '../../../../electron/engine/clients/transports/http-server.ts'
import { silentLogger } from '../../../../electron/engine/ground/logger.ts'
import { MetaKey } from '../../../../electron/engine/protocol/era.ts'
import { initializeBody } from '../../../helpers/initialize-request.ts'
import { echoSessions } from './echo-session.ts'

const token = 'right-token'
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean()
})

async function started(options: Partial<Parameters<typeof startHttpServer>[0]> = {}) {
  const { openSession, sessions } = echoSessions()
  const server = await startHttpServer({
    port: 0,
    token,
    openSession,
    logger: silentLogger,
    maxMessageBytes: 30_000_000,
    serverExists: (id) => id === 'echo',
    ...options,
  })
  cleanups.push(() => server.close())
  return { server, sessions }
}

/** `fetch` forbids setting Host and Origin, which are tested here. */
function send(
  port: number,
  path: string,
  headers: Record<string, string> = {},
  body?: unknown,
  method?: string,
) {
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>(
    (resolve, reject) => {
      const request = httpRequest(
        { host: '127.0.0.1', port, path, method: method ?? (body === undefined ? 'GET' : 'POST'), headers },
        (response) => {
          let text = ''
          response.on('data', (chunk: Buffer) => (text += chunk.toString()))
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
          )
        },
      )
      request.on('error', reject)
      request.end(typeof body === 'string' || body === undefined ? body : JSON.stringify(body))
    },
  )
}

const bearer = { Authorization: `Bearer ${token}` }
const json = { ...bearer, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
const initialize = initializeBody('raw')
const envelope = {
  [MetaKey.protocolVersion]: '2026-07-28',
  [MetaKey.clientInfo]: { name: 'raw', version: '1' },
  [MetaKey.clientCapabilities]: {},
}
const modern = (method: string, params = {}, id: number | undefined = 1) => ({
  jsonrpc: '2.0',
  ...(id === undefined ? {} : { id }),
  method,
  params: { ...params, _meta: envelope },
})
const modernHeaders = (method: string, name?: string) => ({
  ...json,
  'MCP-Protocol-Version': '2026-07-28',
  'Mcp-Method': method,
  ...(name === undefined ? {} : { 'Mcp-Name': name }),
})

describe('who may call', () => {
  it('MCPCP had no authentication: here everything but /health wants the token', async () => {
    const { server } = await started()
    server.mount('/api', (_, response) => void response.end('api'))
    for (const path of ['/mcp', '/mcp/echo', '/sse', '/messages', '/api/config', '/nothing']) {
      const without = await send(server.port, path)
      expect([path, without.status]).toEqual([path, 401])
      expect(without.headers['www-authenticate']).toMatch(/^Bearer/)
      expect((await send(server.port, path, { Authorization: 'Bearer wrong' })).status).toBe(401)
    }
    expect((await send(server.port, '/api/config', bearer)).text).toBe('api')
    expect(JSON.parse((await send(server.port, '/health')).text)).toEqual({ name: 'sluice', ok: true })
  })

  it('MCPCP listened on 0.0.0.0: here only loopback addresses are bound', async () => {
    const { server } = await started({ ipv6: true })
    const reach = (host: string): Promise<boolean> =>
      new Promise((resolve) => {
        const socket = connect(server.port, host, () => resolve(true)).once('error', () => resolve(false))
        cleanups.push(() => socket.destroy())
      })
    expect(await reach('127.0.0.1')).toBe(true)
    expect(await reach('127.0.0.2')).toBe(false)
  })

  it.each([
    ['a foreign host name', { Host: 'evil.example:PORT' }],
    ['the right name with another port', { Host: 'localhost:1' }],
    ['the right name without a port', { Host: '127.0.0.1' }],
    ['a foreign origin', { Origin: 'https://evil.example' }],
    ['an origin on another port', { Origin: 'http://localhost:1' }],
    ['an opaque origin', { Origin: 'null' }],
  ])('refuses %s with 403, token or not', async (_, headers) => {
    const { server } = await started()
    const tried = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace('PORT', String(server.port))]),
    )
    expect((await send(server.port, '/mcp', { ...json, ...tried }, initialize)).status).toBe(403)
    expect((await send(server.port, '/health', tried)).status).toBe(403)
  })

  it('names every Host that is right, and what a forwarder has to do', async () => {
    const { server } = await started()
    const { text } = await send(server.port, '/mcp', { ...json, Host: '127.0.0.1:1' }, initialize)
    expect(text).toContain(`127.0.0.1:${server.port}, localhost:${server.port}, [::1]:${server.port} only`)
    expect(text).toContain(`ssh -L ${server.port}:127.0.0.1:${server.port}`)
  })

  it('says nothing about where the token is', async () => {
    const { server } = await started()
    for (const headers of [undefined, { Authorization: 'Bearer wrong' }]) {
      const { status, text } = await send(server.port, '/mcp', headers)
      expect(status).toBe(401)
      expect(text).not.toMatch(/file|folder|\//)
    }
  })

  it('lets its own pages and all loopback names through', async () => {
    const { server } = await started()
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
      const own = `${host}:${server.port}`
      expect((await send(server.port, '/health', { Host: own, Origin: `http://${own}` })).status).toBe(200)
    }
  })

  it('gives mounted handlers the longest match and their own way to authorise', async () => {
    const { server } = await started()
    server.mount('/', (_, response) => void response.end('pages'), 'own')
    server.mount(
      '/api/',
      (request, response) => {
        const refused = server.refuseUnauthorised(request)
        response.writeHead(refused?.status ?? 200).end('api')
      },
      'own',
    )
    expect((await send(server.port, '/')).text).toBe('pages')
    expect((await send(server.port, '/deep/link?x=1')).text).toBe('pages')
    expect((await send(server.port, '/api/x')).status).toBe(401)
    expect((await send(server.port, '/api', bearer)).text).toBe('api')
    expect((await send(server.port, '/mcp')).status).toBe(401)
  })
})

describe('bodies', () => {
  it('MCPCP answered 413 to 100 KB: here 20 MB pass in both eras', async () => {
    const { server, sessions } = await started()
    const args = { text: 'x'.repeat(20_000_000) }
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: args } }
    const opened = await send(server.port, '/mcp', json, initialize)
    const session = { 'Mcp-Session-Id': String(opened.headers['mcp-session-id']) }
    const legacy = await send(server.port, '/mcp', { ...json, ...session }, call)
    expect(legacy.status).toBe(200)
    expect(legacy.text.length).toBeGreaterThan(20_000_000)
    const params = { name: 'echo', arguments: args }
    const answer = await send(
      server.port,
      '/mcp',
      modernHeaders('tools/call', 'echo'),
      modern('tools/call', params),
    )
    expect(answer.status).toBe(200)
    expect(answer.text.length).toBeGreaterThan(20_000_000)
    expect(sessions.at(-1)?.requests.at(-1)?.params?.['arguments']).toEqual(args)
  })

  it('are limited by maxMessageBytes, whether announced or not', async () => {
    const { server } = await started({ maxMessageBytes: 100_000 })
    const body = JSON.stringify({ ...initialize, padding: 'x'.repeat(200_000) })
    const announced = await send(
      server.port,
      '/mcp',
      { ...json, 'Content-Length': String(body.length) },
      body,
    )
    expect(announced.status).toBe(413)
    expect(announced.text).toContain('maxMessageBytes')
    expect((await send(server.port, '/mcp', { ...json, 'Transfer-Encoding': 'chunked' }, body)).status).toBe(
      413,
    )
  })

  it('must be JSON, and say so', async () => {
    const { server } = await started()
    expect((await send(server.port, '/mcp', json, '{ nope')).text).toContain('-32700')
    expect((await send(server.port, '/mcp', { ...json, 'Content-Type': 'text/plain' }, '{}')).status).toBe(
      415,
    )
    expect((await send(server.port, '/mcp', json, '[]')).status).toBe(400)
    expect((await send(server.port, '/mcp', json, '7')).status).toBe(400)
  })
})

describe('addresses', () => {
  it('leads /mcp to all servers and /mcp/{server} to one', async () => {
    const { server, sessions } = await started()
    await send(server.port, '/mcp', json, initialize)
    await send(server.port, '/mcp/echo?client=cursor', json, initialize)
    await send(server.port, '/mcp/sluice', json, initialize)
    expect(sessions.map(({ options }) => [options.scope, options.client])).toEqual([
      [{ kind: 'all' }, { name: 'raw', isSelfNamed: true }],
      [{ kind: 'server', serverId: 'echo' }, { name: 'cursor' }],
      [{ kind: 'sluice' }, { name: 'raw', isSelfNamed: true }],
    ])
  })

  it.each(['/mcp/other', '/mcp/echo/deeper', '/mcp/a__b', '/sse/other', '/elsewhere', '/mcpx'])(
    'answers 404 to %s',
    async (path) => {
      const { server } = await started()
      expect(
        (await send(server.port, path, json, path.startsWith('/sse') ? undefined : initialize)).status,
      ).toBe(404)
    },
  )

  it('names the next free port when its own is taken', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    cleanups.push(() => other.close())
    const { port } = other.address() as AddressInfo
    const failure = started({ port })
    await expect(failure).rejects.toMatchObject({ code: 'PORT_TAKEN', data: { port } })
    await expect(failure).rejects.toThrow(/"port": \d+/)
  })
})

describe('sessions as of 2025', () => {
  it('MCPCP knew no DELETE: here it ends the session, which is then unknown', async () => {
    const { server, sessions } = await started()
    const opened = await send(server.port, '/mcp/echo', json, initialize)
    const session = { ...json, 'Mcp-Session-Id': String(opened.headers['mcp-session-id']) }
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    expect((await send(server.port, '/mcp/echo', session, ping)).status).toBe(200)
    expect((await send(server.port, '/mcp', session, ping)).status).toBe(404)
    expect((await send(server.port, '/mcp/echo', session, undefined, 'DELETE')).status).toBe(200)
    expect((await send(server.port, '/mcp/echo', session, ping)).status).toBe(404)
    await expect.poll(() => sessions[0]?.ended.aborted).toBe(true)
    expect(server.sessions()).toBe(0)
  })

  it('answers 404 to an unknown session and 400 to a request that names none', async () => {
    const { server, sessions } = await started()
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const unknown = await send(server.port, '/mcp', { ...json, 'Mcp-Session-Id': 'long-gone' }, ping)
    expect(unknown.status).toBe(404)
    expect(JSON.parse(unknown.text)).toMatchObject({
      id: 1,
      error: { message: expect.stringContaining('initialize') },
    })
    expect((await send(server.port, '/mcp', json, ping)).status).toBe(400)
    expect((await send(server.port, '/mcp', { ...bearer, Accept: 'text/event-stream' })).status).toBe(405)
    expect(sessions).toHaveLength(0)
  })

  it('leaves nothing behind for an initialize that was refused', async () => {
    const { server } = await started()
    expect((await send(server.port, '/mcp', { ...json, Accept: 'text/html' }, initialize)).status).toBe(406)
    await expect.poll(() => server.sessions()).toBe(0)
  })

  it('expire when nothing has been heard of them, but not in mid-call', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { server, sessions } = await started({ sessionIdleMs: 80 })
    await send(server.port, '/mcp', json, initialize)
    const second = await send(server.port, '/mcp', json, initialize)
    const session = { ...json, 'Mcp-Session-Id': String(second.headers['mcp-session-id']) }
    const wait = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wait' } }
    const call = send(server.port, '/mcp', session, wait).catch(() => 'cut off')
    await expect.poll(() => sessions[1]?.requests.length).toBe(1)
    await vi.advanceTimersByTimeAsync(80)
    expect(sessions.map(({ ended }) => ended.aborted)).toEqual([true, false])
    expect(server.sessions()).toBe(1)
    await server.close()
    await call
    expect(sessions[1]?.ended.aborted).toBe(true)
  })

  it('do not pile up for a client that opens one per call: the longest idle one makes room', async () => {
    const { server, sessions } = await started({ maxSessions: 3 })
    for (let i = 0; i < 5; i++) await send(server.port, '/mcp', json, initialize)
    expect(server.sessions()).toBe(3)
    expect(sessions.map(({ ended }) => ended.aborted)).toEqual([true, true, false, false, false])
  })

  it('takes a 2025-03-26 batch', async () => {
    const { server } = await started()
    const opened = await send(server.port, '/mcp', json, initialize)
    const session = { ...json, 'Mcp-Session-Id': String(opened.headers['mcp-session-id']) }
    const batch = [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'ping' }))
    const { status, text } = await send(server.port, '/mcp', session, batch)
    expect(status).toBe(200)
    expect(text.match(/"result":\{\}/g)).toHaveLength(2)
  })
})

describe('requests of 2026-07-28', () => {
  it('share one engine session per client and scope, without any session on the wire', async () => {
    const { server, sessions } = await started()
    const first = await send(server.port, '/mcp', modernHeaders('server/discover'), modern('server/discover'))
    expect(first.headers['mcp-session-id']).toBeUndefined()
    expect(first.headers['content-type']).toBe('application/json')
    const named = { ...modernHeaders('tools/list'), 'Mcp-Session-Id': 'x' }
    await send(server.port, '/mcp', named, modern('tools/list'))
    expect(sessions).toHaveLength(1)
    await send(server.port, '/mcp/echo', modernHeaders('tools/list'), modern('tools/list'))
    await send(server.port, '/mcp?client=other', modernHeaders('tools/list'), modern('tools/list'))
    expect(sessions.map(({ options }) => options.client.name)).toEqual(['raw', 'raw', 'other'])
  })

  it('become a stream when a notification comes before the answer', async () => {
    const { server } = await started()
    const request = modern('tools/call', { name: 'steps' })
    const { text, headers } = await send(server.port, '/mcp', modernHeaders('tools/call', 'steps'), request)
    expect(headers['content-type']).toBe('text/event-stream')
    expect(text.match(/notifications\/progress/g)).toHaveLength(3)
    expect(text.trim().split('\n').at(-1)).toContain('"id":1,"result"')
  })

  it('are cancelled when the client hangs up', async () => {
    const { server, sessions } = await started()
    const abort = new AbortController()
    const call = fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: modernHeaders('tools/call', 'wait'),
      body: JSON.stringify(modern('tools/call', { name: 'wait' })),
      signal: abort.signal,
    })
    await expect.poll(() => sessions[0]?.requests.length).toBe(1)
    abort.abort()
    await expect(call).rejects.toThrow('aborted')
    await expect.poll(() => sessions[0]?.requests[0]?.signal.aborted).toBe(true)
    expect(sessions[0]?.ended.aborted).toBe(false)
  })

  it('end with their session after a while', async () => {
    const { server, sessions } = await started({ sessionIdleMs: 50 })
    await send(server.port, '/mcp', modernHeaders('tools/list'), modern('tools/list'))
    await expect.poll(() => sessions[0]?.ended.aborted).toBe(true)
    await send(server.port, '/mcp', modernHeaders('tools/list'), modern('tools/list'))
    expect(sessions).toHaveLength(2)
  })

  it('take notifications with 202', async () => {
    const { server, sessions } = await started()
    const note = modern('notifications/custom', {}, undefined)
    delete note.id
    expect((await send(server.port, '/mcp', modernHeaders('notifications/custom'), note)).status).toBe(202)
    expect(sessions[0]?.notifications).toEqual(['notifications/custom'])
  })

  it.each([
    ['no version header', { 'MCP-Protocol-Version': undefined }, -32020],
    ['no method header', { 'Mcp-Method': undefined }, -32020],
    ['another method in the header', { 'Mcp-Method': 'tools/list' }, -32020],
    ['no name header', { 'Mcp-Name': undefined }, -32020],
    ['another name in the header', { 'Mcp-Name': 'other' }, -32020],
    ['an encoded name', { 'Mcp-Name': `=?base64?${Buffer.from('echo').toString('base64')}?=` }, undefined],
  ])('with %s', async (_, changes, code) => {
    const { server } = await started()
    const headers = Object.entries({ ...modernHeaders('tools/call', 'echo'), ...changes }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    )
    const request = modern('tools/call', { name: 'echo' })
    const answer = await send(server.port, '/mcp', Object.fromEntries(headers), request)
    expect(answer.status).toBe(code === undefined ? 200 : 400)
    expect(JSON.parse(answer.text)).toMatchObject(code === undefined ? { id: 1 } : { id: 1, error: { code } })
  })

  it('of a version that is not spoken here are told which ones are', async () => {
    const { server } = await started()
    const request = modern('tools/list')
    request.params._meta = { ...envelope, [MetaKey.protocolVersion]: '2031-01-01' }
    const headers = { ...modernHeaders('tools/list'), 'MCP-Protocol-Version': '2031-01-01' }
    const answer = await send(server.port, '/mcp', headers, request)
    expect(answer.status).toBe(400)
    expect(JSON.parse(answer.text)).toMatchObject({
      error: { code: -32022, data: { supported: ['2026-07-28'] } },
    })
  })
})
