import { join } from 'node:path'
import type { ServerSettings } from '../../shared/settings.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { startEngine } from '../helpers/running-engine.ts'
import { openAlone, openConnect, openRelay } from './open-targets.ts'
import type { Target } from './open-targets.ts'
import type { Program } from './program.ts'
import { quantile } from './quantile.ts'

export interface CallFigures {
  readonly name: string
  readonly p50: number
  readonly p99: number
  /** Added to the server alone. */
  readonly addedP50: number
  readonly addedP99: number
  /** `addedP50` relative to what a bare relay of two processes adds in the same run. */
  readonly addedRatio: number
  /** With `IN_FLIGHT` concurrent calls. */
  readonly callsPerSecond: number
}

const ROUNDS = 20
const IN_FLIGHT = 16
const WARM_UP = 300

interface Measured extends Target {
  readonly times: number[]
  readonly rates: number[]
}

/**
 * A small call to one server: directly, through a minimal relay, and through `sluice connect`. Rounds alternate, so that
 * machine load affects all equally.
 */
export async function measureCalls(
  folder: string,
  server: ServerSettings,
  { program, calls = 2000 }: { program: Program; calls?: number },
): Promise<CallFigures[]> {
  const joined = writeConfig(join(folder, 'joined'), { one: server })
  const engine = await startEngine(joined, process.env, { cli: program.cli })
  const targets = [
    await openAlone(server),
    await openRelay(server),
    await openConnect('connect, engine running', program, joined, 'one'),
  ].map((target): Measured => ({ ...target, times: [], rates: [] }))
  for (const target of targets) for (let n = 0; n < WARM_UP; n++) await echo(target)
  for (let round = 0; round < ROUNDS; round++) {
    for (const target of targets) {
      await oneByOne(target, calls / ROUNDS)
      await manyAtOnce(target, calls / ROUNDS)
    }
  }
  for (const { client } of targets) await client.end()
  await engine.stop()
  const [alone, relay] = targets.map(({ times }) => times)
  const added = (times: readonly number[], share: number): number =>
    quantile(times, share) - quantile(alone ?? [], share)
  return targets.map(({ name, times, rates }) => ({
    name,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    addedP50: added(times, 0.5),
    addedP99: added(times, 0.99),
    addedRatio: added(times, 0.5) / added(relay ?? [], 0.5),
    callsPerSecond: quantile(rates, 0.5),
  }))
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
  const each = Math.ceil(calls / IN_FLIGHT) * 4
  const caller = async (): Promise<void> => {
    for (let n = 0; n < each; n++) await echo(target)
  }
  const from = performance.now()
  await Promise.all(Array.from({ length: IN_FLIGHT }, caller))
  target.rates.push((each * IN_FLIGHT * 1000) / (performance.now() - from))
}
