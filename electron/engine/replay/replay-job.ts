import type { Settings } from '../../../shared/settings.ts'
import type { CompressTextInput, CompressTextOutput } from '../compression/compress-text.ts'
import type { PriceTable } from '../prices/price-table.ts'
import { secretsOf } from '../settings/expand-env.ts'
import { detectKind } from '../text/kinds/detect-kind.ts'
import { measureTokens } from '../text/tokens/measure-tokens.ts'
import { readTranscript } from '../transcripts/read-transcript.ts'
import type { TranscriptSource } from '../transcripts/transcript.ts'
import { headAndTail, randomLines } from './control-shorteners.ts'
import { findReplayed, type FoundReplayed } from './find-replayed.ts'
import type { RequestOf } from './goal-then.ts'
import { formsMemory, type FormsMemory } from './make-forms.ts'
import { ratesOfPrices } from './rates-of-prices.ts'
import { replaySource, type ReplayedSource } from './replay-source.ts'
import type { Shortener } from './shortener.ts'
import { mcpToolOf, treatmentsOf, type IsExact } from './treatment-then.ts'

declare module '../work/jobs.ts' {
  interface WorkerJobs {
    'replay-source': (input: ReplayInput) => Promise<ReplayedSource>
    'find-replayed': (input: FindReplayedInput) => Promise<FoundReplayed | undefined>
  }
}

export interface ReplayInput {
  readonly source: TranscriptSource
  readonly settings: Settings
  /** Has the user's prices. */
  readonly dataDir: string
  /** Unix milliseconds. */
  readonly now: number
  /** Tokens of Sluice's own tools in a request. */
  readonly listedTokens: number
  /** Part of the path of the sessions' folders. */
  readonly project: string | undefined
  /** Beside simple ways to shorten. */
  readonly isCompared?: boolean | undefined
}

export interface FindReplayedInput extends Pick<ReplayInput, 'source' | 'settings'> {
  readonly call: string
}

export interface ReplayParts {
  readonly compress: Compress
  readonly requestOf: RequestOf
  readonly isExact: IsExact
}

/** Of texts that a person looks at. */
export type HideSecrets = (texts: readonly string[], known: readonly string[]) => readonly string[]

type Compress = (input: CompressTextInput) => CompressTextOutput

const SLUICE = 'Sluice'

const noRequest: RequestOf = (_prompts, words) => words

/** As long as the ids of stored results. */
const EXAMPLE_ID = 'r_7f3a9c'

/** Sluice's own, through the compressor that live results go through. */
export const ownShortener = (compress: Compress): Shortener => ({
  name: SLUICE,
  shorten: ({ text, tokens, budget, goal, request, hint, strategy }) => {
    const output = compress({ text, tokens, budget, goal, request, hint, strategy, resultId: EXAMPLE_ID })
    return output.strategy === 'none' || output.tokensAfter >= tokens
      ? undefined
      : { text: output.text, tokens: output.tokensAfter, kind: output.kind, strategy: output.strategy }
  },
})

/** Sluice's first. Baselines take extra time, so they run only if `isCompared`. */
export const strategyNames = (isCompared: boolean): readonly string[] =>
  isCompared ? [SLUICE, headAndTail.name, randomLines.name] : [SLUICE]

let memory: { readonly of: string; readonly forms: FormsMemory } | undefined

/** Of this thread, for the same settings. */
function memoryFor(settings: Settings, isCompared: boolean): FormsMemory {
  const of = JSON.stringify([settings, isCompared])
  if (memory?.of !== of) memory = { of, forms: formsMemory() }
  return memory.forms
}

export function replayInWorker(
  { source, settings, listedTokens, project, isCompared = false }: ReplayInput,
  { compress, prices, requestOf, isExact }: ReplayParts & { readonly prices: PriceTable },
): ReplayedSource {
  const servers = Object.keys(settings.servers)
  return replaySource(source, readTranscript(source), {
    treatmentOf: treatmentsOf(settings, isExact),
    strategies: [ownShortener(compress), ...(isCompared ? [headAndTail, randomLines] : [])],
    memory: memoryFor(settings, isCompared),
    tokensOf: measureTokens,
    kindOf: (text) => detectKind(text),
    ratesOf: ratesOfPrices(prices),
    requestOf: settings.goals.fromPrompts ? requestOf : noRequest,
    listedTokens,
    isListed: (tool) => mcpToolOf(tool, servers) !== undefined,
    project,
  })
}

export function findInWorker(
  { source, settings, call }: FindReplayedInput,
  { compress, requestOf, isExact, hideSecrets }: ReplayParts & { readonly hideSecrets: HideSecrets },
): FoundReplayed | undefined {
  const found = findReplayed(readTranscript(source), call, {
    app: source.app,
    requestOf: settings.goals.fromPrompts ? requestOf : noRequest,
    treatmentOf: treatmentsOf(settings, isExact),
    strategies: [ownShortener(compress)],
    tokensOf: measureTokens,
    kindOf: (text) => detectKind(text),
  })
  if (!found) return undefined
  const known = Object.values(settings.servers).flatMap((server) => secretsOf(server))
  const [text = '', form = ''] = hideSecrets([found.text, found.form], known)
  return { ...found, text, form }
}
