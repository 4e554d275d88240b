import type { ShortenInput, SummaryWish } from '../compression/treatment.ts'
import type { CompressTextInput, CompressTextOutput } from '../compression/compress-text.ts'
import type { ReadingTimes, TextModel } from '../models/text-model.ts'
import type { AnswerToCheck, CheckedAnswer } from './check-answer.ts'

export interface SummaryInput extends Omit<ShortenInput, 'strategy' | 'summary'> {
  readonly wish: SummaryWish
}

/** The model in use, and how to reach it. */
export interface Writer {
  readonly model: Pick<TextModel, 'key' | 'complete' | 'capacity'>
  /** Texts are masked before they go to it. */
  readonly isMasked: boolean
}

/** Texts as they may leave, and the way back for what comes of them. */
export interface MaskedTexts {
  readonly texts: readonly string[]
  readonly restore: (answer: string) => string
}

export interface SummaryOptions {
  /** Undefined: no model is in use. Rejects with why it can't be used. */
  readonly writer: () => Promise<Writer | undefined>
  /** Milliseconds that anybody waits for a summary. */
  readonly timeLimitMs: () => number
  /** The deterministic tier. */
  readonly compress: (
    input: CompressTextInput,
    signal: AbortSignal | undefined,
  ) => Promise<CompressTextOutput>
  readonly countTokens: (text: string) => Promise<number>
  readonly check: (answer: AnswerToCheck) => Promise<CheckedAnswer>
  /** Rejects where they can't be masked: then they must not leave. */
  readonly mask: (texts: readonly string[]) => Promise<MaskedTexts>
  /** Takes out control characters. Resolves with undefined for an attack; rejects where that can't be told. */
  readonly guard: (text: string, threshold: number) => Promise<string | undefined>
  /** Of models/text-model.ts. */
  readonly longestPrompt: ReadingTimes['longestPrompt']
  readonly slowdownAt: ReadingTimes['slowdownAt']
}

/** Why the deterministic form goes out, in words for the ledger. */
export class NoSummary extends Error {
  /** The same model would give no better words for the same text, so it need not be asked again. */
  readonly isSettled: boolean

  constructor(message: string, { isSettled = true }: { isSettled?: boolean } = {}) {
    super(message)
    this.isSettled = isSettled
  }
}
