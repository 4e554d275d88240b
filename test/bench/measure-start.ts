import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { ServerSettings } from '../../shared/settings.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { RawClient } from '../helpers/raw-client.ts'
import { startEngine } from '../helpers/running-engine.ts'
import { cpuMs } from './process-figures.ts'
import type { Program } from './program.ts'
import { quantile } from './quantile.ts'

/** Medians of all rounds, ms. */
export interface StartFigures {
  readonly name: string
  readonly ms: number
  /** The fastest round: the machine without other load. */
  readonly best: number
  /** Processor time of the started process without children; NaN where it can't be read. */
  readonly cpu: number
  /** `ms` relative to the server alone, in the same run. */
  readonly ratio: number
}

interface Started {
  readonly ms: number
  readonly cpu: number
}

/**
 * Time from process start to the first `tools/list` answer: a bare Node for comparison, the server alone, `serve`
 * until ready, `connect` joined to it and `connect` that starts an engine in the background.
 */
export async function measureStart(
  folder: string,
  server: ServerSettings,
  { program, rounds = 7 }: { program: Program; rounds?: number },
): Promise<StartFigures[]> {
  const node = process.execPath
  const served = writeConfig(join(folder, 'served'), { one: server })
  const joined = writeConfig(join(folder, 'joined'), { one: server })
  // Its engine stays for some seconds.
  let fresh = 0
  const unused = (): string => writeConfig(join(folder, `without-engine-${fresh++}`), { one: server })
  const engine = await startEngine(joined, process.env, { cli: program.cli })
  const connect = (dataDir: string): Promise<Started> =>
    untilListed(node, [program.cli, 'connect', '--server', 'one', '--data-dir', dataDir])
  const targets: [string, () => Promise<Started>][] = [
    ['node -e 0', () => untilExit(node, ['-e', '0'])],
    ['the server alone', () => untilListed(server.command ?? '', server.args ?? [])],
    ['serve, until ready', () => untilReady(served, program)],
    ['connect, engine running', () => connect(joined)],
    ['connect, no engine yet', () => connect(unused())],
  ]
  const taken = targets.map(([name, start]) => ({ name, start, all: [] as Started[] }))
  // The first round warms the disk and code caches.
  for (const { start } of taken) await start()
  for (let round = 0; round < rounds; round++) {
    for (const { start, all } of taken) all.push(await start())
  }
  await engine.stop()
  const figures = taken.map(({ name, all }) => ({
    name,
    ms: quantile(
      all.map(({ ms }) => ms),
      0.5,
    ),
    best: Math.min(...all.map(({ ms }) => ms)),
    cpu: quantile(
      all.map(({ cpu }) => cpu),
      0.5,
    ),
  }))
  const alone = figures[1]?.ms ?? Number.NaN
  return figures.map((each) => ({ ...each, ratio: each.ms / alone }))
}

async function untilExit(command: string, args: readonly string[]): Promise<Started> {
  const from = performance.now()
  await once(spawn(command, args, { stdio: 'ignore' }), 'exit')
  return { ms: performance.now() - from, cpu: Number.NaN }
}

async function untilListed(command: string, args: readonly string[]): Promise<Started> {
  const from = performance.now()
  const client = new RawClient({ command, args })
  await client.initialize()
  await client.request('tools/list')
  const started = { ms: performance.now() - from, cpu: cpuMs(client.pid) }
  await client.end()
  return started
}

async function untilReady(dataDir: string, { cli }: Program): Promise<Started> {
  const from = performance.now()
  const engine = await startEngine(dataDir, process.env, { cli })
  const started = { ms: performance.now() - from, cpu: cpuMs(engine.pid) }
  await engine.stop()
  return started
}
