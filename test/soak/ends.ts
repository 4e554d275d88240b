/**
 * `node test/soak/ends.ts [--ends 500] [--clients 4] [--seed N]`: ends an engine, a connector, a client or a server at
 * random, idle, in the middle of calls, and while an engine takes over from another. Exits with 0 if every call had
 * one answer, none was executed twice, no process is left and no connector ran a server itself. Linux only.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { messageOf } from '../../electron/engine/ground/errors.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { commandOf, descendantsOf, processesWith } from '../helpers/process-tree.ts'
import { RawClient } from '../helpers/raw-client.ts'
import { CLI } from '../helpers/run-cli.ts'
import { startEngine, type RunningEngine } from '../helpers/running-engine.ts'
import { testServer } from '../helpers/upstream.ts'
import { Random } from './random.ts'

const { values } = parseArgs({
  options: {
    ends: { type: 'string', default: '500' },
    clients: { type: 'string', default: '4' },
    seed: { type: 'string' },
  },
})
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9))
const random = new Random(seed)
const folder = mkdtempSync(join(tmpdir(), 'sluice-ends-'))
const record = join(folder, 'record')
writeFileSync(record, '')
const dataDir = writeConfig(join(folder, 'data'), { s: testServer('recording', record) })
/** Far above all limits. */
const LOST_MS = 60_000
const LEFT_WITHIN_MS = 40_000

const WHAT = { engine: 5, connector: 3, client: 3, server: 3, 'taking over': 4 } as const
const counts = new Map<string, number>()
const calls = { made: 0, answered: 0, refused: 0, 'cut off': 0, lost: 0 }
const faults: string[] = []
let tokens = 0
let hosting = 0
const ENDING_MS = 500

class OpenClient {
  readonly raw = new RawClient({
    command: process.execPath,
    args: [CLI, 'connect', '--server', 's', '--data-dir', dataDir],
  })
  readonly ready = this.raw.initialize()
  isEnded = false

  /** Never rejects. */
  async call(ms: number): Promise<void> {
    calls.made++
    const token = `t${++tokens}`
    const late = new AbortController()
    const lost = wait(LOST_MS, 'late' as const, { signal: late.signal, ref: false }).catch(
      () => 'late' as const,
    )
    try {
      const work = this.ready.then(() =>
        this.raw.request('tools/call', { name: 'work', arguments: { token, ms } }),
      )
      const answer = await Promise.race([work, lost])
      if (answer === 'late') lose(`${token} had no answer`)
      else if (JSON.stringify(answer).includes(`"${token}"`)) calls.answered++
      else calls.refused++
    } catch (error) {
      if (this.isEnded) calls['cut off']++
      else lose(`${token}: ${messageOf(error)}`)
    } finally {
      late.abort()
    }
  }

  /** `kindly`: closes its side, like a client that quits. */
  end(kindly: boolean): void {
    this.isEnded = true
    this.ready.catch(() => {})
    if (kindly) void this.raw.end()
    else this.raw.kill('SIGKILL')
  }
}

function lose(what: string): void {
  calls.lost++
  faults.push(`lost: ${what}`)
}

const clients = Array.from({ length: Number(values.clients) }, () => new OpenClient())
let served: RunningEngine | undefined

const kill = (pid: number | undefined): void => {
  if (pid === undefined) return
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Already ended.
  }
}
const ours = (word: string): number[] => processesWith(dataDir).filter((pid) => commandOf(pid).includes(word))
const isEngine = (pid: number): boolean => / (?:engine|serve) /.test(`${commandOf(pid)} `)
const engines = (): number[] => processesWith(dataDir).filter(isEngine)
/** Whether a connector runs a server itself. */
const isHosting = (pid: number): boolean =>
  descendantsOf(pid, isEngine).some((child) => commandOf(child).includes(record))
const servers = (): number[] => processesWith(record)

function replace(kindly: boolean): void {
  const index = random.between(0, clients.length - 1)
  clients[index]?.end(kindly)
  clients[index] = new OpenClient()
}

/** A `serve` takes over from the engine in the background, or ends so that one is started. */
async function takeOver(): Promise<void> {
  if (served) {
    const ended = served
    served = undefined
    await ended.stop()
  } else served = await startEngine(dataDir).catch(() => undefined)
}

async function end(what: keyof typeof WHAT): Promise<void> {
  if (what === 'engine') {
    if (served && engines().includes(served.pid)) {
      const ended = served
      served = undefined
      await ended.stop('SIGKILL')
    } else kill(random.pick(engines()))
  } else if (what === 'connector') replace(false)
  else if (what === 'client') replace(true)
  else if (what === 'server') kill(random.pick(servers()))
  else {
    const taking = takeOver()
    await wait(random.between(0, 400))
    const during = random.pick(['engine', 'connector', 'client', 'server', 'nothing'] as const) ?? 'nothing'
    if (during === 'engine') kill(random.pick(engines()))
    else if (during === 'server') kill(random.pick(servers()))
    else if (during !== 'nothing') replace(during === 'client')
    await taking
    if (served && !engines().includes(served.pid)) served = undefined
    what = `taking over, ${during} ended` as keyof typeof WHAT
  }
}

console.error(`Seed ${seed}`)
const wanted = Number(values.ends)
for (let n = 1; n <= wanted; n++) {
  const isIdle = random.next() < 0.3
  const what = random.weighted(WHAT)
  const inFlight = isIdle
    ? []
    : clients.flatMap((client) => [client.call(random.between(0, 300)), client.call(random.between(0, 30))])
  await wait(random.between(0, 120))
  await end(what)
  const name = `${what}, ${isIdle ? 'idle' : 'in mid-call'}`
  counts.set(name, (counts.get(name) ?? 0) + 1)
  await Promise.all(inFlight)
  // Each connection goes on.
  await Promise.all(clients.map((client) => client.call(0)))
  const found = ours(' connect ').filter(isHosting)
  // An engine that is ending has its children for a moment longer than its command line.
  if (found.length > 0) await wait(ENDING_MS)
  hosting += found.filter(isHosting).length
  if (n % 25 === 0) console.error(`${n} ends: ${JSON.stringify(calls)} ${faults.length} faults`)
}

for (const client of clients) client.end(true)
await served?.stop()
const deadline = performance.now() + LEFT_WITHIN_MS
while (processesWith(folder).length > 0 && performance.now() < deadline) await wait(200)
const left = processesWith(folder).map(commandOf)
const executed = Map.groupBy(readFileSync(record, 'utf8').trim().split('\n'), (token) => token)
const twice = [...executed].filter(([, times]) => times.length > 1).map(([token]) => token)
if (left.length > 0) faults.push(`left: ${left.join('; ')}`)
if (twice.length > 0) faults.push(`executed twice: ${twice.join(', ')}`)
if (hosting > 0) faults.push(`connectors that ran a server: ${hosting}`)
const report = {
  seed,
  ends: wanted,
  counts: Object.fromEntries(counts),
  calls,
  twice: twice.length,
  left: left.length,
  hosting,
  faults,
}
console.log(JSON.stringify(report, undefined, 2))
rmSync(folder, { recursive: true, force: true })
process.exit(faults.length === 0 ? 0 : 1)
