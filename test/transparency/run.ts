/**
 * `node test/transparency/run.ts [--details] [WORD…]`: servers from npm directly and through Sluice, over stdio and
 * HTTP, with clients of both SDK generations. Prints a table of every request whose answer differs, as in
 * docs/transparency.md; only packages whose name contains one of the words. Missing packages are installed into a
 * temporary folder.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from '@modelcontextprotocol/client'
import { StdioClientTransport as NewStdio } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { isJsonObject, type JsonObject } from '../../electron/engine/protocol/json-rpc.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { NPM_SERVERS, type NpmServer } from '../helpers/npm-servers.ts'
import { findProgram } from '../helpers/program-of.ts'
import { CLI } from '../helpers/run-cli.ts'
import { startEngine } from '../helpers/running-engine.ts'
import { MORE_SERVERS } from './more-servers.ts'

const { values, positionals } = parseArgs({
  options: { details: { type: 'boolean', default: false }, packages: { type: 'string' } },
  allowPositionals: true,
})
/** Start a browser, or look for a cluster, at their first call. */
const NOT_CALLED = ['playwright', 'chrome-devtools', 'kubernetes']
const LOCAL = ['server-everything', 'server-memory', 'sequential-thinking']
const ANSWER_MS = 20_000

const wanted = [...NPM_SERVERS, ...MORE_SERVERS].filter(
  (server) => positionals.length === 0 || positionals.some((word) => server.package.includes(word)),
)
const folder = mkdtempSync(join(tmpdir(), 'sluice-transparency-'))
const packages = values.packages ?? join(folder, 'packages')
const missing = wanted.filter((server) => findProgram(server.package, server.program) === undefined)
if (values.packages === undefined && missing.length > 0) {
  mkdirSync(packages)
  const names = missing.map((server) => `${server.package}@${server.version}`)
  execFileSync('npm', [
    'install',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--prefix',
    packages,
    ...names,
  ])
}

function programOf({ package: name, program }: NpmServer): string {
  const installed = findProgram(name, program)
  if (installed !== undefined) return installed
  const place = join(packages, 'node_modules', name)
  const { bin } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as {
    bin: string | Record<string, string>
  }
  return join(place, typeof bin === 'string' ? bin : (bin[program] ?? ''))
}

/** Common parts of an SDK's client and its transport. */
interface Connected {
  /** The result or error as text. */
  readonly ask: (method: string, params: JsonObject) => Promise<string>
  readonly hello: string
  readonly close: () => Promise<void>
}

interface Wire {
  send(message: object): Promise<void>
  onmessage?: ((message: never, extra?: never) => void) | undefined
}

interface Sdk {
  connect(transport: unknown): Promise<void>
  close(): Promise<void>
  getServerVersion(): unknown
  getServerCapabilities(): unknown
  getInstructions(): unknown
}

async function connected(client: Sdk, wire: Wire): Promise<Connected> {
  await client.connect(wire)
  const waiting = new Map<unknown, (message: JsonObject) => void>()
  const deliver = wire.onmessage
  wire.onmessage = (message: never, extra?: never) => {
    const { id } = message as { id?: unknown }
    const waiter = waiting.get(id)
    if (waiter) waiter(message)
    else deliver?.(message, extra)
  }
  let count = 0
  const ask: Connected['ask'] = async (method, params) => {
    const id = `own-${++count}`
    const { promise, resolve } = Promise.withResolvers<JsonObject>()
    waiting.set(id, resolve)
    const timer = setTimeout(() => resolve({ error: 'no answer' }), ANSWER_MS)
    await wire.send({ jsonrpc: '2.0', id, method, params })
    const { result, error } = await promise
    clearTimeout(timer)
    return withoutChance(JSON.stringify(result ?? { error }))
  }
  const hello = JSON.stringify([
    client.getServerVersion(),
    client.getServerCapabilities(),
    client.getInstructions(),
  ])
  return { ask, hello, close: () => client.close() }
}

/** The resource time that server-everything generates per call. */
const withoutChance = (answer: string): string =>
  answer.replaceAll(/(resource created at )\d{1,2}:\d\d:\d\d [AP]M/g, '$1(now)')

const info = { name: 'transparency', version: '1.0.0' }
const generations = {
  'SDK v1': {
    client: () => new OldClient(info, { capabilities: {} }) as unknown as Sdk,
    stdio: (launch: Launch) => new OldStdio(launch) as unknown as Wire,
    http: (url: URL, headers: Record<string, string>) =>
      new OldHttp(url, { requestInit: { headers } }) as unknown as Wire,
  },
  'SDK v2': {
    client: () => new NewClient(info, { capabilities: {} }) as unknown as Sdk,
    stdio: (launch: Launch) => new NewStdio(launch) as unknown as Wire,
    http: (url: URL, headers: Record<string, string>) =>
      new NewHttp(url, { requestInit: { headers } }) as unknown as Wire,
  },
}

