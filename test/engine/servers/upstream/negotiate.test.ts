import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { silentLogger } from '../../../../electron/engine/ground/logger.ts'
import type { Era } from '../../../../electron/engine/protocol/era.ts'
import { SluiceError } from '../../../../electron/engine/ground/errors.ts'
import type { MessageChannel } from '../../../../electron/engine/protocol/channel.ts'
import { RpcError, RpcErrorCode, type JsonObject } from '../../../../electron/engine/protocol/json-rpc.ts'
import { RpcPeer } from '../../../../electron/engine/protocol/peer.ts'
import { negotiate, type NegotiateOptions } from '../../../../electron/engine/servers/upstream/negotiate.ts'
import { createEraMemory } from '../../../../electron/engine/servers/era-memory.ts'
import { startFeaturesHttp } from '../../../fixtures/servers/features-http.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'
import type { TestLinkOptions } from '../../../helpers/upstream.ts'
import { legacyClient, modernClient, openTestLink, testServer, textOf } from '../../../helpers/upstream.ts'

async function open(options: TestLinkOptions) {
  const started = performance.now()
  const { link } = await openTestLink(options)
  const milliseconds = performance.now() - started
  return { link, milliseconds }
}

test('a server that stays silent to the probe is greeted the old way, and is not probed again', async () => {
  const eras = createEraMemory({
    path: join(temporaryFolder(onTestFinished), 'eras.json'),
    now: Date.now,
    logger: silentLogger,
  })
  const settings = testServer('misbehaving', '--deaf')
  const { link, milliseconds } = await open({ settings, client: modernClient, deps: { eras, probeMs: 300 } })
  expect(link.hello.era).toBe('legacy')
  expect(milliseconds).toBeGreaterThan(300)
  await link.close()
  // A probe would exceed its time.
  const hasty = { eras, probeMs: 300_000, startMs: 100_000 }
  const again = await open({ settings, client: modernClient, deps: hasty })
  expect(again.link.hello.era).toBe('legacy')
  await again.link.close()
})

test('a server that ends when it is probed is started again and greeted the old way', async () => {
  const settings = testServer('misbehaving', '--strict')
  const { link } = await open({ settings, client: modernClient })
  expect(link.hello.era).toBe('legacy')
  const params = { name: 'echo', arguments: { text: 'alive' } }
  expect(textOf(await link.request('tools/call', params))).toBe('alive')
  await link.close()
})

test('what a server turned out to speak is remembered by launch and by the era of the client', async () => {
  const server = await startFeaturesHttp({ eras: 'legacy' })
  const eras = new Map<string, Era>()
  const connect = async (client: TestLinkOptions['client'] & {}): Promise<number> => {
    const before = server.requests.length
    const { link } = await open({ settings: { url: `${server.url}/mcp` }, client, deps: { eras } })
    const posts = server.requests.slice(before).filter((request) => request === 'POST /mcp').length
    await link.close()
    return posts
  }
  // Probe, initialize, initialized; then without the probe.
  expect(await connect(modernClient)).toBe(3)
  expect(await connect(modernClient)).toBe(2)
  expect(await connect(legacyClient)).toBe(2)
  expect([...eras.values()]).toEqual(['legacy', 'legacy'])
  await server.close()
})

test('a verdict that is no longer true corrects itself', async () => {
  const eras = new Map<string, Era>()
  const first = await open({ settings: testServer('features', '--era', 'modern'), deps: { eras } })
  expect(first.link.hello.era).toBe('modern')
  await first.link.close()
  const [key] = [...eras.keys()]
  eras.set(key ?? '', 'legacy')
  const second = await open({ settings: testServer('features', '--era', 'modern'), deps: { eras } })
  expect(second.link.hello.era).toBe('modern')
  await second.link.close()
  eras.set(key?.replace('modern', 'legacy') ?? '', 'modern')
  const third = await open({ settings: testServer('features', '--era', 'legacy'), deps: { eras } })
  expect(third.link.hello.era).toBe('legacy')
  await third.link.close()
})

test('the server’s own refusal of a client reaches it as it was', async () => {
  const settings = testServer('misbehaving', '--refuse')
  await expect(open({ settings })).rejects.toMatchObject({
    code: -32602,
    message: 'Unsupported protocol version',
    data: { supported: ['2024-11-05'] },
  })
})

test('a server that was only slow to start is asked again in the era that it speaks', async () => {
  const settings = testServer('features', '--era', 'modern', '--start-delay', '1500')
  const { link } = await open({ settings, client: modernClient, deps: { probeMs: 100 } })
  expect(link.hello.era).toBe('modern')
  await link.close()
})

test('a slow server that speaks both eras is not translated for a modern client', async () => {
  const settings = testServer('features', '--start-delay', '1500')
  const { link } = await open({ settings, client: modernClient, deps: { probeMs: 100 } })
  expect(link.hello.era).toBe('modern')
  const params = { name: 'weather', arguments: { city: 'Bonn' } }
  expect(textOf(await link.request('tools/call', params))).toContain('Bonn')
  await link.close()
})

