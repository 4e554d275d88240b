import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { ReplayReport } from '../../../shared/api/replay.ts'
import type { Settings } from '../../../shared/settings.ts'
import { SluiceError, messageOf } from '../ground/errors.ts'
import { didYouMean } from '../ground/nearest.ts'
import type { Machine } from '../ground/surroundings.ts'
import { createReadPrices } from '../prices/read-own-prices.ts'
import { findTranscripts } from '../transcripts/find-transcripts.ts'
import { TRANSCRIPT_APPS, type TranscriptApp, type TranscriptSource } from '../transcripts/transcript.ts'
import type { WorkerPool } from '../work/worker-pool.ts'
import type { FoundReplayed } from './find-replayed.ts'
import { strategyNames } from './replay-job.ts'
import type { ReplayedSource } from './replay-source.ts'
import { ReplayTally } from './replay-tally.ts'

export interface ReplayOptions extends Machine {
  readonly dataDir: string
  readonly now: () => number
  readonly settings: () => Settings
  readonly workers: Pick<WorkerPool, 'run'>
  /** How many sources are read at the same time: each takes the memory of one session. */
  readonly parallel: number
  readonly listedTokens: number
  /** Beside live calls: in a thread that no other job waits for. */
  readonly apart?: boolean
}

interface ReplayRequest {
  readonly days: number
  /** Default: all. */
  readonly apps?: readonly TranscriptApp[] | undefined
  /** Part of the path of the sessions' folders. */
  readonly project?: string | undefined
  /** Also what simple ways make of the same results. */
  readonly compare?: boolean | undefined
  readonly signal?: AbortSignal | undefined
  onProgress?(progress: ReplayProgress): void
}

export interface ReplayProgress {
  readonly bytes: number
  readonly doneBytes: number
  readonly files: number
  readonly doneFiles: number
}

export interface Replay {
  /** Reads names and sizes only. */
  find(request: Pick<ReplayRequest, 'days' | 'apps'>): readonly TranscriptSource[]
  run(request: ReplayRequest): Promise<ReplayReport>
  /** `id`: of a loss in the last report. */
  findResult(id: string): Promise<FoundReplayed>
}

const DAY_MS = 24 * 3600_000
/** A session of a gigabyte takes minutes; a thread that hangs is found by its processor time. */
const LONGEST_MS = 60 * 60_000

export const appNamed = (name: string): TranscriptApp => {
  const app = TRANSCRIPT_APPS.find((one) => one === name)
  if (app) return app
  throw new SluiceError(
    'BAD_INPUT',
    `Sessions of "${name}" can't be read.${didYouMean(name, TRANSCRIPT_APPS)} These can: ${TRANSCRIPT_APPS.join(', ')}.`,
  )
}

/** Reads the apps' sessions on this machine. Writes nothing, and asks no one. */
export function createReplay(options: ReplayOptions): Replay {
  const { workers, settings, now } = options
  const how = options.apart ? { timeoutMs: LONGEST_MS, apart: true } : { timeoutMs: LONGEST_MS, size: 1 }
  const known = new Map<string, { source: TranscriptSource; call: string }>()

  const search = ({ days, apps = TRANSCRIPT_APPS }: Pick<ReplayRequest, 'days' | 'apps'>) =>
    findTranscripts({ ...options, apps, since: now() - days * DAY_MS })

  const replayOne = (source: TranscriptSource, { project, signal, compare }: ReplayRequest) =>
    workers.run(
      'replay-source',
      {
        source,
        settings: settings(),
        dataDir: options.dataDir,
        now: now(),
        listedTokens: options.listedTokens,
        project,
        isCompared: compare,
      },
      { signal, ...how },
    )

  return {
    find: (request) => search(request).sources,
    run: async (request) => {
      const { sources, problems } = search(request)
      const tally = new ReplayTally({
        from: now() - request.days * DAY_MS,
        to: now(),
        strategies: strategyNames(request.compare ?? false),
      })
      for (const { app, path, message } of problems) tally.problem(app, path, `It can't be read: ${message}`)
      const ids = new Map<string, { source: TranscriptSource; call: string }>()
      const tallyOf = (source: TranscriptSource, replayed: ReplayedSource | string): void => {
        if (typeof replayed === 'string')
          return tally.problem(source.app, source.path, `It was left out: ${replayed}`)
        tally.add(source, replayed, (call) => {
          const id = idOf(source, call)
          ids.set(id, { source, call })
          return id
        })
      }
      await replayEach(sources, { replayOne, request, parallel: options.parallel, onReplayed: tallyOf })
      const { fault } = createReadPrices(options.dataDir)()
      const done = { ...tally.report(), ...(fault !== undefined && { priceFault: fault }) }
      known.clear()
      for (const { id } of done.worst) {
        const place = ids.get(id)
        if (place) known.set(id, place)
      }
      return done
    },
    findResult: async (id) => {
      const place = known.get(id)
      const found = place && (await workers.run('find-replayed', { ...place, settings: settings() }, how))
      if (found) return found
      throw new SluiceError(
        'RESULT_UNKNOWN',
        `There is no result "${id}" in the last replay, or its session is gone. Run the replay again.`,
      )
    },
  }
}

interface ReplayEach {
  readonly replayOne: (source: TranscriptSource, request: ReplayRequest) => Promise<ReplayedSource>
  readonly request: ReplayRequest
  readonly parallel: number
  /** In the same order in each replay. A text: why the source was left out. */
  readonly onReplayed: (source: TranscriptSource, replayed: ReplayedSource | string) => void
}

/** Several at a time; reports the progress. Rejects when the request is aborted. */
async function replayEach(
  sources: readonly TranscriptSource[],
  { replayOne, request, parallel, onReplayed }: ReplayEach,
): Promise<void> {
  const bytes = sources.reduce((sum, source) => sum + source.bytes, 0)
  let [doneBytes, doneFiles] = [0, 0]
  const report = (): void => request.onProgress?.({ bytes, doneBytes, files: sources.length, doneFiles })
  report()
  // The largest first, so that none is left alone at the end.
  const sorted = sources.toSorted((one, other) => other.bytes - one.bytes)
  const inOrder = sequence(sorted.length)
  const work = async ([index, source]: readonly [number, TranscriptSource]): Promise<void> => {
    request.signal?.throwIfAborted()
    const replayed = await replayOne(source, request).catch((error: unknown) => messageOf(error))
    request.signal?.throwIfAborted()
    // What two files share counts for the first.
    inOrder(index, () => onReplayed(source, replayed))
    doneBytes += source.bytes
    doneFiles++
    report()
  }
  const waiting = sorted.entries()
  const worker = async (): Promise<void> => {
    for (const next of waiting) await work(next)
  }
  await Promise.all(Array.from({ length: parallel }, worker))
}

/** Runs steps in the order of their numbers, however they come. */
function sequence(length: number): (index: number, step: () => void) => void {
  const waiting = new Map<number, () => void>()
  let next = 0
  return (index, step) => {
    waiting.set(index, step)
    for (let due = waiting.get(next); due && next < length; due = waiting.get(next)) {
      waiting.delete(next++)
      due()
    }
  }
}

const idOf = ({ path, session = '' }: TranscriptSource, call: string): string =>
  createHash('sha256')
    .update(join(path, session, call))
    .digest('hex')
    .slice(0, 16)
