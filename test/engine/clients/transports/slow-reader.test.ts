import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import type {
  ClientSession,
  OpenSessionOptions,
} from '../../../../electron/engine/clients/transports/client-session.ts'
import { startHttpServer } from '../../../../electron/engine/clients/transports/http-server.ts'
import { StreamChannel } from '../../../../electron/engine/clients/transports/stream-channel.ts'
import { createLogger } from '../../../../electron/engine/ground/logger.ts'
import { MetaKey } from '../../../../electron/engine/protocol/era.ts'
import { RpcPeer } from '../../../../electron/engine/protocol/peer.ts'
import { initializeBody } from '../../../helpers/initialize-request.ts'
import { waitFor } from '../../../helpers/wait-for.ts'

/** A loopback connection whose reader has stopped reading. */
async function socketsThatNobodyReads(): Promise<{ near: Socket; far: Socket }> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const accepted = once(server, 'connection') as Promise<[Socket]>
  const far = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [near] = await accepted
  onTestFinished(() => {
    far.destroy()
    near.destroy()
    server.close()
  })
  return { near, far: far.pause() }
}

it('a flood of notifications for a client that does not read fills no memory, and loses no change of a list', async () => {
  const { near, far } = await socketsThatNobodyReads()
  const channel = new StreamChannel({ input: new PassThrough(), output: near, maxMessageBytes: 1_000_000 })
  const said: string[] = []
  const peer = new RpcPeer(channel, {
    onRequest: async () => ({}),
    onNotification: () => {},
    onError: (error) => said.push(error.message),
  })
  await peer.start()
  const data = 'x'.repeat(1000)
  for (let index = 0; index < 50_000; index++) void peer.notify('notifications/message', { index, data })
  void peer.notify('notifications/tools/list_changed')
  // 50 MB without a bound.
  expect(near.writableLength).toBeLessThan(3_000_000)
  expect(said).toHaveLength(1)
  expect(said[0]).toContain('log messages and progress are left out')

  const read: unknown[] = []
  createInterface({ input: far }).on('line', (line) =>
    read.push((JSON.parse(line) as { method: string }).method),
  )
  await waitFor(() => expect(read.at(-1)).toBe('notifications/tools/list_changed'))
  expect(read.length).toBeLessThan(2000)
  await peer.notify('notifications/message', { data: 'heard again' })
  await waitFor(() => expect(read.at(-1)).toBe('notifications/message'))
  await peer.close()
})

const FLOOD = 30_000

/** Answers the first call after a flood of log messages with a list change in the middle. */
const floodingSession = ({ link }: OpenSessionOptions, onOver: () => void): ClientSession => ({
  id: 'flooding',
  handleRequest: async (request) => {
    const { method, params } = request
    if (method === 'initialize')
      return {
        protocolVersion: params?.['protocolVersion'],
        capabilities: { logging: {} },
        serverInfo: { name: 'flood', version: '1' },
      }
    const data = 'x'.repeat(2000)
    for (let index = 0; index < FLOOD; index++) {
      request.notify('notifications/message', { level: 'info', index, data })
      if (index === FLOOD / 2) request.notify('notifications/tools/list_changed')
      if (index % 100 === 0) await nextTurn()
    }
    if (link.era === 'legacy') link.notify('notifications/tools/list_changed')
    onOver()
    return { content: [] }
  },
  handleNotification: () => {},
  close: async () => {},
})

async function floodingServer() {
  const said: string[] = []
  const over = Promise.withResolvers<void>()
  const logger = createLogger({
    level: 'warn',
    now: Date.now,
    stderr: { write: (line) => said.push(line) },
  })
  const server = await startHttpServer({
    port: 0,
    token: 'token',
    openSession: (options) => floodingSession(options, over.resolve),
    logger,
    maxMessageBytes: 1_000_000,
    serverExists: () => true,
  })
  onTestFinished(() => server.close())
  const send = async (path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const request = httpRequest({
      host: '127.0.0.1',
      port: server.port,
      path,
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        Authorization: 'Bearer token',
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...headers,
      },
    })
    request.end(body === undefined ? undefined : JSON.stringify(body))
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    return response
  }
  return { send, said, over: over.promise }
}

const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'flood' } }

/** Makes a call over each HTTP transport and returns its stream, unread. */
const WAYS = {
  'Streamable HTTP (2026-07-28)': async (send: Send) =>
    send(
      '/mcp',
      {
        ...call,
        params: {
          ...call.params,
          _meta: {
            [MetaKey.protocolVersion]: '2026-07-28',
            [MetaKey.clientInfo]: { name: 'slow', version: '1' },
            [MetaKey.clientCapabilities]: {},
          },
        },
      },
      { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'flood' },
    ),
  'Streamable HTTP (2025)': async (send: Send) => {
    const opened = await send('/mcp', initializeBody('slow'))
    opened.resume()
    return send('/mcp', call, { 'Mcp-Session-Id': String(opened.headers['mcp-session-id']) })
  },
  'HTTP+SSE': async (send: Send) => {
    const stream = await send('/sse')
    const [first] = (await once(stream, 'data')) as [Buffer]
    stream.pause()
    const path = /data: (\S+)/.exec(first.toString())?.[1] ?? ''
    for (const message of [initializeBody('slow'), call]) (await send(path, message)).resume()
    return stream
  },
}
type Send = Awaited<ReturnType<typeof floodingServer>>['send']

it.each(Object.entries(WAYS))(
  'a flood for an HTTP client that does not read: %s keeps little of it, and what may not be missed',
  async (_, open) => {
    const { send, said, over } = await floodingServer()
    const stream = await open(send)
    await over
    expect(said.join()).toContain('log messages and progress are left out')
    const read: string[] = []
    createInterface({ input: stream }).on('line', (line) => {
      if (line.startsWith('data: {')) read.push(line)
    })
    await waitFor(() => expect(read.some((line) => line.includes('"id":7'))).toBe(true))
    // The socket buffer holds some thousands of them.
    expect(read.length).toBeLessThan(FLOOD / 2)
    expect(read.filter((line) => line.includes('list_changed')).length).toBeGreaterThan(0)
    stream.destroy()
  },
)