test('such a server is started twice only until it is known to be modern', async () => {
  const starts = join(temporaryFolder(onTestFinished), 'starts')
  const { command, args = [] } = testServer('features', '--start-delay', '1500')
  const count = `import { appendFileSync } from 'node:fs'; appendFileSync(${JSON.stringify(starts)}, '.')`
  const settings = {
    command,
    args: ['--import', `data:text/javascript,${encodeURIComponent(count)}`, ...args],
  }
  const eras = new Map<string, Era>()
  const lengths: number[] = []
  for (let time = 0; time < 2; time++) {
    const { link } = await open({ settings, client: modernClient, deps: { eras, probeMs: 100 } })
    expect(link.hello.era).toBe('modern')
    lengths.push(readFileSync(starts, 'utf8').length)
    await link.close()
  }
  expect(lengths).toEqual([2, 3])
})

// What follows depends on the answers alone, so servers are written out.

type Answer = (channel: MessageChannel) => JsonObject | Promise<JsonObject>
interface Script {
  readonly discover?: Answer
  readonly initialize?: Answer
}

const refuse = (code: number, data?: JsonObject) => (): never => {
  throw new RpcError(code, 'No.', data)
}
const fail = (error: Error) => (): never => {
  throw error
}
const status = (code: number): Answer => fail(Object.assign(new Error(`HTTP ${code}`), { status: code }))
const end: Answer = async (channel) => {
  await channel.close()
  return silence()
}
const silence = (): Promise<JsonObject> => new Promise(() => {})
const unknown = refuse(RpcErrorCode.methodNotFound)
const serverInfo = { name: 's', version: '1' }
const capabilities = { tools: {} }
const modern = (): JsonObject => ({
  supportedVersions: ['2025-06-18', '2026-07-28'],
  capabilities,
  instructions: 'Be kind.',
  _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
})
const legacy = (): JsonObject => ({ protocolVersion: '2025-06-18', capabilities, serverInfo })

