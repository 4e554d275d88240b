import { writeConfig } from '../helpers/data-folder.ts'
import { startEngine } from '../helpers/running-engine.ts'
import { testServer } from '../helpers/upstream.ts'
import { INSPECTABLE } from './heap-figures.ts'
import { inspectEngine } from './inspect-engine.ts'
import { openConnect } from './open-targets.ts'
import { cpuMs } from './process-figures.ts'
import type { Program } from './program.ts'
import { quantile } from './quantile.ts'
import { longestTurn, watchTurns, type LongestTurn } from './turns.ts'

export interface TurnFigures extends LongestTurn {
  readonly what: string
  /** The whole answer: time, and processor time of all engine threads. Medians. */
  readonly wholeMs: number
  readonly engineCpuMs: number
}

type Args = Record<string, unknown>

const values = (kind: string, count: number): [string, Args] => ['values', { kind, count }]

/** Each with very many parts, to find the longest uninterrupted work of the main thread. */
const SHAPES: readonly (readonly [what: string, call: () => [tool: string, args: Args]])[] = [
  ['200,000 text blocks', () => ['blocks', { count: 200_000 }]],
  ['200,000 blocks with annotations', () => values('annotated', 200_000)],
  ['200,000 images', () => values('images', 200_000)],
  ['200,000 links', () => values('links', 200_000)],
  ['400,000 structured rows', () => values('rows', 400_000)],
  ['200,000 odd numbers', () => values('odd', 200_000)],
  ['200,000 numbered keys', () => values('keys', 200_000)],
  [
    'arguments of 500,000 values',
    () => ['count', { text: '', values: Array.from({ length: 500_000 }, (_, at) => `v${at}`) }],
  ],
  ['50 MB of log', () => ['log', { bytes: 50_000_000 }]],
]

/** The main thread's longest turn while one client requests very many parts; maximum of all rounds. */
export async function measureTurns(
  folder: string,
  { program, beside = '', rounds = 2 }: { program: Program; beside?: string; rounds?: number },
): Promise<TurnFigures[]> {
  const dataDir = writeConfig(folder, { hog: testServer('hogging') }, { toolList: { slim: false } })
  const engine = await startEngine(dataDir, process.env, { cli: program.cli, nodeArgs: INSPECTABLE })
  const { evaluate, close } = await inspectEngine(engine)
  const { client } = await openConnect('hog', program, dataDir, 'hog')
  const call = async (name: string, args: Args): Promise<void> => {
    const { error } = await client.request('tools/call', { name, arguments: args })
    if (error !== undefined) throw new Error(`${name} failed: ${JSON.stringify(error)}`)
  }
  // Threads and modules load with the first calls.
  await call('blocks', { count: 2_000 })
  await call('log', { bytes: 300_000 })
  const figures: TurnFigures[] = []
  for (const [what, make] of SHAPES) {
    console.error(what, new Date().toISOString())
    if (!beside.split('|').some((words) => what.includes(words))) continue
    const seen: TurnFigures[] = []
    for (let round = 0; round < rounds; round++) {
      const [name, args] = make()
      await watchTurns(evaluate)
      const [began, cpuBefore] = [performance.now(), cpuMs(engine.pid)]
      // A different call each time, so that none is cached.
      await call(name, { ...args, round })
      const wholeMs = performance.now() - began
      const engineCpuMs = cpuMs(engine.pid) - cpuBefore
      seen.push({ what, wholeMs, engineCpuMs, ...(await longestTurn(evaluate)) })
    }
    const most = (of: (each: TurnFigures) => number): number => Math.max(...seen.map(of))
    const median = (of: (each: TurnFigures) => number): number => quantile(seen.map(of), 0.5)
    figures.push({
      what,
      wholeMs: median((each) => each.wholeMs),
      engineCpuMs: median((each) => each.engineCpuMs),
      ms: most(({ ms }) => ms),
      cpuMs: most((each) => each.cpuMs),
      heldMs: most(({ heldMs }) => heldMs),
    })
  }
  close()
  await client.end()
  // A once opened inspector delays an orderly exit.
  await engine.stop('SIGKILL')
  return figures
}
