import { join, resolve } from 'node:path'
import type { ServerSettings } from '../../shared/settings.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { startEngine } from '../helpers/running-engine.ts'
import { openAlone, openConnect, openTarget, type Target } from './open-targets.ts'
import { cpuMs } from './process-figures.ts'
import type { Program } from './program.ts'
import { quantile } from './quantile.ts'

export interface LatencyFigures {
  readonly small: readonly SmallFigures[]
  readonly results: readonly ResultFigures[]
}

/** Milliseconds; `added` is relative to the server alone. */
interface SmallFigures {
  readonly name: string
  readonly p50: number
  readonly p99: number
  readonly added: number
  /** `added` relative to what the relay adds. */
  readonly ratio: number
  readonly callsPerSecond: number
  /** Relative to the relay's. */
  readonly throughput: number
  /** Processor time of connector and engine for a call, µs; NaN where it can't be read. */
  readonly connectorUs: number
  readonly engineUs: number
}

interface ResultFigures {
  readonly kind: string
  readonly bytes: number
  readonly alone: number
  readonly relay: number
  readonly joined: number
  /** The first of its size, which loads what a worker thread needs. */
  readonly first: number
  readonly p99: number
  /** Of the medians. */
  readonly added: number
  /** Processor time of the engine. */
  readonly engineMs: number
}

interface Measured extends Target {
  readonly pid: number
  readonly times: number[]
  readonly rates: number[]
  readonly cpu: { own: number; calls: number; engine: number }
}

const IN_FLIGHT = 16
const RELAY = resolve(import.meta.dirname, 'byte-relay.ts')
const KINDS = ['log', 'json']

/**
 * The server alone, a relay of bytes in two processes, and `sluice connect` with the settings a user starts with.
 * Rounds in turns, so that the machine's load affects all alike.
 */
export async function measureLatency(
  folder: string,
  server: ServerSettings,
  {
    program,
    rounds = 5,
    calls = 400,
    sizes = [1_000, 12_000, 100_000, 1_000_000, 8_000_000],
  }: { program: Program; rounds?: number; calls?: number; sizes?: readonly number[] },
): Promise<LatencyFigures> {
  const dataDir = writeConfig(join(folder, 'joined'), { one: server })
  const engine = await startEngine(dataDir, process.env, { cli: program.cli })
  const { command = '', args = [] } = server
  const targets = [
    await openAlone(server),
    await openTarget('a relay of bytes in two processes', process.execPath, [RELAY, command, ...args]),
    await openConnect('connect, engine running', program, dataDir, 'one'),
  ].map((target): Measured => ({
    ...target,
    pid: target.client.pid,
    times: [],
    rates: [],
    cpu: { own: 0, calls: 0, engine: 0 },
  }))
  for (let round = 0; round < rounds; round++) {
    for (const target of targets) {
      const before = [cpuMs(target.pid), cpuMs(engine.pid)] as const
      await oneByOne(target, calls)
      await manyAtOnce(target, calls)
      target.cpu.own += cpuMs(target.pid) - before[0]
      target.cpu.engine += cpuMs(engine.pid) - before[1]
      target.cpu.calls += calls * 2
    }
  }
  const results: ResultFigures[] = []
  for (const bytes of sizes)
    for (const kind of KINDS) results.push(await oneSize(targets, engine.pid, { bytes, kind, rounds }))
  for (const { client } of targets) await client.end()
  await engine.stop()
  return { small: smallFigures(targets), results }
}

function smallFigures(targets: readonly Measured[]): SmallFigures[] {
  const [alone, relay] = targets
  const median = (values: readonly number[] = []): number => quantile(values, 0.5)
  const added = ({ times }: Pick<Measured, 'times'>): number => median(times) - median(alone?.times)
  return targets.map((target) => ({
    name: target.name,
    p50: median(target.times),
    p99: quantile(target.times, 0.99),
    added: added(target),
    ratio: added(target) / added(relay ?? target),
    callsPerSecond: median(target.rates),
    throughput: median(target.rates) / median(relay?.rates),
    connectorUs: (target.cpu.own / target.cpu.calls) * 1000,
    engineUs: (target.cpu.engine / target.cpu.calls) * 1000,
  }))
}

async function oneSize(
  targets: readonly Measured[],
  engine: number,
  { bytes, kind, rounds }: { bytes: number; kind: string; rounds: number },
): Promise<ResultFigures> {
  const times = targets.map((): number[] => [])
  const cpu: number[] = []
  for (let round = 0; round < rounds; round++) {
    for (const [index, { client }] of targets.entries()) {
      const [from, before] = [performance.now(), cpuMs(engine)]
      await client.request('tools/call', { name: kind, arguments: { bytes, seed: round + 1 } })
      times[index]?.push(performance.now() - from)
      if (index === targets.length - 1) cpu.push(cpuMs(engine) - before)
    }
  }
  const [alone = 0, relay = 0, joined = 0] = times.map((all) => quantile(all, 0.5))
  return {
    kind,
    bytes,
    alone,
    relay,
    joined,
    first: times[2]?.[0] ?? Number.NaN,
    p99: quantile(times[2] ?? [], 0.99),
    added: joined - alone,
    engineMs: quantile(cpu, 0.5),
  }
}

let echoes = 0

/** Each with a new text, since a repeated one may cost less. */
const echo = ({ client }: Target): Promise<unknown> =>
  client.request('tools/call', { name: 'echo', arguments: { text: `call ${++echoes}` } })

async function oneByOne(target: Measured, calls: number): Promise<void> {
  for (let n = 0; n < calls; n++) {
    const from = performance.now()
    await echo(target)
    target.times.push(performance.now() - from)
  }
}

async function manyAtOnce(target: Measured, calls: number): Promise<void> {
  const each = Math.ceil(calls / IN_FLIGHT)
  const caller = async (): Promise<void> => {
    for (let n = 0; n < each; n++) await echo(target)
  }
  const from = performance.now()
  await Promise.all(Array.from({ length: IN_FLIGHT }, caller))
  target.rates.push((each * IN_FLIGHT * 1000) / (performance.now() - from))
}
