import { spawn, spawnSync } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { text as textOfStream } from 'node:stream/consumers'
import * as fc from '../helpers/properties.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answerVerbatim, VERBATIM_ITEMS } from '../fixtures/servers/answer-verbatim.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { CLI } from '../helpers/run-cli.ts'
import { startEngine, type RunningEngine } from '../helpers/running-engine.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { testServer } from '../helpers/upstream.ts'

/*
 * Unshortened messages arrive as sent, in both directions and on every way in and out. Clients and servers here write
 * and read JSON as text, so that no digit is JavaScript's.
 */

let engine: RunningEngine
const fixture = (name: string): string => resolve(import.meta.dirname, '../fixtures', name)
const hasPython = spawnSync('python3', ['--version']).status === 0
if (!hasPython) process.stderr.write('exact-messages: python3 is missing, so its peers are not tried.\n')
const web: Record<'older' | 'events' | 'modern', Server | undefined> = {
  older: undefined,
  events: undefined,
  modern: undefined,
}
const stops: (() => void)[] = []

beforeAll(async () => {
  const whole = { compression: { strategy: 'off' as const } }
  const servers = {
    pipe: { ...testServer('verbatim'), ...whole },
    older: { url: await listen('older'), ...whole },
    events: { url: await listen('events'), ...whole },
    modern: { url: await listen('modern'), ...whole },
    kept: testServer('verbatim'),
    python: { command: 'python3', args: [fixture('servers/numbers.py')] },
  }
  engine = await startEngine(writeConfig(join(temporaryFolder(afterAll), 'joined'), servers))
})

afterAll(async () => {
  for (const stop of stops) stop()
  await engine.stop()
  for (const server of Object.values(web)) server?.closeAllConnections()
})

async function listen(kind: keyof typeof web): Promise<string> {
  const server = createServer((request, response) => {
    void textOfStream(request).then((body) => {
      const answer = request.method === 'POST' ? answerVerbatim(body, kind === 'modern') : undefined
      if (answer === undefined) return response.writeHead(request.method === 'POST' ? 202 : 405).end()
      const asEvents = kind === 'events'
      response.writeHead(200, { 'content-type': asEvents ? 'text/event-stream' : 'application/json' })
      return response.end(asEvents ? `event: message\ndata: ${answer}\n\n` : answer)
    })
  })
  web[kind] = server
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

/** As text. */
type Ask = (message: string) => Promise<string>

const INITIALIZE =
  '{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"exact","version":"1"}}'
const ENVELOPE =
  '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"exact","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}'

async function overStdio(args: readonly string[]): Promise<Ask> {
  const child = spawn(process.execPath, [CLI, 'connect', ...args], { stdio: ['pipe', 'pipe', 'ignore'] })
  stops.push(() => child.kill())
  const waiting: ((line: string) => void)[] = []
  let unfinished = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (unfinished + chunk).split('\n')
    unfinished = lines.pop() ?? ''
    // List changes may be announced; answers come in order.
    for (const line of lines) if (line.includes('"id":')) waiting.shift()?.(line)
  })
  const ask: Ask = (message) => {
    const answer = new Promise<string>((resolve) => waiting.push(resolve))
    child.stdin.write(`${message}\n`)
    return answer
  }
  await ask(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":${INITIALIZE}}`)
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
  return ask
}

const headers = (): Record<string, string> => ({
  authorization: `Bearer ${engine.token}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
})

/** Last data of an event stream, or the whole body. */
const dataOf = (body: string): string => [...body.matchAll(/^data: (.+)$/gm)].at(-1)?.[1] ?? body

async function overHttp(path: string): Promise<Ask> {
  const post = (body: string, more: Record<string, string> = {}): Promise<Response> =>
    fetch(`${engine.url}${path}`, { method: 'POST', headers: { ...headers(), ...more }, body })
  const opened = await post(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":${INITIALIZE}}`)
  await opened.text()
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
  await post('{"jsonrpc":"2.0","method":"notifications/initialized"}', session)
  return async (message) => dataOf(await (await post(message, session)).text())
}

const overModernHttp =
  (path: string): Ask =>
  async (message) => {
    const method = /"method":"([^"]+)"/.exec(message)?.[1] ?? ''
    const name = /"name":"([^"]+)"/.exec(message)?.[1]
    const more = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(name === undefined ? {} : { 'mcp-name': name }),
    }
    const body = message.replace('"params":{', `"params":{${ENVELOPE},`).replace(',}}', '}}')
    return dataOf(
      await (
        await fetch(`${engine.url}${path}`, { method: 'POST', headers: { ...headers(), ...more }, body })
      ).text(),
    )
  }

