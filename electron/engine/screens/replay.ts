import type { ReplayStatus } from '../../../shared/api/replay.ts'
import { messageOf, SluiceError } from '../ground/errors.ts'
import { appNamed, createReplay } from '../replay/create-replay.ts'
import { explorationToolDefinitions } from '../results/exploration-tools.ts'
import { TRANSCRIPT_LABELS, TRANSCRIPT_APPS } from '../transcripts/transcript.ts'
import { countTokensOf } from '../work/count-tokens-of.ts'
import type { Answers } from './http/answers.ts'
import { followState } from './live-events.ts'
import { comparisonOf, omittedIn } from './results.ts'
import type { ScreensOptions } from './screens-options.ts'

const IDLE: ReplayStatus = { state: 'idle', doneBytes: 0, bytes: 0, files: 0, doneFiles: 0 }

/** One replay at a time; its report stays in memory until the next. */
export function createReplayAnswers(options: ScreensOptions): Answers['replay'] {
  const { workers, settings, logger } = options
  let status = IDLE
  let underWay: AbortController | undefined
  let listed: Promise<number> | undefined
  const listeners = new Set<() => void>()

  const set = (changed: Partial<ReplayStatus>): void => {
    status = { ...status, ...changed }
    for (const listener of listeners) listener()
  }
  const listedTokens = (): Promise<number> =>
    (listed ??= countTokensOf(workers)(JSON.stringify(explorationToolDefinitions())))
  const replayWith = (tokens: number) =>
    createReplay({
      ...options,
      settings: () => settings.current,
      parallel: 1,
      apart: true,
      listedTokens: tokens,
    })
  let replay = replayWith(0)

  const run = async (request: Parameters<typeof replay.run>[0], stop: AbortController): Promise<void> => {
    try {
      replay = replayWith(await listedTokens())
      const report = await replay.run({
        ...request,
        signal: stop.signal,
        onProgress: ({ doneBytes, bytes, files, doneFiles }) => set({ doneBytes, bytes, files, doneFiles }),
      })
      set({ state: 'done', report })
    } catch (error) {
      if (stop.signal.aborted) set(IDLE)
      else set({ state: 'failed', failure: logger.cleanText(messageOf(error)) })
    } finally {
      underWay = undefined
    }
  }

  return {
    places: ({ days }) => {
      const sources = replay.find({ days })
      return TRANSCRIPT_APPS.flatMap((app) => {
        const own = sources.filter((source) => source.app === app)
        const bytes = own.reduce((sum, source) => sum + source.bytes, 0)
        return own.length === 0 ? [] : [{ app, label: TRANSCRIPT_LABELS[app], sessions: own.length, bytes }]
      })
    },
    status: () => status,
    live: (_input, { signal }) =>
      followState(
        () => status,
        signal,
        (changed) => {
          listeners.add(changed)
          return () => listeners.delete(changed)
        },
      ),
    start: ({ days, apps, project, compare }) => {
      if (underWay) {
        throw new SluiceError('BAD_INPUT', 'A replay is running. Wait for it, or cancel it first.')
      }
      const known = apps.map(appNamed)
      underWay = new AbortController()
      status = { ...IDLE, state: 'running' }
      void run({ days, apps: known, project, compare }, underWay)
    },
    cancel: () => underWay?.abort(new Error('It was cancelled.')),
    compare: async ({ id }) => {
      const { text, form, before, after, strategy, kind } = await replay.findResult(id)
      const original = { content: [{ type: 'text', text }] }
      return {
        ...(await comparisonOf(options, original, form)),
        sentIs: 'again',
        kind,
        tokensBefore: before,
        tokensAfter: after,
        strategy,
        ...omittedIn(form),
      }
    },
  }
}
