import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LargeResponses } from '../../../../electron/engine/servers/upstream/large-responses.ts'
import type { FeaturesHttp } from '../../../fixtures/servers/features-http.ts'
import { startFeaturesHttp } from '../../../fixtures/servers/features-http.ts'
import { generateText } from '../../../fixtures/servers/generate-text.ts'
import type { TestLinkOptions } from '../../../helpers/upstream.ts'
import { legacyClient, modernClient, openTestLink, textOf } from '../../../helpers/upstream.ts'

const state: { server: FeaturesHttp } = {} as never
beforeAll(async () => {
  state.server = await startFeaturesHttp()
})
afterAll(() => state.server.close())

const places: [string, () => Omit<TestLinkOptions, 'deps'>][] = [
  [
    'event stream of a request',
    () => ({ settings: { url: `${state.server.url}/mcp` }, client: legacyClient }),
  ],
  ['JSON answer', () => ({ settings: { url: `${state.server.url}/mcp` }, client: modernClient })],
  ['HTTP+SSE', () => ({ settings: { url: `${state.server.url}/sse`, type: 'sse' } })],
]

describe.each(places)('%s', (_name, options) => {
  test('a large result is parsed elsewhere and arrives whole', async () => {
    const parsed: number[] = []
    const { link } = await openTestLink({
      ...options(),
      deps: {
        parseLarge: async (pieces) => {
          const bytes = Buffer.concat(pieces)
          parsed.push(bytes.length)
          return JSON.parse(bytes.toString()) as unknown
        },
      },
    })
    const results = await Promise.all(
      [3_000_000, 10, 2_000_000].map((bytes) =>
        link.request('tools/call', { name: 'large', arguments: { bytes } }),
      ),
    )
    expect(results.map((result) => textOf(result).length)).toEqual([3_000_000, 10, 2_000_000])
    expect(textOf(results[0] ?? {}) === generateText('log', 3_000_000)).toBe(true)
    expect(parsed).toHaveLength(2)
    await link.close()
  })

  test('a result over the limit fails its call alone', async () => {
    const { link } = await openTestLink({
      ...options(),
      deps: { limits: () => ({ maxMessageBytes: 1_000_000 }) },
    })
    const call = (bytes: number) => link.request('tools/call', { name: 'large', arguments: { bytes } })
    const tooLarge = call(2_000_000)
    const small = call(900_000)
    await expect(tooLarge).rejects.toMatchObject({ code: 'MESSAGE_TOO_LARGE' })
    expect(textOf(await small)).toHaveLength(900_000)
    expect(textOf(await call(5))).toHaveLength(5)
    await link.close()
  })
})

describe('a response', () => {
  const message = (text: string): string =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text }] } })
  /** Of an answer as it came. */
  const read = async (body: string, init: ResponseInit, maxMessageBytes = 1000): Promise<Response> => {
    const { fetch } = new LargeResponses({
      fetch: async () => new Response(body, init),
      maxMessageBytes,
      parseLarge: async (pieces) => JSON.parse(Buffer.concat(pieces).toString()) as unknown,
      onAnswerLost: () => {},
    })
    return fetch('http://127.0.0.1')
  }
  const EVENTS = { 'content-type': 'text/event-stream' }

  test('has no length or encoding of what came over the wire, and its status', async () => {
    const headers = {
      'content-type': 'application/json',
      'content-length': '9',
      'content-encoding': 'gzip',
      x: 'y',
    }
    const response = await read(message('a'), { status: 202, headers })
    expect([...response.headers.keys()]).toEqual(['content-type', 'x'])
    expect(response.status).toBe(202)
  })

  test('that is an error is left as it is, however large', async () => {
    const headers = { 'content-type': 'application/json' }
    const response = await read('x'.repeat(2000), { status: 500, headers })
    expect(await response.text()).toHaveLength(2000)
  })

  test('ends with a line without a break, and an event too large for an id is an empty one', async () => {
    const large = `data: {"result":"${'x'.repeat(2000)}"}`
    const response = await read(`event: message\n${large}\ndata: ${message('last')}`, { headers: EVENTS })
    const [event, refused = '', last = ''] = (await response.text()).split('\n')
    expect([event, refused]).toEqual(['event: message', 'data:{}'])
    expect(last).toMatch(/^data:.*"id":1/)
  })
})
