import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpServer } from '../../../../electron/engine/clients/transports/http-server.ts'
import { startHttpServer } from '../../../../electron/engine/clients/transports/http-server.ts'
import { silentLogger } from '../../../../electron/engine/ground/logger.ts'
import type { JsonObject } from '../../../../electron/engine/protocol/json-rpc.ts'
import { echoSessions } from './echo-session.ts'

const token = 'right-token'
const { openSession, sessions } = echoSessions()
let server: HttpServer
/** The server's response for each named stream. */
const answers = new Map<unknown, ServerResponse>()
let streams = 0
const watch = (message: unknown): void => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
  answers.set(request.headers['x-stream'], response)
}
beforeAll(async () => {
  subscribe('http.server.request.start', watch)
  const options = { port: 0, token, openSession, logger: silentLogger, maxMessageBytes: 30_000_000 }
  server = await startHttpServer({ ...options, serverExists: () => true })
})
afterAll(async () => {
  unsubscribe('http.server.request.start', watch)
  await server.close()
})

interface SseEvent {
  readonly id?: string
  readonly retry?: string
  readonly data?: string
}

function eventsOf(response: Response, name: string, broken: AbortController) {
  const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return {
    status: response.status,
    next: async (): Promise<SseEvent | undefined> => {
      for (;;) {
        const end = text.indexOf('\n\n')
        const block = end === -1 ? undefined : text.slice(0, end)
        if (block !== undefined) {
          text = text.slice(end + 2)
          if (block.startsWith(':')) continue
          return Object.fromEntries(
            block.split('\n').map((line) => [line.split(':', 1)[0], line.slice(line.indexOf(':') + 2)]),
          )
        }
        const { value, done } = await reader.read()
        if (done) return undefined
        text += value
      }
    },
    /** Resolves when the server has noticed. */
    breakOff: async () => {
      broken.abort()
      await expect.poll(() => answers.get(name)?.closed).toBe(true)
    },
  }
}

async function connect(protocolVersion = '2025-11-25') {
  const send = async (method: 'GET' | 'POST', extra: Record<string, string>, body?: JsonObject) => {
    const broken = new AbortController()
    const name = String(streams++)
    const headers = {
      'X-Stream': name,
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': protocolVersion,
      ...extra,
    }
    const response = await fetch(`${server.url}/mcp/echo`, {
      method,
      headers,
      signal: broken.signal,
      ...(body ? { body: JSON.stringify({ jsonrpc: '2.0', ...body }) } : {}),
    })
    return { response, events: eventsOf(response, name, broken) }
  }
  const clientInfo = { name: 'raw', version: '1' }
  const params = { protocolVersion, capabilities: { roots: {} }, clientInfo }
  const opened = await send('POST', {}, { id: 0, method: 'initialize', params })
  const session = { 'Mcp-Session-Id': opened.response.headers.get('mcp-session-id') ?? '' }
  return {
    call: async (id: number, name: string) => {
      const call = { name, arguments: { id }, _meta: { progressToken: id } }
      return (await send('POST', session, { id, method: 'tools/call', params: call })).events
    },
    answer: async (id: unknown, result: JsonObject) => {
      await send('POST', session, { id, result })
    },
    listen: async (lastEventId?: string) => {
      const resumed: Record<string, string> =
        lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }
      return (await send('GET', { ...session, ...resumed })).events
    },
    notify: (method: string) => sessions.at(-1)?.options.link.notify(method),
  }
}

const dataOf = (event: SseEvent | undefined): JsonObject => JSON.parse(event?.data ?? '{}') as JsonObject

describe('a stream that broke off', () => {
  it('starts with an id and how long to wait, and goes on after the last event that was read', async () => {
    const client = await connect()
    const stream = await client.call(1, 'steps')
    expect(await stream.next()).toMatchObject({ id: expect.stringMatching(/./), retry: '500', data: '' })
    const first = await stream.next()
    expect(dataOf(first)).toMatchObject({ params: { progress: 1 } })
    await stream.breakOff()
    const rest = await client.listen(first?.id)
    expect(dataOf(await rest.next())).toMatchObject({ params: { progress: 2 } })
    expect(dataOf(await rest.next())).toMatchObject({ params: { progress: 3 } })
    expect(dataOf(await rest.next())).toMatchObject({ id: 1, result: { content: [{ text: 'done' }] } })
    expect(await rest.next()).toBe(undefined)
    expect(sessions.at(-1)?.requests.filter(({ method }) => method === 'tools/call')).toHaveLength(1)
  })

  it('gives the right answer of several, and a question that was asked meanwhile', async () => {
    const client = await connect()
    const [one, two] = [await client.call(1, 'echo'), await client.call(2, 'ask')]
    const [primedOne, primedTwo] = [await one.next(), await two.next()]
    await one.breakOff()
    await two.breakOff()
    const [againTwo, againOne] = [await client.listen(primedTwo?.id), await client.listen(primedOne?.id)]
    const question = dataOf(await againTwo.next())
    expect(question).toMatchObject({ method: 'roots/list' })
    await client.answer(question['id'], { roots: [{ uri: 'file:///here' }] })
    expect(dataOf(await againTwo.next())).toMatchObject({ id: 2 })
    expect(dataOf(await againOne.next())).toMatchObject({
      id: 1,
      result: { content: [{ text: '{"id":1}' }] },
    })
  })

  it('the session’s own stream can be taken up as well', async () => {
    const client = await connect()
    const stream = await client.listen()
    const opening = await stream.next()
    expect(opening).toMatchObject({ id: expect.stringMatching(/./), retry: '500', data: '' })
    client.notify('notifications/tools/list_changed')
    expect(dataOf(await stream.next())).toMatchObject({ method: 'notifications/tools/list_changed' })
    await stream.breakOff()
    client.notify('notifications/prompts/list_changed')
    const again = await client.listen(opening?.id)
    expect(dataOf(await again.next())).toMatchObject({ method: 'notifications/tools/list_changed' })
    expect(dataOf(await again.next())).toMatchObject({ method: 'notifications/prompts/list_changed' })
    client.notify('notifications/resources/list_changed')
    expect(dataOf(await again.next())).toMatchObject({ method: 'notifications/resources/list_changed' })
    await again.breakOff()
  })

  it('refuses ids of other sessions and made-up ones', async () => {
    const [one, other] = [await connect(), await connect()]
    const stream = await one.call(1, 'echo')
    const primed = await stream.next()
    for (const id of [primed?.id, 'made-up', '_GET_stream.1'])
      expect((await other.listen(id)).status).toBe(400)
    await stream.breakOff()
  })

  it('clients of earlier versions see no event without data', async () => {
    const client = await connect('2025-06-18')
    const stream = await client.call(1, 'echo')
    expect(dataOf(await stream.next())).toMatchObject({ id: 1 })
  })
})