/** Each start has the next script, the last one again. An RpcError is an answer; others are the channel's, as over HTTP. */
async function greet(scripts: readonly Script[], options: Partial<NegotiateOptions> = {}) {
  const seen: string[] = []
  const sent: JsonObject[] = []
  let starts = 0
  const connect = async (): Promise<RpcPeer> => {
    const script = scripts[Math.min(starts++, scripts.length - 1)] ?? {}
    const channel: MessageChannel = {
      start: async () => {},
      close: async () => channel.onclose?.(),
      send: async (message) => {
        if (!('method' in message)) return
        const { method, params = {} } = message
        seen.push(method.replace(/^.*\//, ''))
        if (!('id' in message)) return
        sent.push(params)
        const { id } = message
        const answer = (method === 'initialize' ? script.initialize : script.discover) ?? unknown
        try {
          channel.onmessage?.({ jsonrpc: '2.0', id, result: await answer(channel) })
        } catch (error) {
          if (!(error instanceof RpcError)) throw error
          channel.onmessage?.({ jsonrpc: '2.0', id, error: error.toWire() })
        }
      },
    }
    const peer = new RpcPeer(channel, { onRequest: unknown, onNotification: () => {} })
    await peer.start()
    return peer
  }
  const { signal } = new AbortController()
  const usual = { connect, client: modernClient, remembered: undefined, probeMs: 5, startMs: 60_000, signal }
  const done = await negotiate({ ...usual, ...options }).catch((error: unknown) => ({ error }))
  const { hello, isCertain, error } = { hello: undefined, isCertain: undefined, error: undefined, ...done }
  return { hello, isCertain, error, seen: seen.join(' '), sent, starts }
}

const LATE = { discover: silence, initialize: refuse(-32602) }

test.each<[string, readonly Script[], Partial<NegotiateOptions>, object]>([
  ['a modern server', [{ discover: modern }], {}, { era: 'modern', isCertain: true, seen: 'discover' }],
  [
    'one of other versions',
    [{ discover: () => ({ ...modern(), supportedVersions: ['2031-01-01'] }), initialize: legacy }],
    {},
    { era: 'legacy', isCertain: true, seen: 'discover initialize initialized' },
  ],
  ['one that knows no probe', [{ initialize: legacy }], {}, { era: 'legacy', isCertain: true }],
  [
    'one whose address is not there for it',
    [{ discover: status(404), initialize: legacy }],
    {},
    { era: 'legacy', isCertain: true },
  ],
  [
    'one that ends with the probe',
    [{ discover: end }, { initialize: legacy }],
    {},
    { era: 'legacy', isCertain: false, starts: 2 },
  ],
  [
    'one that never answers it',
    [{ discover: silence, initialize: legacy }],
    {},
    { era: 'legacy', isCertain: false, starts: 1 },
  ],
  [
    'one that refuses a version which it knows',
    [{ discover: refuse(RpcErrorCode.unsupportedProtocolVersion, { supported: ['2026-07-28'] }) }],
    {},
    { error: RpcErrorCode.methodNotFound, seen: 'discover discover initialize' },
  ],
  [
    'one that names the version in another error',
    [{ discover: refuse(-32602, { supported: ['2026-07-28'] }), initialize: legacy }],
    {},
    { era: 'legacy', seen: 'discover initialize initialized' },
  ],
  [
    'one that asks for a sign-in',
    [{ discover: fail(new SluiceError('SIGN_IN_NEEDED', 'Sign in.')) }],
    {},
    { error: 'SIGN_IN_NEEDED', seen: 'discover' },
  ],
  [
    'one that is given up',
    [{ discover: fail(new Error('gone')), initialize: legacy }],
    { signal: AbortSignal.abort() },
    { error: 'gone', seen: 'discover' },
  ],
  [
    'one that never answers anything',
    [{ discover: silence, initialize: silence }],
    { startMs: 20 },
    { error: RpcErrorCode.requestTimeout, seen: 'discover initialize cancelled' },
  ],
  ['one that refuses both', [LATE], { startMs: 20 }, { error: -32602, seen: 'discover initialize discover' }],
  [
    'one that refuses with certainty',
    [{ discover: unknown, initialize: refuse(-32602) }],
    {},
    { error: -32602, seen: 'discover initialize' },
  ],
  [
    'a modern one that a legacy client greets, over HTTP',
    [{ discover: modern, initialize: status(400) }],
    { client: legacyClient },
    { era: 'modern', isCertain: true, seen: 'initialize discover' },
  ],
  [
    'one that fails',
    [{ discover: modern, initialize: status(500) }],
    { client: legacyClient },
    { error: 'HTTP 500', seen: 'initialize' },
  ],
  [
    'a legacy client’s that refuses both',
    [{ initialize: refuse(-32602) }],
    { client: legacyClient },
    { error: -32602, seen: 'initialize discover' },
  ],
])('%s', async (_, scripts, options, expected) => {
  const { error, hello, ...rest } = await greet(scripts, options)
  const code = error instanceof Error && 'code' in error ? error.code : (error as Error | undefined)?.message
  expect({ ...rest, ...(hello ? { era: hello.era } : {}), ...(code ? { error: code } : {}) }).toMatchObject(
    expected,
  )
})

test('a slow server stays as it is greeted where a second start would take too long', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const greetSlow = async (ms: number) => {
    const after = (answer: Answer): Answer => {
      return async (channel) => {
        await new Promise((resolve) => setTimeout(resolve, ms))
        return answer(channel)
      }
    }
    const script = { discover: after(modern), initialize: after(legacy) }
    const greeted = greet([script], { probeMs: 100, startMs: 11_000 })
    await vi.advanceTimersByTimeAsync(20_000)
    return greeted
  }
  expect(await greetSlow(5300)).toMatchObject({ hello: { era: 'modern' }, starts: 2 })
  expect(await greetSlow(5500)).toMatchObject({ hello: { era: 'legacy' }, starts: 1 })
})

test('what a server says of itself is passed on, or a placeholder for what is none', async () => {
  const { hello, sent } = await greet([{ discover: modern }])
  expect(hello).toMatchObject({
    protocolVersion: '2026-07-28',
    capabilities,
    serverInfo,
    instructions: 'Be kind.',
    raw: modern(),
  })
  expect(sent).toEqual([
    {
      _meta: expect.objectContaining({
        'io.modelcontextprotocol/clientInfo': modernClient.clientInfo,
      }) as unknown,
    },
  ])
  const odd = {
    protocolVersion: '2025-06-18',
    capabilities: 'all',
    serverInfo: { name: 's' },
    instructions: 5,
  }
  const { hello: placeholder } = await greet([{ initialize: () => odd }])
  expect(placeholder).toEqual({
    era: 'legacy',
    protocolVersion: '2025-06-18',
    capabilities: {},
    serverInfo: { name: 'unknown', version: '' },
    raw: odd,
  })
})

test('a client of the era greets as itself, another in the latest version of that era', async () => {
  const { era: _, ...own } = legacyClient
  expect((await greet([{ initialize: legacy }], { client: legacyClient })).sent).toEqual([own])
  const { clientInfo, capabilities: able } = modernClient
  expect((await greet([{ initialize: legacy }], { remembered: 'legacy' })).sent).toEqual([
    { protocolVersion: '2025-11-25', capabilities: able, clientInfo },
  ])
})

test('a second start that is no longer modern is greeted the old way, for now', async () => {
  const late = Promise.withResolvers<JsonObject>()
  const slow: Script = {
    discover: () => late.promise,
    initialize: () => {
      late.resolve(modern())
      return legacy()
    },
  }
  expect(await greet([slow, { initialize: legacy }])).toMatchObject({
    hello: { era: 'legacy' },
    isCertain: false,
    starts: 2,
    seen: 'discover initialize initialized discover initialize initialized',
  })
})
