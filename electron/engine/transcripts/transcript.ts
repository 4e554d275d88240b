import { APP_LABELS } from '../../../shared/app-labels.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'

/** Ids as in shared/app-labels.ts, except for Copilot CLI. */
export const TRANSCRIPT_APPS = [
  'claude-code',
  'codex',
  'gemini-cli',
  'opencode',
  'copilot-cli',
  'qwen-code',
] as const
export type TranscriptApp = (typeof TRANSCRIPT_APPS)[number]

/** Copilot CLI is one of the apps that are GitHub Copilot elsewhere. */
export const TRANSCRIPT_LABELS: Readonly<Record<TranscriptApp, string>> = {
  ...APP_LABELS,
  'copilot-cli': 'Copilot CLI',
}

/** A file, or one session of a database. */
export interface TranscriptSource {
  readonly app: TranscriptApp
  readonly path: string
  /** opencode: a row of its database. */
  readonly session?: string | undefined
  readonly bytes: number
  /** Unix milliseconds of the last change. */
  readonly changed: number
  /** If the place says so. */
  readonly project?: string | undefined
  /** A sub-agent's file: the session that started it. */
  readonly parent?: string | undefined
}

/** Tokens as the provider counted them; `input` is what was neither read from nor written to its cache. */
export interface Usage {
  readonly input: number
  readonly read: number
  /** Written for five minutes, or for as long as the provider's only kind of cache lives. */
  readonly write5m: number
  /** Written for an hour. */
  readonly write1h: number
  /** Thinking included. */
  readonly output: number
  readonly webSearches: number
}

interface SessionFacts {
  readonly id: string
  readonly version: string
  /** Working folder. */
  readonly project: string
  readonly parent?: string | undefined
}

/**
 * One session in the order in which its parts entered the model's context. `agent` names a context of its own in the
 * same file. A request comes before what the model answered to it.
 */
export type TranscriptEvent = { readonly agent?: string | undefined } & (
  | { readonly type: 'session'; readonly session: Partial<SessionFacts> }
  | { readonly type: 'prompt'; readonly text: string; readonly at: number }
  /** Entered the context otherwise: reminders, summaries. */
  | { readonly type: 'context'; readonly text: string }
  | {
      readonly type: 'request'
      readonly id: string
      readonly model: string
      readonly at: number
      readonly usage: Usage
      /** US dollars as the app booked them. */
      readonly charged?: number | undefined
    }
  | { readonly type: 'answer'; readonly text: string }
  | { readonly type: 'call'; readonly id: string; readonly tool: string; readonly input: JsonObject }
  | {
      readonly type: 'result'
      readonly call: string
      readonly text: string
      readonly isError: boolean
      readonly at: number
      /** The app removed it from the context then. */
      readonly leavesAt?: number | undefined
    }
  /** What leaves the context: all but `kept`, the results of `calls`, or the oldest `oldest`. */
  | {
      readonly type: 'boundary'
      readonly reason: 'compaction' | 'clear' | 'rewind' | 'edit'
      readonly kept?: readonly string[] | undefined
      readonly calls?: readonly string[] | undefined
      readonly oldest?: number | undefined
    }
  | TranscriptProblem
)

/** Nothing of it ends a replay. */
export interface TranscriptProblem {
  readonly type: 'problem'
  /** foreign: the file was skipped. damaged: lines that can't be parsed. cut: the last line is being written. */
  readonly problem: 'foreign' | 'damaged' | 'cut'
  readonly message: string
  readonly lines?: number | undefined
}

/** Reads synchronously: it runs in a worker thread. */
export type ReadTranscript = (source: TranscriptSource) => Generator<TranscriptEvent, void>
