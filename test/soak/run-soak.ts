import { setTimeout as wait } from 'node:timers/promises'
import { birthOf, commandOf, descendantsOf, processesWith } from '../helpers/process-tree.ts'
import { isRunning } from '../helpers/processes.ts'
import { Caller } from './caller.ts'
import type { ClientKind } from './soak-client.ts'
import { endLeftSessions } from './soak-client.ts'
import { MischiefMaker } from './mischief.ts'
import { Random } from './random.ts'
import { takeRest, UNTIL_IDLE_MS } from './rest.ts'
import type { Rest } from './rest.ts'
import { setStage } from './stage.ts'
import type { Stage } from './stage.ts'
import { Tally } from './tally.ts'
import type { CallCounts } from './tally.ts'

export interface SoakOptions {
  readonly seconds: number
  /** On a busy machine the run is extended, up to twenty times, until this much has happened. Default: nothing. */
  readonly atLeast?: { readonly calls: number; readonly mischief: number }
  readonly seed: number
  /** The data folder; if `disk` says so, on a small disk of its own that is sometimes filled. */
  readonly folder: string
  readonly disk: boolean
  readonly say: (line: string) => void
}

export interface SoakReport {
  readonly seed: number
  readonly seconds: number
  readonly calls: CallCounts
  /** Refusals by message, without names and numbers. */
  readonly reasons: Readonly<Record<string, number>>
  readonly lostCalls: readonly string[]
  readonly mischief: Readonly<Record<string, number>>
  readonly rests: readonly Rest[]
  /** From the first rest to the last, as a fraction; undefined for runs too short to tell. */
  readonly memoryGrowth: number | undefined
  readonly processesLeft: number
  readonly exitCode: number | null
  /** Empty after a good run. */
  readonly faults: readonly string[]
}

const CLIENTS: readonly { name: string; kind: ClientKind; scope: 'one' | 'all' }[] = [
  { name: 'soak-connect-all', kind: 'connect', scope: 'all' },
  { name: 'soak-connect-one', kind: 'connect', scope: 'one' },
  { name: 'soak-http-all', kind: 'http', scope: 'all' },
  { name: 'soak-http-one', kind: 'http', scope: 'one' },
  { name: 'soak-modern', kind: '2026-07-28', scope: 'all' },
]
/** The engine is killed at the beginning, since memory is measured on one that keeps running. */
const ENGINE_KILLS_AT = { short: [0.04], long: [0.02, 0.05] }
/** Milliseconds between two, at random. */
const PAUSES = { short: [250, 1250], long: [1500, 6500] }
/** Shorter runs do not judge memory: the engine is still warming up. */
const LONG_SECONDS = 600
const SETTLE_MS = 4_000
/**
 * As fractions of the time. In a long run the first is after the warm-up: in its first seven minutes an engine on a
 * busy machine grows by a tenth, later by a thirtieth in twenty.
 */
const RESTS_AT = { short: [0.4, 0.85], long: [0.3, 0.5, 0.65, 0.8, 0.97] }
const MOST_GROWTH = 0.1
/** A log file, a database journal and the pipes of a server may be open at only one rest. */
const HANDLES_MORE = 8
const LEFT_WITHIN_MS = 20_000

