import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { JsonObject } from '../../../../electron/engine/protocol/json-rpc.ts'
import { keepListening } from '../../../../electron/engine/clients/session/keep-listening.ts'
import { startFeaturesHttp } from '../../../fixtures/servers/features-http.ts'
import type { TestLinkOptions } from '../../../helpers/upstream.ts'
import { modernClient, openTestLink } from '../../../helpers/upstream.ts'

/** A hand-written server of 2025 with one stream that can fail in every way. */
async function startServer() {
  const state = {
    sessions: 0,
    session: '',
    greeted: [] as string[],
    listens: 0,
    isDeaf: false,
    lastIds: [] as unknown[],
    /** Status for an unknown last event id. */
    toUnknown: 0,
  }
  const streams: ServerResponse[] = []
  const listen = (response: ServerResponse, lastId: unknown): void => {
    state.listens += 1
    state.lastIds.push(lastId)
    if (lastId !== undefined && state.toUnknown > 0) return void response.writeHead(state.toUnknown).end()
    // As the SDK's servers do, also for a stream whose reader disconnected unnoticed.
    if (streams.length > 0) return void response.writeHead(409).end()
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders()
    streams.push(response)
    if (!state.isDeaf) response.once('close', () => streams.splice(0, 1))
  }
  const answer = (body: JsonObject, response: ServerResponse): void => {
    if (body['id'] === undefined) return void response.writeHead(202).end()
    const result =
      body['method'] === 'initialize'
        ? {
            protocolVersion: '2025-11-25',
            capabilities: { tools: { listChanged: true } },
            serverInfo: { name: 'raw', version: '1' },
          }
        : {}
    if (body['method'] === 'initialize') {
      state.session = `session-${++state.sessions}`
      response.setHeader('Mcp-Session-Id', state.session)
    }
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id: body['id'], result }))
  }
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = chunks.length === 0 ? {} : (JSON.parse(Buffer.concat(chunks).toString()) as JsonObject)
      const isKnown = body['method'] === 'initialize' || request.headers['mcp-session-id'] === state.session
      if (body['method'] === 'server/discover') response.writeHead(400).end()
      else if (!isKnown) response.writeHead(404).end()
      else if (request.method === 'GET') listen(response, request.headers['last-event-id'])
      else if (request.method === 'POST') answer(body, response)
      else response.writeHead(200).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return {
    state,
    streams,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    say: (n: number, id?: string): void =>
      void streams[0]?.write(
        `${id === undefined ? '' : `id: ${id}\n`}event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { n } })}\n\n`,
      ),
  }
}

const onWake =
  (listeners: Set<() => void>) =>
  (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

async function connected(deps: TestLinkOptions['deps'] = {}) {
  const server = await startServer()
  const opened = await openTestLink({ settings: { url: server.url }, deps })
  onTestFinished(() => opened.link.close())
  const heard = (): unknown[] => opened.heard.notifications.map(([, params]) => params?.['n'])
  await expect.poll(() => server.streams.length).toBe(1)
  return { server, heard, link: opened.link }
}

test('a server’s own stream that breaks off is opened again, and a new session where the server forgot it', async () => {
  const { server, heard } = await connected()
  for (const n of [1, 2]) {
    server.streams[0]?.destroy()
    await expect.poll(() => [server.streams.length, server.state.listens]).toEqual([1, n + 1])
    server.say(n)
    await expect.poll(heard).toEqual([1, 2].slice(0, n))
  }
  server.state.session = 'after a restart'
  server.streams[0]?.destroy()
  await expect.poll(() => [server.state.sessions, server.streams.length]).toEqual([2, 1])
  server.say(3)
  await expect.poll(heard).toEqual([1, 2, 3])
})

test('a server’s own stream is opened again after the machine’s sleep, also where the server takes the old one for alive', async () => {
  const listeners = new Set<() => void>()
  const { server, heard, link } = await connected({ onDoubt: onWake(listeners) })
  const [dead] = server.streams
  dead?.removeAllListeners('close')
  for (const listener of listeners) listener()
  await expect.poll(() => server.state.listens).toBe(2)
  expect(await link.request('tools/list', {})).toEqual({})
  server.streams.splice(0)
  await expect.poll(() => server.streams.length).toBe(1)
  server.say(1)
  await expect.poll(heard).toEqual([1])
  expect(server.state.sessions).toBe(1)
})

test.each([
  ['a server that knows it', 0],
  ['one that does not know it any more, and is listened to all the same', 400],
])(
  'what was said while the machine slept is asked for by the last event’s id: %s',
  async (_who, toUnknown) => {
    const listeners = new Set<() => void>()
    const { server, heard } = await connected({ onDoubt: onWake(listeners) })
    server.say(1, 'event-1')
    server.say(2, 'event-2')
    await expect.poll(heard).toEqual([1, 2])
    server.state.toUnknown = toUnknown
    const wake = async (): Promise<void> => {
      for (const dead of server.streams.splice(0)) dead.removeAllListeners('close')
      for (const listener of listeners) listener()
      await expect.poll(() => server.streams.length).toBe(1)
    }
    await wake()
    const asked = toUnknown === 0 ? ['event-2'] : ['event-2', undefined]
    expect(server.state.lastIds).toEqual([undefined, ...asked])
    // Nothing arrived meanwhile: it resumes from the same event.
    await wake()
    expect(server.state.lastIds.at(-1)).toBe(asked.at(-1))
    server.say(3)
    await expect.poll(heard).toEqual([1, 2, 3])
  },
)

test('what a server of 2026-07-28 was asked to tell of is asked again when its stream breaks off, or the machine has slept, until nobody listens', async () => {
  const server = await startFeaturesHttp({ eras: 'modern' })
  onTestFinished(() => server.close())
  const listeners = new Set<() => void>()
  const { link } = await openTestLink({
    settings: { url: `${server.url}/mcp` },
    client: modernClient,
    deps: { onDoubt: onWake(listeners) },
  })
  const stop = new AbortController()
  const acknowledged: string[] = []
  const listening = keepListening(link, {
    params: { notifications: { toolsListChanged: true } },
    signal: stop.signal,
    onRelated: (method) => acknowledged.push(method),
  })
  const [said] = ['notifications/subscriptions/acknowledged']
  await expect.poll(() => acknowledged).toEqual([said])
  server.breakConnections()
  await expect.poll(() => acknowledged).toEqual([said, said])
  for (const listener of listeners) listener()
  await expect.poll(() => acknowledged).toEqual([said, said, said])
  const asked = server.requests.length
  await link.close()
  await expect(listening).rejects.toThrow(/closed/)
  expect(server.requests.length).toBe(asked)
})
