import { fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { writeConfig } from '../helpers/data-folder.ts'
import { startEngine } from '../helpers/running-engine.ts'
import { testServer } from '../helpers/upstream.ts'
import { openConnect } from './open-targets.ts'
import type { Target } from './open-targets.ts'
import { processFigures } from './process-figures.ts'
import type { Program } from './program.ts'
import { quantile } from './quantile.ts'
import type { CallTimes } from './quiet-client.ts'

interface Times {
  readonly p50: number
  readonly p99: number
  readonly max: number
  readonly calls: number
}

export interface NeighbourFigures {
  /** The busy client's request. */
  readonly beside: string
  /** Its duration, ms. */
  readonly ms: number
  /** The other client's small call, and one whose 12 kB result is scanned and shortened, ms. */
  readonly echo: Times
  readonly result: Times
  /** The engine's peak memory, MB. */
  readonly rss: number
}

const TOOLS = 9_000
const LOOK_MS = 50

/** Two clients of one engine: call times of one while the other makes expensive requests. */
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
  const quiet = await openQuiet(program, dataDir)
  const hog = await openConnect('hog', program, dataDir, 'hog')
  const log = JSON.stringify(await call(hog, 'log', { bytes: 100_000 }))
  const id = /r_[0-9a-f]+/.exec(log)?.[0] ?? ''
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
    let rss = 0
    const looking = setInterval(() => (rss = Math.max(rss, processFigures(engine.pid).rss)), LOOK_MS)
    quiet.follow()
    const from = performance.now()
    await ask()
    const ms = performance.now() - from
    clearInterval(looking)
    const { echo, result } = await quiet.times()
    figures.push({ beside: name, ms, echo: timesOf(echo), result: timesOf(result), rss })
  }
  await Promise.all([quiet.end(), hog.client.end()])
  await engine.stop()
  return figures
}

const timesOf = (times: readonly number[]): Times => ({
  p50: quantile(times, 0.5),
  p99: quantile(times, 0.99),
  max: Math.max(...times),
  calls: times.length,
})

/** The other client; its calls run between `follow` and `times`. */
async function openQuiet(
  { cli }: Program,
  dataDir: string,
): Promise<{ follow(): void; times(): Promise<CallTimes>; end(): Promise<unknown> }> {
  const child = fork(resolve(import.meta.dirname, 'quiet-client.ts'), [cli, dataDir])
  const ended = once(child, 'close')
  const failed = ended.then(([code]) => Promise.reject(new Error(`The quiet client ended with ${code}.`)))
  const next = async (): Promise<unknown> =>
    ((await Promise.race([once(child, 'message'), failed])) as unknown[])[0]
  await next()
  return {
    follow: () => void child.send('follow'),
    times: async () => {
      const answer = next()
      child.send('stop')
      return (await answer) as CallTimes
    },
    end: () => {
      failed.catch(() => {})
      child.send('end')
      return ended
    },
  }
}

async function call({ client }: Target, name: string, args: Record<string, unknown>): Promise<unknown> {
  const { result, error } = await client.request('tools/call', { name, arguments: args })
  if (error !== undefined) throw new Error(`${name} failed: ${JSON.stringify(error)}`)
  return result
}
