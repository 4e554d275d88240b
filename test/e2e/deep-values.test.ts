import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ServerSettings } from '../../shared/settings.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { CLI } from '../helpers/run-cli.ts'
import { startEngine, type RunningEngine } from '../helpers/running-engine.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { testServer } from '../helpers/upstream.ts'

/*
 * JSON may be nested deeper than V8 writes it. Every such call is answered: with the unchanged value, or with an
 * error that names the depth.
 */

type Ask = (id: number, method: string, params: string) => Promise<string>

const DEPTHS = [100, 3000, 5000, 8000, 100_000]
const INITIALIZE =
  '{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"deep","version":"1"}}'

let engine: RunningEngine
const asks: Record<string, Ask> = {}
const stops: (() => void)[] = []
let last = 0

beforeAll(async () => {
  const folder = join(temporaryFolder(afterAll), 'data')
  const bare: Partial<ServerSettings> = {
    guard: { results: 'off', arguments: 'off', controlCharacters: 'keep' },
    compression: { strategy: 'off' },
  }
  const servers = { nesting: testServer('nesting'), bare: { ...testServer('nesting'), ...bare } }
  engine = await startEngine(writeConfig(folder, servers, { approvals: { firstSight: 'trust' } }))
  for (const server of ['nesting', 'bare']) {
    asks[`connect ${server}`] = await overStdio(server)
    asks[`/mcp/${server}`] = await overHttp(server)
    asks[`/mcp/${server} of 2026-07-28`] = overModernHttp(server)
  }
})

afterAll(async () => {
  for (const stop of stops) stop()
  await engine.stop()
})

async function overStdio(server: string): Promise<Ask> {
  const child = spawn(
    process.execPath,
    [CLI, 'connect', '--data-dir', engine.dataDir, '--server', server, '--client', 'deep'],
    { stdio: ['pipe', 'pipe', 'ignore'] },
  )
  stops.push(() => child.kill())
  const waiting = new Map<string, (line: string) => void>()
  let unfinished = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (unfinished + chunk).split('\n')
    unfinished = lines.pop() ?? ''
    for (const line of lines) {
      const id = /"id":(\d+)/.exec(line.slice(0, 60))?.[1] ?? /"id":(\d+)/.exec(line.slice(-60))?.[1]
      if (id !== undefined) waiting.get(id)?.(line)
    }
  })
  const ask: Ask = (id, method, params) => {
    const answer = new Promise<string>((resolve) => waiting.set(String(id), resolve))
    child.stdin.write(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}\n`)
    return answer
  }
  await ask(0, 'initialize', INITIALIZE)
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
  return ask
}

const overModernHttp =
  (server: string): Ask =>
  async (id, method, params) => {
    const meta = `{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"deep","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
    const response = await fetch(`${engine.url}/mcp/${server}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${engine.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        'mcp-name': /"name":"([^"]+)"/.exec(params)?.[1] ?? '',
      },
      body: `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params.replace('{', `{"_meta":${meta},`)}}`,
    })
    return response.text()
  }

async function overHttp(server: string): Promise<Ask> {
  const post = (body: string, more: Record<string, string> = {}): Promise<Response> =>
    fetch(`${engine.url}/mcp/${server}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${engine.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...more,
      },
      body,
    })
  const opened = await post(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":${INITIALIZE}}`)
  await opened.text()
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
  await post('{"jsonrpc":"2.0","method":"notifications/initialized"}', session)
  return async (id, method, params) => {
    const body = await (
      await post(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`, session)
    ).text()
    return [...body.matchAll(/^data: (.+)$/gm)].at(-1)?.[1] ?? body
  }
}

/** One server with all layers and one without, where the depth shows only on writing the answer. */
const ROUTES = ['nesting', 'bare'].flatMap((server) => [
  `connect ${server}`,
  `/mcp/${server}`,
  `/mcp/${server} of 2026-07-28`,
])
const call = async (route: string, tool: string, args: string): Promise<string> =>
  (await asks[route]?.(++last, 'tools/call', `{"name":"${tool}","arguments":${args}}`)) ?? ''
/** Without JSON escapes. */
const wordsOf = (answer: string): string => answer.replaceAll('\\"', '"')

test.each(ROUTES)('results of every depth are answered: %s', async (route) => {
  for (const kind of ['objects', 'lists']) {
    for (const depth of kind === 'lists' ? [1000, 20_000] : DEPTHS) {
      const answer = await call(route, 'nest', `{"depth":${depth},"kind":"${kind}"}`)
      if (depth <= 3000)
        expect(answer).toContain(kind === 'lists' ? '[['.repeat(depth / 2 - 1) : '{"a":'.repeat(depth))
      else if (!answer.includes('"structuredContent"'))
        expect(wordsOf(answer)).toMatch(
          new RegExp(`The result of the tool "nest" of server "\\w+" is nested ${depth + 1} levels deep`),
        )
    }
  }
  expect(await call(route, 'take', '{}')).toContain('taken')
})

test.each(ROUTES)('a text that holds a deep document passes: %s', async (route) => {
  for (const depth of [100, 5000, 20_000])
    expect(await call(route, 'nest', `{"depth":${depth},"kind":"text"}`)).toContain('"result"')
})

test.each(ROUTES)('arguments of every depth are answered: %s', async (route) => {
  for (const depth of DEPTHS) {
    const answer = await call(route, 'take', `{"x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`)
    if (depth <= 3000) expect(answer).toContain('taken')
    else if (!answer.includes('taken'))
      expect(wordsOf(answer)).toMatch(
        new RegExp(`The arguments for the tool "take" of server "\\w+" are nested ${depth} levels deep`),
      )
  }
})

test.each(ROUTES)('deep arguments beside a long text are answered: %s', async (route) => {
  const depth = 20_000
  const answer = await call(
    route,
    'take',
    `{"text":"${'long '.repeat(300_000)}","x":${'['.repeat(depth)}${']'.repeat(depth)}}`,
  )
  expect(answer).toMatch(/nested|taken/)
})
