import type { ShortenInput, SummaryWish } from '../compression/treatment.ts'
import type { CompressTextInput, CompressTextOutput } from '../compression/compress-text.ts'
import type { ReadingTimes, TextModel } from '../models/text-model.ts'
import type { AnswerToCheck, CheckedAnswer } from './check-answer.ts'

export interface SummaryInput extends Omit<ShortenInput, 'strategy' | 'summary'> {
  readonly wish: SummaryWish
}

/** With its access. */
export interface Writer {
  readonly model: Pick<TextModel, 'key' | 'complete' | 'capacity'>
  /** Texts are masked for it. */
  readonly isMasked: boolean
}

/** With the way back for answers. */
interface MaskedTexts {
  readonly texts: readonly string[]
  readonly restore: (answer: string) => string
}

export interface SummaryOptions {
  readonly writer: () => Promise<Writer | undefined>
  /** For a summary. */
  readonly timeLimitMs: () => number
  /** Deterministic. */
  readonly compress: (
    input: CompressTextInput,
    signal: AbortSignal | undefined,
  ) => Promise<CompressTextOutput>
  readonly countTokens: (text: string) => Promise<number>
  readonly check: (answer: AnswerToCheck) => Promise<CheckedAnswer>
  /** Rejects if masking fails: then the texts must not leave. */
  readonly mask: (texts: readonly string[]) => Promise<MaskedTexts>
  /** Removes control characters. Undefined for an attack; rejects if unknown. */
  readonly guard: (text: string, threshold: number) => Promise<string | undefined>
  /** From models/text-model.ts. */
  readonly longestPrompt: ReadingTimes['longestPrompt']
  readonly slowdownAt: ReadingTimes['slowdownAt']
}

export class NoSummary extends Error {
  readonly isSettled: boolean

  constructor(message: string, { isSettled = true }: { isSettled?: boolean } = {}) {
    super(message)
    this.isSettled = isSettled
  }
}