interface Launch {
  command: string
  args: string[]
  env: Record<string, string>
  cwd: string
  stderr: 'ignore'
}

/** All requests to a server and its answers, in order. */
async function transcript(server: NpmServer, { ask, hello, close }: Connected): Promise<Map<string, string>> {
  const said = new Map([['initialize', hello]])
  const note = async (name: string, method: string, params: JsonObject = {}): Promise<string> => {
    const answer = await ask(method, params)
    said.set(name, answer)
    return answer
  }
  try {
    await note('ping', 'ping')
    const tools = toolsIn(await note('tools/list', 'tools/list'))
    await note('prompts/list', 'prompts/list')
    await note('resources/list', 'resources/list')
    await note('resources/templates/list', 'resources/templates/list')
    await note('an unknown method', 'example.org/unknown')
    await note('an unknown tool', 'tools/call', { name: 'no-such-tool', arguments: {} })
    await note('tools/call without a name', 'tools/call', { arguments: {} })
    await note('an unknown prompt', 'prompts/get', { name: 'no-such-prompt' })
    await note('an unknown resource', 'resources/read', { uri: 'no-such://resource' })
    await note('completion/complete', 'completion/complete', {
      ref: { type: 'ref/prompt', name: 'no-such-prompt' },
      argument: { name: 'a', value: '' },
    })
    if (NOT_CALLED.some((word) => server.package.includes(word))) return said
    const isLocal = LOCAL.some((word) => server.package.includes(word))
    // Without their requirements, tools say so; those without requirements may use the network.
    const called = tools.filter(
      ({ needs, name }) => (needs || isLocal) && !/env|sampling|research|toggle/.test(name),
    )
    for (const { name } of called.slice(0, 12))
      await note(`${name} without arguments`, 'tools/call', { name, arguments: {} })
    return said
  } finally {
    await close()
  }
}

function toolsIn(answer: string): { name: string; needs: boolean }[] {
  const { tools } = JSON.parse(answer) as { tools?: unknown }
  return (Array.isArray(tools) ? tools.filter(isJsonObject) : []).map(({ name, inputSchema }) => {
    const required = isJsonObject(inputSchema) ? inputSchema['required'] : undefined
    return { name: String(name), needs: Array.isArray(required) && required.length > 0 }
  })
}

/** As in clients and the table: for a package just called "mcp", its maker. */
const idOf = (server: NpmServer): string =>
  server.package
    .replace(/^@modelcontextprotocol\//, '')
    .replaceAll(/[^\w-]+/g, '-')
    .replace(/^-/, '')
const launchOf = (server: NpmServer): Launch => ({
  command: process.execPath,
  args: [programOf(server), ...(server.args ?? [])],
  env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...server.env },
  cwd: folder,
  stderr: 'ignore',
})

const dataDir = writeConfig(
  join(folder, 'data'),
  Object.fromEntries(
    wanted.map((server) => {
      const { command, args, env, cwd } = launchOf(server)
      return [idOf(server), { command, args, env, cwd }]
    }),
  ),
)
const engine = await startEngine(dataDir)
const differing: string[] = []
let asked = 0
try {
  for (const server of wanted)
    for (const [generation, make] of Object.entries(generations)) {
      const id = idOf(server)
      const { env, cwd } = launchOf(server)
      const through = [CLI, 'connect', '--server', id, '--data-dir', dataDir]
      const headers = { Authorization: `Bearer ${engine.token}` }
      const ways: Record<string, () => Wire> = {
        direct: () => make.stdio(launchOf(server)),
        stdio: () => make.stdio({ command: process.execPath, args: through, env, cwd, stderr: 'ignore' }),
        http: () => make.http(new URL(`/mcp/${id}`, engine.url), headers),
      }
      const said: Record<string, Map<string, string>> = {}
      for (const [way, open] of Object.entries(ways)) {
        try {
          said[way] = await transcript(server, await connected(make.client(), open()))
        } catch (error) {
          said[way] = new Map([['initialize', `failed: ${String(error)}`]])
        }
      }
      for (const [request, direct] of said['direct'] ?? [])
        for (const way of ['stdio', 'http']) {
          asked++
          const other = said[way]?.get(request) ?? 'not asked'
          if (other === direct) continue
          differing.push(`| ${id} | ${request} | ${generation} | ${way} |`)
          if (values.details)
            console.log(
              `${differing.at(-1)}\n  direct:  ${direct.slice(0, 600)}\n  through: ${other.slice(0, 600)}`,
            )
        }
      console.error(
        `${id}, ${generation}: ${said['direct']?.size ?? 0} requests, ${differing.length} differ so far`,
      )
    }
} finally {
  await engine.stop()
  rmSync(folder, { recursive: true, force: true })
}
console.log(`${wanted.length} servers, ${asked} answers compared, ${differing.length} differ\n`)
console.log('| server | request | client | way |\n|---|---|---|---|')
for (const line of differing) console.log(line)