/** Runs one soak. The same seed draws the same calls and mischief, but their timing depends on the machine. */
export async function runSoak(options: SoakOptions): Promise<SoakReport> {
  const { seconds, atLeast = { calls: 0, mischief: 0 }, seed, say } = options
  const faults: string[] = []
  const fault = (what: string): void => {
    faults.push(what)
    say(`FAULT ${what}`)
  }
  const random = new Random(seed)
  let began = performance.now()
  const elapsed = (): number => (performance.now() - began) / 1000
  const tally = new Tally((line) => say(`${Math.round(elapsed())} s ${line}`))
  const leftSessions = new Set<string>()
  const stage = await setStage(options.folder)
  const callers = CLIENTS.map(
    (client) => new Caller({ ...client, stage, random: random.fork(), tally, leftSessions, fault }),
  )
  const mischief = new MischiefMaker({
    stage,
    callers,
    random: random.fork(),
    disk: options.disk ? options.folder : undefined,
  })
  const started = new Map<number, number>()
  const rests: Rest[] = []
  began = performance.now()
  const isShort = seconds < LONG_SECONDS
  const length = isShort ? 'short' : 'long'
  const [restAt, killAt, pause] = [RESTS_AT[length], [...ENGINE_KILLS_AT[length]], PAUSES[length]]
  for (const until of restAt) {
    for (const caller of callers) caller.start()
    const hasHappened = (): boolean =>
      tally.counts.answered >= until * atLeast.calls && mischief.total >= until * atLeast.mischief
    const isOver = (): boolean =>
      elapsed() >= until * seconds && (hasHappened() || elapsed() >= until * seconds * 20)
    while (!isOver()) {
      const left = (until * seconds - elapsed()) * 1000 + 1
      const next = random.between(pause[0] ?? 0, pause[1] ?? 0)
      await wait(left > 0 ? Math.min(next, left) : next)
      noteProcesses(stage, started)
      if (elapsed() < (killAt[0] ?? Infinity) * seconds) mischief.begin()
      else {
        killAt.shift()
        await mischief.settle()
        mischief.count('kill the engine')
        await stage.restartEngine()
      }
    }
    await mischief.settle()
    await Promise.all(callers.map((caller) => caller.stop()))
    await endLeftSessions(stage, leftSessions)
    // The session of clients without sessions stays, so all its servers have run at each rest.
    await callers.at(-1)?.list()
    noteProcesses(stage, started)
    const rest = await takeRest(stage.engine(), elapsed(), isShort ? SETTLE_MS : UNTIL_IDLE_MS)
    rests.push(rest)
    say(`${JSON.stringify(rest)} ${JSON.stringify(tally.counts)}`)
  }
  const exitCode = await stage.close()
  const left = await waitForEnds(stage.dataDir, started)
  if (exitCode !== 0) fault(`The engine ended with ${exitCode}.`)
  if (left.length > 0) fault(`${left.length} processes are left: ${left.map(describeProcess).join('; ')}`)
  const { lost } = tally.counts
  if (lost > 0) fault(`${lost} calls are lost.`)
  const memoryGrowth = isShort ? undefined : growth(rests.map(({ memory }) => memory))
  if ((memoryGrowth ?? 0) > MOST_GROWTH) fault(`Memory grew by ${Math.round((memoryGrowth ?? 0) * 100)} %.`)
  const [first, last] = [rests[0]?.handles ?? 0, rests.at(-1)?.handles ?? 0]
  if (last > first + HANDLES_MORE) fault(`File handles went from ${first} to ${last}.`)
  return {
    seed,
    seconds: Math.round(elapsed()),
    calls: tally.counts,
    reasons: Object.fromEntries([...tally.reasons].sort(([, a], [, b]) => b - a)),
    lostCalls: tally.lostCalls,
    mischief: Object.fromEntries(mischief.counts),
    rests,
    memoryGrowth,
    processesLeft: left.length,
    exitCode,
    faults,
  }
}

const growth = (values: readonly number[]): number => (values.at(-1) ?? 0) / (values[0] ?? 1) - 1

function noteProcesses(stage: Stage, started: Map<number, number>): void {
  for (const pid of descendantsOf(stage.engine().pid)) started.set(pid, birthOf(pid))
}

const describeProcess = (pid: number): string => `${pid}, begun at ${birthOf(pid) / 100} s, ${commandOf(pid)}`

/** Running processes that the engine started, or with its data folder in their command line. */
async function waitForEnds(dataDir: string, started: ReadonlyMap<number, number>): Promise<number[]> {
  const began = performance.now()
  const ours = (): number[] =>
    [...started].flatMap(([pid, birth]) => (isRunning(pid) && birthOf(pid) === birth ? [pid] : []))
  for (;;) {
    const left = new Set([...processesWith(dataDir), ...ours()])
    if (left.size === 0 || performance.now() - began > LEFT_WITHIN_MS) return [...left]
    await wait(200)
  }
}
