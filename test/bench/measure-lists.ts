import { join } from 'node:path'
import type { ServerSettings } from '../../shared/settings.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { startEngine } from '../helpers/running-engine.ts'
import { openAlone, openConnect } from './open-targets.ts'
import type { Target } from './open-targets.ts'
import type { Program } from './program.ts'
import { quantile } from './quantile.ts'

/** Medians in ms; ratios to the slowest server asked directly in the same run. */
export interface ListFigures {
  readonly servers: number
  /** `tools/list` of the slowest server, asked directly. */
  readonly slowest: number
  /** First `tools/list` of all servers through one `connect`, answered by the servers. */
  readonly first: number
  readonly firstRatio: number
  /** Later ones. */
  readonly later: number
  readonly laterRatio: number
  /** Starting and listing all of them at once, directly and through Sluice. */
  readonly startDirectly: number
  readonly startThrough: number
  readonly startRatio: number
}

/** `slow` is slow to list; the others are `server`. */
export async function measureLists(
  folder: string,
  { server, slow }: { server: ServerSettings; slow: ServerSettings },
  { program, servers = 10, rounds = 7 }: { program: Program; servers?: number; rounds?: number },
): Promise<ListFigures> {
  const all = [slow, ...Array.from({ length: servers - 1 }, () => server)]
  const dataDir = writeConfig(
    join(folder, 'data'),
    Object.fromEntries(all.map((settings, n) => [`server-${n}`, settings])),
  )
  const engine = await startEngine(dataDir, process.env, { cli: program.cli })
  const taken = { slowest: [], first: [], later: [], directly: [], through: [] } as {
    [part in 'slowest' | 'first' | 'later' | 'directly' | 'through']: number[]
  }
  for (let round = 0; round < rounds; round++) {
    const direct = await timed(() => Promise.all(all.map((settings) => openAlone(settings))))
    const [slowest] = direct.value
    if (slowest) taken.slowest.push((await timed(() => list(slowest))).ms)
    const rest = await timed(() => Promise.all(direct.value.slice(1).map(list)))
    taken.directly.push(direct.ms + Math.max(rest.ms, taken.slowest.at(-1) ?? 0))
    await end(direct.value)
    const through = await timed(() => openConnect('all servers', program, dataDir))
    const first = await timed(() => list(through.value))
    taken.first.push(first.ms)
    taken.through.push(through.ms + first.ms)
    taken.later.push((await timed(() => list(through.value))).ms)
    await end([through.value])
  }
  await engine.stop()
  const [slowest, first, later, startDirectly, startThrough] = [
    taken.slowest,
    taken.first,
    taken.later,
    taken.directly,
    taken.through,
  ].map((times) => quantile(times, 0.5)) as [number, number, number, number, number]
  return {
    servers,
    slowest,
    first,
    firstRatio: first / slowest,
    later,
    laterRatio: later / slowest,
    startDirectly,
    startThrough,
    startRatio: startThrough / startDirectly,
  }
}

const list = ({ client }: Target): Promise<unknown> => client.request('tools/list')

const end = async (targets: readonly Target[]): Promise<void> => {
  await Promise.all(targets.map(({ client }) => client.end()))
}

async function timed<T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const from = performance.now()
  const value = await work()
  return { value, ms: performance.now() - from }
}