async function overSse(path: string): Promise<Ask> {
  const stream = await fetch(`${engine.url}${path}`, { headers: headers() })
  const reader = (stream.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader()
  stops.push(() => void reader.cancel())
  let unread = ''
  const next = async (): Promise<string> => {
    for (;;) {
      const event = /^event: (?:message|endpoint)\ndata: (.*)\n\n/m.exec(unread)
      if (event) {
        unread = unread.slice(event.index + event[0].length)
        if (event[1]?.startsWith('/') || event[1]?.includes('"id":')) return event[1]
      } else {
        const { value, done } = await reader.read()
        if (done) throw new Error('The stream ended.')
        unread += value
      }
    }
  }
  const address = `${engine.url}${await next()}`
  const ask: Ask = async (message) => {
    await fetch(address, { method: 'POST', headers: headers(), body: message })
    return next()
  }
  await ask(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":${INITIALIZE}}`)
  return ask
}

/** One session for all tests of a way: each starts a server, and most a connector. */
function once(open: () => Promise<Ask>): () => Promise<Ask> {
  let opened: Promise<Ask> | undefined
  return () => (opened ??= open())
}

const ways: readonly [string, string, () => Promise<Ask>][] = [
  ['connect, joined, one server', 'say', () => overStdio(['--server', 'pipe', '--data-dir', engine.dataDir])],
  ['connect, joined, all servers', 'pipe__say', () => overStdio(['--data-dir', engine.dataDir])],
  ['/mcp/pipe', 'say', () => overHttp('/mcp/pipe')],
  ['/mcp', 'pipe__say', () => overHttp('/mcp')],
  ['/mcp/pipe of 2026-07-28', 'say', async () => overModernHttp('/mcp/pipe')],
  ['/sse/pipe', 'say', () => overSse('/sse/pipe')],
  ['a server over HTTP, JSON', 'say', () => overHttp('/mcp/older')],
  ['a server over HTTP, events', 'say', () => overHttp('/mcp/events')],
  ['a server of 2026-07-28', 'say', async () => overModernHttp('/mcp/modern')],
]
const routes = ways.map(([name, tool, open]) => [name, tool, once(open)] as const)

const number = fc.oneof(
  fc.constantFrom(
    '9007199254740993',
    '-9007199254740993',
    '1234567890123456789',
    '12345678901234567890123',
    '1.0',
    '-0',
    '-0.0',
    '0.10',
    '1e400',
    '-1E+400',
    '1e-400',
    '1E5',
    '0.00000001',
    '3.141592653589793238462643383279',
    '7',
    '-2.5',
  ),
  fc.bigInt().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
)
const character = fc.oneof(
  fc.constantFrom(
    String.raw`\u00e9`,
    String.raw`\/`,
    String.raw`\u003C`,
    String.raw`\ud83d\ude00`,
    String.raw`\ud800`,
    String.raw`\n`,
    String.raw`\"`,
    String.raw`\\u0041`,
    '👋',
    'ß',
    ': 1.0,',
  ),
  fc.constantFrom('a', 'B', ' ', '7'),
)
const string = fc.array(character, { maxLength: 8 }).map((parts) => `"${parts.join('')}"`)
const key = fc.constantFrom('a', 'b', 'zeta', '2', '1', '10', '007', '__proto__', 'toJSON', 'x-y', 'ä')
const { value } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    number,
    string,
    fc.constantFrom('true', 'false', 'null'),
    fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    fc
      .uniqueArray(fc.tuple(key, tie('value')), { maxLength: 5, selector: ([name]) => name })
      .map((members) => `{${members.map(([name, item]) => `"${name}":${item}`).join(',')}}`),
  ),
}))

test.each(routes)('%s', async (_name, tool, open) => {
  const ask = await open()
  await fc.assert(
    fc.asyncProperty(value, async (json) => {
      const args = `{"say":${JSON.stringify(json)},"_sluice_goal":"any","it":${json},"list":[${json}]}`
      const answer = await ask(
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${tool}","arguments":${args}}}`,
      )
      const got = (JSON.parse(answer) as { result: { content: { text: string }[] } }).result.content[0]?.text
      expect(got).toContain(`"it":${json},"list":[${json}]}`)
      expect(got).not.toContain('_sluice_goal')
      expect(answer).toContain(`"zuletzt":${json},`)
      expect(answer).toContain(`"structuredContent":{"said":${json}}`)
      expect(answer).toContain(`{"type":"odd","value":${json}}`)
      expect(answer).toContain(`"example.org/said":${json}`)
    }),
    { numRuns: 40 },
  )
})

