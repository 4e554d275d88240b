import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Era } from '../../../../electron/engine/protocol/era.ts'
import { RpcError } from '../../../../electron/engine/protocol/json-rpc.ts'
import type { JsonObject } from '../../../../electron/engine/protocol/json-rpc.ts'
import type { FeaturesHttp } from '../../../fixtures/servers/features-http.ts'
import { startFeaturesHttp } from '../../../fixtures/servers/features-http.ts'
import { call, testLinks } from '../../../helpers/test-links.ts'
import type { TestLinkOptions } from '../../../helpers/upstream.ts'
import { legacyClient, modernClient, testServer, textOf } from '../../../helpers/upstream.ts'

const connect = testLinks()
const http: { both: FeaturesHttp; modern: FeaturesHttp } = {} as never
beforeAll(async () => {
  http.both = await startFeaturesHttp()
  http.modern = await startFeaturesHttp({ eras: 'modern' })
})
afterAll(() => Promise.all([http.both.close(), http.modern.close()]))

const modernOnly = testServer('features', '--era', 'modern')
const legacyOnly = testServer('features', '--era', 'legacy')

/** A client that answers every server request. */
const answerAll = async (method: string): Promise<JsonObject> => {
  const answers: Record<string, JsonObject> = {
    'elicitation/create': { action: 'accept', content: { name: 'Ada' } },
    'sampling/createMessage': { role: 'assistant', model: 'm', content: { type: 'text', text: 'hello' } },
    'roots/list': { roots: [{ uri: 'file:///project' }] },
  }
  const answer = answers[method]
  if (!answer) throw new RpcError(-32601, 'Method not found')
  return answer
}

describe('questions of the server', () => {
  const places: [string, () => TestLinkOptions['settings']][] = [
    ['stdio, same era', () => legacyOnly],
    ['stdio, modern server', () => modernOnly],
    ['http, same era', () => ({ url: `${http.both.url}/mcp` })],
    ['http, modern server', () => ({ url: `${http.modern.url}/mcp` })],
    ['sse', () => ({ url: `${http.both.url}/sse`, type: 'sse' })],
  ]
  test.each(places)('reach a legacy client as requests: %s', async (_name, settings) => {
    const { link, heard } = await connect({ settings: settings(), onRequest: answerAll })
    expect(textOf(await call(link, 'ask-user'))).toBe('accept: {"name":"Ada"}, state asked-once')
    expect(textOf(await call(link, 'ask-model'))).toBe('{"type":"text","text":"hello"}')
    expect(textOf(await call(link, 'ask-roots'))).toBe('[{"uri":"file:///project"}]')
    expect(heard.requests.map(([method]) => method)).toEqual([
      'elicitation/create',
      'sampling/createMessage',
      'roots/list',
    ])
  })

  test('reach a modern client untouched, inside the result', async () => {
    const { link, heard } = await connect({ settings: modernOnly, client: modernClient })
    const result = await call(link, 'ask-user')
    expect(result).toMatchObject({
      resultType: 'input_required',
      requestState: 'asked-once',
      inputRequests: { name: { method: 'elicitation/create' } },
    })
    const answered = await link.request('tools/call', {
      name: 'ask-user',
      requestState: 'asked-once',
      inputResponses: { name: { action: 'decline' } },
    })
    expect(textOf(answered)).toBe('decline: null, state asked-once')
    expect(heard.requests).toEqual([])
  })

  test('a refusal of the client fails the call with its error', async () => {
    const refuse = () => Promise.reject(new RpcError(-32601, 'No elicitation here'))
    const { link } = await connect({ settings: modernOnly, onRequest: refuse })
    await expect(call(link, 'ask-user')).rejects.toMatchObject({ code: -32601 })
  })

  test('an older server knows what a modern client can do', async () => {
    const { link } = await connect({ settings: legacyOnly, client: modernClient })
    expect(JSON.parse(textOf(await call(link, 'who-calls')))).toMatchObject({
      clientInfo: modernClient.clientInfo,
      capabilities: modernClient.capabilities,
    })
  })
})

describe('what the server knows of the client', () => {
  test('legacy: its own words', async () => {
    const { link } = await connect({ settings: legacyOnly })
    expect(link.hello.protocolVersion).toBe('2025-06-18')
    expect(JSON.parse(textOf(await call(link, 'who-calls')))).toMatchObject({
      clientInfo: legacyClient.clientInfo,
      capabilities: legacyClient.capabilities,
    })
  })

  test('modern: the envelope, beside the caller’s own _meta', async () => {
    const { link } = await connect({ settings: modernOnly, client: modernClient })
    const params = { name: 'who-calls', _meta: { 'example.org/trace': 'abc' } }
    expect(JSON.parse(textOf(await link.request('tools/call', params)))).toMatchObject({
      envelope: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': modernClient.clientInfo,
        'io.modelcontextprotocol/clientCapabilities': modernClient.capabilities,
      },
      meta: { 'example.org/trace': 'abc' },
    })
  })

  test('a legacy client’s log level goes into the envelopes for a modern server', async () => {
    const { link, heard } = await connect({ settings: modernOnly })
    const log = { level: 'info', message: 'hi' }
    await call(link, 'log', log)
    expect(heard.notifications).toEqual([])
    expect(await link.request('logging/setLevel', { level: 'debug' })).toEqual({})
    await call(link, 'log', log)
    expect(heard.notifications).toMatchObject([['notifications/message', { level: 'info' }]])
  })
})

describe.each([
  ['legacy', legacyOnly],
  ['modern', modernOnly],
] as const)('%s server over stdio', (era: Era, settings) => {
  const client = era === 'legacy' ? legacyClient : modernClient

  test('cancelling reaches the server', async () => {
    const { link } = await connect({ settings, client })
    const abort = new AbortController()
    const waiting = link.request('tools/call', { name: 'wait-for-cancel' }, { signal: abort.signal })
    // Requests are read in order: the call before has arrived.
    expect(textOf(await call(link, 'cancelled-count'))).toBe('0')
    abort.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    await expect.poll(async () => textOf(await call(link, 'cancelled-count'))).toBe('1')
  })

  test('list changes and resource updates arrive', async () => {
    const { link, heard } = await connect({ settings, client })
    const methods = (): string[] => heard.notifications.map(([method]) => method)
    const related: string[] = []
    const abort = new AbortController()
    if (era === 'legacy') await link.request('resources/subscribe', { uri: 'note://readme' })
    else {
      const filter = { toolsListChanged: true, resourceSubscriptions: ['note://readme'] }
      void link
        .request(
          'subscriptions/listen',
          { notifications: filter },
          { signal: abort.signal, onRelated: (m) => related.push(m) },
        )
        .catch(() => {})
      await expect.poll(() => related).toEqual(['notifications/subscriptions/acknowledged'])
    }
    await call(link, 'touch-resource', { uri: 'note://readme' })
    await call(link, 'add-tool')
    const expected = ['notifications/resources/updated', 'notifications/tools/list_changed']
    await expect.poll(() => [...methods(), ...related]).toEqual(expect.arrayContaining(expected))
    abort.abort()
  })

  test('errors keep their code and data', async () => {
    const { link } = await connect({ settings, client })
    await expect(link.request('no/such-method', {})).rejects.toMatchObject({ code: -32601 })
    const missing = link.request('resources/read', { uri: 'note://missing' })
    await expect(missing).rejects.toMatchObject({ code: -32602, data: { uri: 'note://missing' } })
  })
})
