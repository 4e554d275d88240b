import { join } from 'node:path'
import type { ServerSettings } from '../../shared/settings.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { RawClient } from '../helpers/raw-client.ts'
import { CLI } from '../helpers/run-cli.ts'
import { startEngine } from '../helpers/running-engine.ts'
import { quantile } from './quantile.ts'

export interface CallFigures {
  readonly name: string
  /** From starting the process to the answer to `tools/list`, ms. */
  readonly start: number
  /** Of one call at a time, ms. */
  readonly p50: number
  readonly p99: number
  /** What lies on top of the server alone. */
  readonly addedP50: number
  readonly addedP99: number
  /** With `IN_FLIGHT` calls at a time. */
  readonly callsPerSecond: number
}

const ROUNDS = 10
const IN_FLIGHT = 16
const WARM_UP = 50

interface Target {
  readonly name: string
  readonly client: RawClient
  readonly start: number
  readonly times: number[]
  readonly rates: number[]
}

/**
 * A small call to one server alone, through `sluice connect` joined to a running engine, and through one that hosts its
 * own. Rounds alternate between the three, so that a machine that is busy for a while is busy for all.
 */
export async function measureCalls(
  folder: string,
  server: ServerSettings,
  calls = 1000,
): Promise<CallFigures[]> {
  const joined = writeConfig(join(folder, 'joined'), { one: server })
  const hosted = writeConfig(join(folder, 'hosted'), { one: server })
  const engine = await startEngine(joined)
  const connect = (dataDir: string): string[] => [CLI, 'connect', '--server', 'one', '--data-dir', dataDir]
  const targets = [
    await open('the server alone', server.command ?? '', server.args ?? []),
    await open('connect, engine running', process.execPath, connect(joined)),
    await open('connect, hosting', process.execPath, connect(hosted)),
  ]
  for (let round = 0; round < ROUNDS; round++) {
    for (const target of targets) {
      await oneByOne(target, calls / ROUNDS)
      await manyAtOnce(target, calls / ROUNDS)
    }
  }
  for (const { client } of targets) await client.end()
  await engine.stop()
  const [alone] = targets
  return targets.map(({ name, start, times, rates }) => {
    const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)]
    return {
      name,
      start,
      p50,
      p99,
      addedP50: p50 - quantile(alone?.times ?? [], 0.5),
      addedP99: p99 - quantile(alone?.times ?? [], 0.99),
      callsPerSecond: quantile(rates, 0.5),
    }
  })
}

async function open(name: string, command: string, args: readonly string[]): Promise<Target> {
  const from = performance.now()
  const client = new RawClient({ command, args })
  await client.initialize()
  await client.request('tools/list')
  const start = performance.now() - from
  const target = { name, client, start, times: [], rates: [] }
  for (let n = 0; n < WARM_UP; n++) await echo(target, n)
  return target
}

const echo = ({ client }: Pick<Target, 'client'>, n: number): Promise<unknown> =>
  client.request('tools/call', { name: 'echo', arguments: { text: `call ${n}` } })

async function oneByOne(target: Target, calls: number): Promise<void> {
  for (let n = 0; n < calls; n++) {
    const from = performance.now()
    await echo(target, n)
    target.times.push(performance.now() - from)
  }
}

async function manyAtOnce(target: Target, calls: number): Promise<void> {
  const each = Math.ceil(calls / IN_FLIGHT) * 4
  const caller = async (): Promise<void> => {
    for (let n = 0; n < each; n++) await echo(target, n)
  }
  const from = performance.now()
  await Promise.all(Array.from({ length: IN_FLIGHT }, caller))
  target.rates.push((each * IN_FLIGHT * 1000) / (performance.now() - from))
}
