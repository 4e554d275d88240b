/**
 * `npm run demo`: the engine on its own folder, two official servers on this repository, real calls through an MCP
 * client, and reading shortened results back. Takes seconds, needs no network, leaves nothing behind.
 */
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { formatNumber, formatTable } from '../../electron/cli/format-table.ts'
import { countTokens } from '../../electron/engine/text/tokens/count-tokens.ts'
import type { ServerSettings } from '../../shared/settings.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { processesWith } from '../helpers/process-tree.ts'
import { runCli } from '../helpers/run-cli.ts'
import { startEngine } from '../helpers/running-engine.ts'
import { demoCalls } from './demo-calls.ts'
import type { DemoCall } from './demo-calls.ts'

const CALLS_FOR_THE_LOG = 60
const root = resolve(import.meta.dirname, '../..')
const say = (text = ''): void => console.log(text)

interface Called {
  readonly call: DemoCall
  readonly before: number
  readonly after: number
  readonly strategy: string
  readonly ms: number
  readonly id: string | undefined
}

async function main(): Promise<void> {
  const started = performance.now()
  const folder = mkdtempSync(join(tmpdir(), 'sluice-demo-'))
  const dataDir = join(folder, 'data')
  const logFile = join(dataDir, 'logs', 'sluice.log')
  writeConfig(
    dataDir,
    {
      files: official('server-filesystem', root, dataDir),
      everything: official('server-everything', 'stdio'),
    },
    { logLevel: 'debug' },
  )
  const engine = await startEngine(dataDir)
  try {
    const client = new Client({ name: 'demo', version: '1' })
    await client.connect(
      new StreamableHTTPClientTransport(new URL('/mcp', engine.url), {
        requestInit: { headers: { Authorization: `Bearer ${engine.token}` } },
      }),
    )
    const { tools } = await client.listTools()
    say(
      `Sluice serves ${tools.length} tools of 2 servers and its own at ${engine.url}/mcp. Calling some on ${root}\n`,
    )
    // Creates a log to read: the engine's own lines about these calls.
    for (let n = 1; n <= CALLS_FOR_THE_LOG; n++) {
      await client.callTool({ name: 'everything__get-sum', arguments: { a: n, b: n * n } })
    }
    const called: Called[] = []
    for (const call of demoCalls(root, logFile)) called.push(await timed(client, call))
    say(table(called))
    say(
      `\nClients show the model a result's text or its structured content. Where it has both, each is within the budget, and both are counted here. A call that repeats another, as those with a goal do, gets twice the room.`,
    )
    await fetchBack(client, called)
    await client.close()
    await sayNet(dataDir)
  } finally {
    const code = await engine.stop()
    rmSync(folder, { recursive: true, force: true })
    const left = processesWith(folder)
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    say(
      left.length === 0
        ? `The engine has ended with code ${code}, its servers and its folder are gone. ${seconds} s in all.`
        : `Still running, and they should not be: ${left.join(', ')}`,
    )
    if (left.length > 0) process.exitCode = 1
  }
}

/** An official server's entry file, started by path. */
function official(name: string, ...args: string[]): ServerSettings {
  const manifest = createRequire(import.meta.url).resolve(`@modelcontextprotocol/${name}/package.json`)
  return { command: process.execPath, args: [join(dirname(manifest), 'dist/index.js'), ...args] }
}

async function timed(client: Client, call: DemoCall): Promise<Called> {
  const from = performance.now()
  const result = await client.callTool({ name: call.tool, arguments: { ...call.args } })
  const ms = performance.now() - from
  const text = textOf(result)
  if (result.isError === true) throw new Error(`${call.tool} failed: ${text}`)
  const mark = result._meta?.['sluice/result'] as
    | { id: string; strategy: string; tokensBefore: number; tokensAfter: number }
    | undefined
  const tokens = countTokens(text)
  return mark
    ? { call, before: mark.tokensBefore, after: mark.tokensAfter, strategy: mark.strategy, ms, id: mark.id }
    : { call, before: tokens, after: tokens, strategy: 'passed', ms, id: undefined }
}

