/**
 * `node test/bench/measure-ledger.ts [--calls 1000000] [--results 100000] [--turns]`: starts on a large ledger,
 * and echo times during each report, while a result is kept, and while another process holds the write lock. Figures,
 * no verdicts.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Client, type Transport } from '@modelcontextprotocol/client'
import { serveChannel } from '../../electron/engine/clients/transports/serve-channel.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { linkedChannels } from '../helpers/linked-channels.ts'
import { startTestEngine } from '../helpers/test-engine.ts'
import { testServer } from '../helpers/upstream.ts'
import { writeLargeLedger, writeTurns } from './large-ledger.ts'
import { quantile } from './quantile.ts'

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '1000000' },
    results: { type: 'string', default: '100000' },
    turns: { type: 'boolean', default: false },
  },
})
const folder = mkdtempSync(join(tmpdir(), 'sluice-ledger-'))
const dataDir = writeConfig(join(folder, 'data'), { s: testServer('big-result') }, {})

const timed = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
  const started = performance.now()
  const result = await work()
  console.log(`${what}: ${Math.round(performance.now() - started)} ms`)
  return result
}

writeLargeLedger(dataDir, { calls: Number(values.calls), results: Number(values.results) })
console.log(`sluice.db: ${Math.round(statSync(join(dataDir, 'sluice.db')).size / 1e6)} MB`)
const old = await timed('first start, with its migration', () => startTestEngine(dataDir))
await old.close()
if (values.turns) writeTurns(dataDir)
const { engine, logger, close } = await timed('start', () => startTestEngine(dataDir))
const [near, far] = linkedChannels()
await serveChannel(far, {
  scope: { kind: 'server', serverId: 's' },
  client: {},
  openSession: engine.openSession,
  logger,
})
const client = new Client({ name: 'client-1', version: '1' }, { capabilities: {} })
await client.connect(near as Transport)
const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args })

/** Echoes every 5 ms during the work. */
async function besides(what: string, work: () => Promise<unknown>): Promise<void> {
  const ended = new AbortController()
  const started = performance.now()
  const done = work().finally(() => ended.abort())
  const times: number[] = []
  while (!ended.signal.aborted) {
    const sent = performance.now()
    await call('echo', { text: 'x' })
    times.push(performance.now() - sent)
    await wait(5)
  }
  await done
  const took = Math.round(performance.now() - started)
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)].map((time) => time.toFixed(1))
  console.log(
    `${what}: ${took} ms; echo p50 ${p50}, p99 ${p99}, most ${Math.max(...times).toFixed(1)} ms (${times.length})`,
  )
}

await call('log', { bytes: 60_000 })
await besides('nothing', () => wait(2000))
const { overview, results, stats, activity, tools } = await engine.answers()
const range = { from: Date.now() - 30 * 86_400_000, to: Date.now() }
const context = { signal: undefined }
for (const round of ['first', 'again']) {
  await besides(`overview, ${round}`, async () => overview.get({ days: 30 }, context))
  await besides(`attention, ${round}`, async () => overview.attention(undefined, context))
  await besides(`results of one tool, ${round}`, async () =>
    results.list({ tool: 'tool-3', limit: 200 }, context),
  )
  await besides(`timeline, ${round}`, async () =>
    stats.timeline({ ...range, unit: 'day', timeZone: 'UTC', by: 'server' }, context),
  )
  await besides(`activity with a text, ${round}`, async () =>
    activity.list({ text: 'nowhere', limit: 50 }, context),
  )
  await besides(`tools, ${round}`, async () => tools.list({}, context))
}
await besides('20 results of 30 kB', async () => {
  for (let seed = 1; seed <= 20; seed++) await call('log', { bytes: 30_000, seed })
})
await besides('sweep', async () => engine.results.sweep())
const program = join(import.meta.dirname, '../fixtures/hold-lock.ts')
const holder = spawn(process.execPath, [program, join(dataDir, 'sluice.db')], {
  stdio: ['pipe', 'pipe', 'inherit'],
})
await once(holder.stdout, 'data')
await besides('5 results of 60 kB with the write lock held by another process', async () => {
  for (let seed = 101; seed <= 105; seed++) await timed('  one', () => call('log', { bytes: 60_000, seed }))
  await wait(3000)
})
holder.stdin.end()
await client.close()
await timed('end', close)
rmSync(folder, { recursive: true, force: true })