test.each(routes)(
  'errors are as they were sent, unknown members among them: %s',
  async (_name, tool, open) => {
    const ask = await open()
    for (const error of [
      '{"code":-31999,"message":"No.","why":"licence","data":{"n":1.0}}',
      '{"data":{"id":9007199254740993},"1":1.0,"message":"No. \\u00e9\\/","zz":null,"code":-31999,"a":{"2":1,"1":1.0}}',
      '{"message":"No.","code":-31999.0}',
    ]) {
      const args = JSON.stringify({ fail: error })
      // oxlint-disable-next-line no-await-in-loop -- one question after the other
      const answer = await ask(
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${tool}","arguments":${args}}}`,
      )
      expect(answer).toContain(`"error":${error}}`)
    }
  },
)

const lists = [
  ['tools/list', 'tools'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
  ['prompts/list', 'prompts'],
] as const

test.each(routes)('lists are as they were sent: %s', async (_name, tool, open) => {
  const ask = await open()
  for (const [method, field] of lists) {
    // With all servers only names and addresses differ: public ones.
    const shown =
      tool === 'say'
        ? VERBATIM_ITEMS[field]
        : VERBATIM_ITEMS[field]
            .replace('"name":"say"', '"name":"pipe__say"')
            .replace('"name":"p"', '"name":"pipe__p"')
            .replace('mem://', 'sluice:pipe:mem://')
    // oxlint-disable-next-line no-await-in-loop -- one question after the other
    const answer = await ask(`{"jsonrpc":"2.0","id":1,"method":"${method}","params":{}}`)
    expect(answer).toContain(shown)
  }
})

test('an id beyond what a double holds is answered with its own digits', async () => {
  for (const open of [routes[0], routes[3], routes[5], routes[6]]) {
    const ask = await open?.[2]()
    const list = (id: string): string => `{"jsonrpc":"2.0","id":${id},"method":"tools/list","params":{}}`
    expect(await ask?.(list('9007199254740993'))).toContain('"id":9007199254740993')
    expect(await ask?.(list('"text"'))).toContain('"id":"text"')
  }
})

test('a message of megabytes keeps its digits, too', async () => {
  const rows = Array.from(
    { length: 6_000 },
    (_, index) => `{"id":${9_007_199_254_740_993n + BigInt(index)},"n":1.0}`,
  )
  const json = `[${rows.join(',')}]`
  for (const open of [routes[0], routes[7], routes[8]]) {
    const ask = await open?.[2]()
    const args = `{"say":${JSON.stringify(json)}}`
    const answer = await ask?.(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say","arguments":${args}}}`,
    )
    expect(answer?.includes(`"structuredContent":{"said":${json}}`)).toBe(true)
  }
})

test('the kept original of a shortened result has the digits that came, and so has what is left of it', async () => {
  const ask = await overStdio(['--server', 'kept', '--data-dir', engine.dataDir])
  const rows = Array.from(
    { length: 900 },
    (_, index) => `{"id":${9_007_199_254_740_993n + BigInt(index)},"price":1.0}`,
  )
  const args = JSON.stringify({ say: `[${rows.join(',')}]` })
  const call = (name: string, params: string): Promise<string> =>
    ask(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${params}}}`)
  const shortened = await call('say', args)
  const id = /"id":"(r_\w+)"/.exec(shortened)?.[1] ?? ''
  expect(id).not.toBe('')
  for (const [, digits] of shortened.matchAll(/"id":(9\d{15})/g))
    expect(BigInt(digits ?? 0) >= 9_007_199_254_740_993n).toBe(true)
  expect(shortened).not.toMatch(/"id":9007199254740992\b/)
  const read = await call(
    'proxy_read',
    JSON.stringify({ id: `${id}/1`, unit: 'bytes', limit: 4000, max_tokens: 4000 }),
  )
  expect(read).toContain(
    String.raw`{\"id\":9007199254740993,\"price\":1.0},{\"id\":9007199254740994,\"price\":1.0}`,
  )
})

test.skipIf(!hasPython).each([
  [
    'connect',
    () => ['stdio', process.execPath, CLI, 'connect', '--server', 'python', '--data-dir', engine.dataDir],
  ],
  ['/mcp/python', () => ['http', `${engine.url}/mcp/python`, engine.token]],
])(
  'a client and a server in Python exchange numbers that no double holds, through %s',
  async (_name, argsOf) => {
    const child = spawn('python3', [fixture('numbers-client.py'), ...argsOf()], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    expect((await textOfStream(child.stdout)).trim().split('\n')).toEqual([
      'server: as sent',
      'client: as sent',
      'id: 9007199254740993',
    ])
  },
)
