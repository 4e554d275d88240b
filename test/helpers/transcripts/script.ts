import type { TranscriptApp } from '../../../electron/engine/transcripts/transcript.ts'

/** A session in the order in which its parts entered the context; each app's writer knows its file. */
export type Step =
  | {
      readonly prompt: string
      /** Continues after the step with this index: a rewind. */ readonly after?: number
    }
  | {
      readonly request: {
        /** Neither read from nor written to the cache. */
        readonly input: number
        readonly read?: number
        readonly write?: number
        readonly write1h?: number
        readonly output: number
      }
      readonly minutes?: number
      readonly answer?: string
      readonly calls?: readonly { readonly id: string; readonly tool: string; readonly input: object }[]
    }
  | { readonly result: string; readonly text: string; readonly isError?: boolean }
  /** `kept`: ids of results that stay. */
  | { readonly compaction: string; readonly kept?: readonly string[] }

export interface Script {
  readonly session: string
  readonly model: string
  readonly version?: string
  readonly project: string
  readonly steps: readonly Step[]
}

export const START = Date.UTC(2026, 10, 20, 9)

export const timeOf = (minutes: number): string => new Date(START + minutes * 60_000).toISOString()

export const VERSIONS: Readonly<Record<TranscriptApp, string>> = {
  'claude-code': '2.1.330',
  codex: '0.169.0',
  'gemini-cli': '0.61.0',
  opencode: '1.18.33',
  'copilot-cli': '1.0.102',
  'qwen-code': '0.24.4',
}