const textOf = (result: object): string =>
  (result as { content: { text?: string }[] }).content.map(({ text }) => text ?? '').join('\n')

const table = (called: readonly Called[]): string =>
  formatTable<Omit<Called, 'id'>>(
    [...called, sumOf(called)],
    [
      { title: 'what', value: ({ call }) => call.what },
      { title: 'tool', value: ({ call }) => call.tool },
      { title: 'tokens before', value: ({ before }) => before, right: true },
      { title: '→ after', value: ({ after }) => after, right: true },
      { title: 'saved', value: ({ before, after }) => share(before - after, before), right: true },
      { title: 'strategy', value: ({ strategy }) => strategy },
      { title: 'ms', value: ({ ms }) => Math.round(ms), right: true },
    ],
  )

function sumOf(called: readonly Called[]): Omit<Called, 'id'> {
  const sum = (figure: (one: Called) => number): number => called.reduce((all, one) => all + figure(one), 0)
  return {
    call: { what: 'all of it', tool: '', args: {} },
    before: sum(({ before }) => before),
    after: sum(({ after }) => after),
    strategy: '',
    ms: sum(({ ms }) => ms),
  }
}

const share = (part: number, whole: number): string =>
  part > 0 ? `${((100 * part) / whole).toFixed(1)} %` : '–'

/** Nothing is lost: one detail computed over the kept original, and a whole original page by page. */
async function fetchBack(client: Client, called: readonly Called[]): Promise<void> {
  const path = join(root, 'package-lock.json')
  const id = called.find(({ call }) => call.args['path'] === path)?.id
  if (id === undefined) throw new Error('The lock file was not shortened.')
  const code = "data.packages['node_modules/zod'].integrity"
  const found = textOf(await client.callTool({ name: 'proxy_run', arguments: { id, code } }))
  const lock = JSON.parse(readFileSync(path, 'utf8')) as { packages: Record<string, { integrity?: string }> }
  const expected = lock.packages['node_modules/zod']?.integrity ?? ''
  if (!found.includes(expected)) throw new Error(`proxy_run gave ${found}, the file has ${expected}`)
  say(`\nA detail that is not in the short form of the lock file, fetched back with proxy_run from ${id}:`)
  say(`  ${code} = ${expected}: equal to the file's`)

  const { sha256, pages } = await readAll(client, id)
  const original = createHash('sha256').update(readFileSync(path)).digest('hex')
  if (sha256 !== original) throw new Error(`The pages have SHA-256 ${sha256}, the file has ${original}.`)
  say(`All of it, ${pages} pages of proxy_read put together: SHA-256 ${sha256.slice(0, 16)}… is the file's.`)
}

async function readAll(client: Client, id: string): Promise<{ sha256: string; pages: number }> {
  const hash = createHash('sha256')
  let next: Record<string, unknown> | undefined = { id, unit: 'lines', max_tokens: 20_000 }
  let pages = 0
  for (; next; pages++) {
    const result = await client.callTool({ name: 'proxy_read', arguments: next })
    const [page, note] = (result.content as { text: string }[]).map(({ text }) => text)
    hash.update(page ?? '')
    const goOn = /Go on: proxy_read (\{.*\})\]/.exec(note ?? '')?.[1]
    next = goOn === undefined ? undefined : (JSON.parse(goOn) as Record<string, unknown>)
  }
  return { sha256: hash.digest('hex'), pages }
}

/** From the ledger, like `sluice stats`: includes Sluice's own cost and what was fetched back above. */
async function sayNet(dataDir: string): Promise<void> {
  const { stdout } = await runCli(['stats', '--json', '--data-dir', dataDir])
  const { totals } = (JSON.parse(stdout) as { today: { totals: Record<string, number> } }).today
  const figure = (name: string): string => formatNumber(totals[name] ?? 0)
  say(
    `\nNet, as "sluice stats" has it: ${figure('before')} tokens came, ${figure('after')} went on, ` +
      `${figure('added')} were added by Sluice's own tools, ${figure('fetched')} were fetched back just now: ` +
      `${figure('net')} saved (${share(totals['net'] ?? 0, totals['before'] ?? 1)}).\n`,
  )
}

await main()
