import type { Policy, SummaryForm } from '../../../shared/settings.ts'
import type { CompressionTrace, ToolCall } from '../message/call.ts'
import type { Logger } from '../ground/logger.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import type { CompressTextInput, CompressTextOutput } from './compress-text.ts'
import type { JoinedTexts } from '../text/joined-texts.ts'
import type {
  MeasuredStructured,
  MeasureStructuredInput,
  ShrinkStructuredInput,
  ShrunkStructured,
} from './structured-half.ts'

declare module '../ground/events.ts' {
  interface EngineEvents {
    'result-stored': { resultId: string; client: string; server: string; tool: string; bytes: number }
  }
}

interface KeptResult {
  readonly owner: string
  readonly serverId: string
  readonly tool: string
  readonly arguments: JsonObject | undefined
  readonly result: JsonObject
  /** What leaves of the result is scanned as it leaves: it may not be read in any other way. */
  readonly tooLargeToScan?: boolean | undefined
  readonly guard: Policy['guard']
}

export interface KeptOriginal {
  readonly id: string
  /** Of the whole result, in hex. */
  readonly sha256: string
  /** A file with its text, where this client is told of one. */
  readonly file?: string | undefined
}

/** A result as it goes out, and what was done to it. */
export interface ShortenedForm {
  readonly result: JsonObject
  readonly trace: CompressionTrace
}

/** Undefined where nothing shorter was found. */
export type MakeForm = () => Promise<ShortenedForm | undefined>

/** What the strategy `model` has to know beside the text. */
export interface SummaryWish {
  /** The user's own words on what a summary of this tool needs. */
  readonly instructions: string | undefined
  readonly form: SummaryForm
  /** From which score on the model's words count as an attack; undefined: nothing is scanned. */
  readonly guardThreshold: number | undefined
}

export interface ShortenInput extends CompressTextInput {
  /** Set where a model is to write: then the strategy is `model`. */
  readonly wish?: SummaryWish | undefined
}

export interface ShortenOutput extends CompressTextOutput {
  /** For the ledger: why the model's words did not go out, or what was taken out of them. */
  readonly note?: string | undefined
  /** Made without the model's words, which another time may have. */
  readonly provisional?: boolean
}

export interface CompressResultOptions {
  /** Run in a worker thread, with a model on top of it where the input has a wish. */
  compress(input: ShortenInput, signal: AbortSignal | undefined): Promise<ShortenOutput>
  /** `structuredContent` within its schema and budget; undefined where that can't be. */
  shrinkStructured(input: ShrinkStructuredInput): Promise<ShrunkStructured | undefined>
  measureStructured(input: MeasureStructuredInput): Promise<MeasuredStructured>
  /** Tokens (o200k_base) of each of these, the texts of one counted apart; long ones in a worker thread, all in one go. */
  countTokens(documents: readonly JoinedTexts[]): Promise<readonly number[]>
  /** Keeps the original and says under which names; throws when it can't, and then nothing is shortened. */
  keep(kept: KeptResult): Promise<KeptOriginal>
  /** Gives a form of this original that was made before, or makes one. */
  once(call: ToolCall, original: KeptOriginal, make: MakeForm): Promise<ShortenedForm | undefined>
  /** The last kept original of the very same call by the same client. */
  lastOriginal(call: ToolCall): Promise<JsonObject | undefined>
  readonly logger: Logger
}

export interface Treatment {
  readonly goal: string | undefined
  readonly threshold: number
  readonly budget: number
  /** The strategy's name; undefined: the one that the content asks for. */
  readonly strategy: string | undefined
  readonly wish: SummaryWish | undefined
  readonly escalation?: number | undefined
}
