import { setTimeout as wait } from 'node:timers/promises'
import { writeConfig } from '../helpers/data-folder.ts'
import { startEngine } from '../helpers/running-engine.ts'
import { testServer } from '../helpers/upstream.ts'
import { openConnect } from './open-targets.ts'
import type { Target } from './open-targets.ts'
import { processFigures } from './process-figures.ts'
import type { Program } from './program.ts'
import { quantile } from './quantile.ts'

interface Times {
  readonly p50: number
  readonly p99: number
  readonly max: number
  readonly calls: number
}

export interface NeighbourFigures {
  /** What the busy client asks for meanwhile. */
  readonly beside: string
  /** How long that took, ms. */
  readonly ms: number
  /** A small call of the other client, and one whose result of 12 kB is scanned and shortened, ms. */
  readonly echo: Times
  readonly result: Times
  /** The most that the engine's process held, MB. */
  readonly rss: number
}

const SMALL_BYTES = 12_000
const PAUSE_MS = 20
const TOOLS = 9_000

/** Two clients of one engine: how long the calls of the one take while the other asks for what is expensive. */
export async function measureNeighbours(
  folder: string,
  { program, beside = '' }: { program: Program; beside?: string },
): Promise<NeighbourFigures[]> {
  const dataDir = writeConfig(
    folder,
    {
      quiet: testServer('big-result'),
      hog: testServer('hogging'),
      crowd: testServer('hogging', '--tools', String(TOOLS)),
    },
    { toolList: { slim: false } },
  )
  const engine = await startEngine(dataDir, process.env, { cli: program.cli })
  const quiet = await openConnect('quiet', program, dataDir, 'quiet')
  const hog = await openConnect('hog', program, dataDir, 'hog')
  const log = JSON.stringify(await call(hog, 'log', { bytes: 100_000 }))
  const id = /r_[0-9a-f]+/.exec(log)?.[0] ?? ''
  // Threads start with the first jobs.
  for (let round = 0; round < 20; round++) await small(quiet)
  const figures: NeighbourFigures[] = []
  const work: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['nothing', () => wait(4_000)],
    ['8 MB of html', () => call(hog, 'html', { bytes: 8_000_000 })],
    ['50 MB of html', () => call(hog, 'html', { bytes: 50_000_000 })],
    ['50 MB of log', () => call(hog, 'log', { bytes: 50_000_000 })],
    ['200,000 text blocks', () => call(hog, 'blocks', { count: 200_000 })],
    ['200,000 images', () => call(hog, 'values', { kind: 'images', count: 200_000 })],
    ['200,000 links', () => call(hog, 'values', { kind: 'links', count: 200_000 })],
    ['400,000 structured rows', () => call(hog, 'values', { kind: 'rows', count: 400_000 })],
    ['200,000 odd numbers', () => call(hog, 'values', { kind: 'odd', count: 200_000 })],
    [
      'arguments of 500,000 values',
      () => call(hog, 'count', { text: '', values: Array.from({ length: 500_000 }, (_, at) => `v${at}`) }),
    ],
    [
      '20 logs of 2 MB at once',
      () => Promise.all(Array.from({ length: 20 }, (_, at) => call(hog, 'log', { bytes: 2_000_000 + at }))),
    ],
    [
      'eight proxy_run that never end',
      () =>
        Promise.all(
          Array.from({ length: 8 }, () =>
            call(hog, 'proxy_run', { id, code: 'for (;;);', timeout_ms: 2_000 }),
          ),
        ),
    ],
    ['arguments of 20 MB', () => call(hog, 'count', { text: 'lorem ipsum '.repeat(1_700_000) })],
    [
      '1,000 small calls at once',
      () => Promise.all(Array.from({ length: 1_000 }, (_, at) => call(hog, 'count', { text: `a${at}` }))),
    ],
    [
      `a list of ${TOOLS.toLocaleString('en')} tools of 5 kB`,
      async () => {
        const crowd = await openConnect('crowd', program, dataDir, 'crowd')
        await crowd.client.request('tools/list')
        await crowd.client.end()
      },
    ],
  ]
  for (const [name, ask] of work) {
    if (name !== 'nothing' && !beside.split('|').some((words) => name.includes(words))) continue
    const state = { isDone: false }
    let rss = 0
    const from = performance.now()
    let ms = 0
    const asked = ask().finally(() => {
      ms = performance.now() - from
      state.isDone = true
    })
    const follow = async (one: () => Promise<unknown>): Promise<Times> => {
      const times: number[] = []
      while (!state.isDone) {
        const began = performance.now()
        await one()
        times.push(performance.now() - began)
        rss = Math.max(rss, processFigures(engine.pid).rss)
        await wait(PAUSE_MS)
      }
      return {
        p50: quantile(times, 0.5),
        p99: quantile(times, 0.99),
        max: Math.max(...times),
        calls: times.length,
      }
    }
    const [echo, result] = await Promise.all([
      follow(() => call(quiet, 'echo', { text: 'x' })),
      follow(() => small(quiet)),
      asked,
    ])
    figures.push({ beside: name, ms, echo, result, rss })
  }
  await Promise.all([quiet.client.end(), hog.client.end()])
  await engine.stop()
  return figures
}

let seed = 0
/** Another text each time: none comes out of the cache. */
const small = (target: Target): Promise<unknown> => call(target, 'json', { bytes: SMALL_BYTES, seed: ++seed })

async function call({ client }: Target, name: string, args: Record<string, unknown>): Promise<unknown> {
  const { result, error } = await client.request('tools/call', { name, arguments: args })
  if (error !== undefined) throw new Error(`${name} failed: ${JSON.stringify(error)}`)
  return result
}
