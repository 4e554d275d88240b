import { readFileSync, writeFileSync } from 'node:fs'
import type { ServerSettings } from '../../shared/settings.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { startEngine } from '../helpers/running-engine.ts'
import { INSPECTABLE } from './heap-figures.ts'
import { inspectEngine } from './inspect-engine.ts'
import { openAlone, openConnect } from './open-targets.ts'
import type { Target } from './open-targets.ts'
import { cpuMs } from './process-figures.ts'
import type { Program } from './program.ts'
import { quantile } from './quantile.ts'
import { longestTurn, watchTurns } from './turns.ts'

export interface ShortenedFigures {
  readonly kind: string
  readonly megabytes: number
  /** Medians, ms: the server directly, and through Sluice. */
  readonly aloneMs: number
  readonly ms: number
  /** Median processor time of the engine's process. */
  readonly cpuMs: number
  /** Longest time between two turns of the engine's main thread, including waits for the processor. */
  readonly stallMs: number
  /** Most processor time of the main thread in one turn. */
  readonly stallCpuMs: number
  /** Peak memory of the engine's process beyond before, relative to the text; median. */
  readonly memory: number
}

/** Each text is this much shorter than the one before, so that none is cached. */
const STEP = 1000

/** One large result of each kind through a shortening engine, in alternating rounds with the server alone. */
export async function measureShortened(
  folder: string,
  server: ServerSettings,
  { program, megabytes = 50, rounds = 3 }: { program: Program; megabytes?: number; rounds?: number },
): Promise<ShortenedFigures[] | undefined> {
  if (process.platform !== 'linux') return undefined
  const dataDir = writeConfig(folder, { one: server })
  const engine = await startEngine(dataDir, process.env, { cli: program.cli, nodeArgs: INSPECTABLE })
  const { evaluate, close } = await inspectEngine(engine)
  const alone = await openAlone(server)
  const through = await openConnect('connect', program, dataDir, 'one')
  const figures: ShortenedFigures[] = []
  for (const kind of ['log', 'json', 'prose']) {
    await call(through, kind, 2_000_000)
    const seen: Seen[] = []
    for (let round = 0; round < rounds; round++) {
      const bytes = megabytes * 1e6 - round * STEP
      const aloneMs = await timed(() => call(alone, kind, bytes))
      await watchTurns(evaluate)
      writeFileSync(`/proc/${engine.pid}/clear_refs`, '5')
      const [before, cpuBefore] = [resident(engine.pid, 'VmRSS'), cpuMs(engine.pid)]
      const ms = await timed(() => call(through, kind, bytes))
      const more = resident(engine.pid, 'VmHWM') - before
      const turn = await longestTurn(evaluate)
      seen.push({
        aloneMs,
        ms,
        cpu: cpuMs(engine.pid) - cpuBefore,
        stallMs: turn.ms,
        stallCpuMs: turn.cpuMs,
        memory: more / bytes,
      })
    }
    figures.push(summed(kind, megabytes, seen))
  }
  close()
  await Promise.all([alone.client.end(), through.client.end()])
  await engine.stop('SIGKILL')
  return figures
}

interface Seen {
  readonly aloneMs: number
  readonly ms: number
  readonly cpu: number
  readonly stallMs: number
  readonly stallCpuMs: number
  readonly memory: number
}

function summed(kind: string, megabytes: number, seen: readonly Seen[]): ShortenedFigures {
  const median = (of: (each: Seen) => number): number => quantile(seen.map(of), 0.5)
  return {
    kind,
    megabytes,
    aloneMs: median(({ aloneMs }) => aloneMs),
    ms: median(({ ms }) => ms),
    cpuMs: median(({ cpu }) => cpu),
    stallMs: Math.max(...seen.map(({ stallMs }) => stallMs)),
    stallCpuMs: Math.max(...seen.map(({ stallCpuMs }) => stallCpuMs)),
    memory: median(({ memory }) => memory),
  }
}

const resident = (pid: number, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}

async function call({ name, client }: Target, kind: string, bytes: number): Promise<void> {
  const answer = await client.request('tools/call', { name: kind, arguments: { bytes } })
  const { content } = answer['result'] as { content: { text: string }[] }
  const length = content[0]?.text.length ?? 0
  if (name === 'connect' ? length > 100_000 : length !== bytes)
    throw new Error(`${name} gave ${length} characters of ${kind}.`)
}
