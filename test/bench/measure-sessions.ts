/**
 * `node test/bench/measure-sessions.ts [CLIENTS] [SERVERS]`: processes, memory and time to the lists when each client
 * lists everything and uses three servers, each with its own processes as AI apps start them, and through Sluice. Public
 * servers, repeated under other names. Needs `npm run build`; Linux only.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { writeConfig } from '../helpers/data-folder.ts'
import { backgroundEngineOf, descendantsOf } from '../helpers/process-tree.ts'
import { programOf } from '../helpers/program-of.ts'
import { RawClient } from '../helpers/raw-client.ts'
import { CLI } from '../helpers/run-cli.ts'
import { processFigures } from './process-figures.ts'

const [clients = 4, servers = 12] = process.argv.slice(2).map(Number)
const folder = mkdtempSync(join(tmpdir(), 'sluice-sessions-'))
const PUBLIC = [
  {
    pkg: '@modelcontextprotocol/server-everything',
    bin: 'mcp-server-everything',
    tool: 'echo',
    args: { message: 'x' },
  },
  {
    pkg: '@modelcontextprotocol/server-filesystem',
    bin: 'mcp-server-filesystem',
    tool: 'list_allowed_directories',
    args: {},
  },
  { pkg: '@modelcontextprotocol/server-memory', bin: 'mcp-server-memory', tool: 'read_graph', args: {} },
]
const launches = Array.from({ length: servers }, (_, at) => {
  const { pkg, bin, tool, args } = PUBLIC[at % PUBLIC.length] as (typeof PUBLIC)[number]
  return {
    id: `s${at}`,
    use: { name: tool, arguments: args },
    settings: {
      command: process.execPath,
      args: [programOf(pkg, bin), ...(bin.endsWith('filesystem') ? [folder] : [])],
    },
  }
})
/** Without Sluice; more would not fit into memory. */
const MOST_DIRECT = 150
const USED = launches.slice(0, 3)

interface Figures {
  readonly processes: number
  readonly pss: number
  /** From the start of a client to its lists, ms, by client. */
  readonly lists: readonly number[]
  readonly firstCalls: readonly number[]
}

async function introduce(client: RawClient): Promise<void> {
  await client.initialize()
  await client.request('tools/list')
}

const memoryOf = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + processFigures(pid).pss, 0)
const since = (began: number): number => Math.round(performance.now() - began)

/** As AI apps do: every client starts every server. */
async function direct(): Promise<Figures> {
  const open: RawClient[] = []
  const [lists, firstCalls]: [number[], number[]] = [[], []]
  for (let client = 0; client < clients; client++) {
    const began = performance.now()
    const own = launches.map(({ settings }) => new RawClient(settings))
    open.push(...own)
    await Promise.all(own.map(introduce))
    lists.push(since(began))
    for (const [at, { use }] of USED.entries()) {
      const from = performance.now()
      await own[at]?.request('tools/call', use)
      firstCalls.push(since(from))
    }
  }
  const pids = open.flatMap(({ pid }) => [pid, ...descendantsOf(pid)])
  const figures = { processes: pids.length, pss: memoryOf(pids), lists, firstCalls }
  await Promise.all(open.map((client) => client.end()))
  return figures
}

const connect = (dataDir: string): RawClient =>
  new RawClient({
    command: process.execPath,
    args: [CLI, 'connect', '--data-dir', dataDir, '--client', 'bench'],
  })

async function throughSluice(): Promise<Figures> {
  const dataDir = writeConfig(
    join(folder, 'data'),
    Object.fromEntries(launches.map(({ id, settings }) => [id, settings])),
    { approvals: { firstSight: 'trust' } },
  )
  // Earlier sessions, of which Sluice knows what each server offers.
  for (let earlier = 0; earlier < 3; earlier++) {
    const client = connect(dataDir)
    await introduce(client)
    await wait(1_000)
    await client.end()
  }
  const open: RawClient[] = []
  const [lists, firstCalls]: [number[], number[]] = [[], []]
  for (let client = 0; client < clients; client++) {
    const began = performance.now()
    const own = connect(dataDir)
    open.push(own)
    await introduce(own)
    lists.push(since(began))
    for (const { id, use } of USED) {
      const from = performance.now()
      await own.request('tools/call', { ...use, name: `${id}__${use.name}` })
      firstCalls.push(since(from))
    }
  }
  const engine = backgroundEngineOf(dataDir) ?? -1
  const pids = [...open.map(({ pid }) => pid), engine, ...descendantsOf(engine)]
  const figures = { processes: pids.length, pss: memoryOf(pids), lists, firstCalls }
  await Promise.all(open.map((client) => client.end()))
  return figures
}

const say = (name: string, { processes, pss, lists, firstCalls }: Figures): void =>
  console.log(
    `${name}: ${processes} processes, ${Math.round(pss)} MB; lists after ${lists.join(', ')} ms; first calls ${firstCalls.join(', ')} ms`,
  )

try {
  console.log(`${clients} clients, ${servers} servers, each client lists everything and uses three.`)
  if (clients * servers > MOST_DIRECT)
    console.log(`each client its own: ${clients * servers} processes, not started here`)
  else say('each client its own', await direct())
  say('through Sluice', await throughSluice())
} finally {
  await wait(8_000)
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
