import type { Policy, SummaryForm } from '../../../shared/policy.ts'
import type { CompressionTrace, ToolCall } from '../message/call.ts'
import type { Read } from '../message/layers.ts'
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
  /** Each part is scanned when sent, so no other route may serve it. */
  readonly tooLargeToScan?: boolean | undefined
  readonly guard: Policy['guard']
  /** The guard lets it pass; rejects if it doesn't. */
  readonly guarded: Promise<void> | undefined
}

export interface KeptOriginal {
  readonly id: string
  /** Of the whole result, in hex. */
  readonly sha256: string
  /** A file with its text, when this client receives one. */
  readonly file?: string | undefined
}

/** Named already, while it is written. */
export interface BegunOriginal extends KeptOriginal {
  /** Rejects where it can't be kept. Await before anything of it is handed out. */
  readonly kept: Promise<KeptOriginal>
}

export interface ShortenedForm {
  readonly result: JsonObject
  readonly trace: CompressionTrace
}

/** Undefined when nothing was shorter. */
export type MakeForm = () => Promise<ShortenedForm | undefined>

export interface SummaryWish {
  /** Per tool. */
  readonly instructions: string | undefined
  readonly form: SummaryForm
  /** Score of an attack in the model's words; undefined: no scan. */
  readonly guardThreshold: number | undefined
}

export interface ShortenInput extends CompressTextInput {
  /** Set when a model summarises: then the strategy is `model`. */
  readonly wish?: SummaryWish | undefined
}

export interface ShortenOutput extends CompressTextOutput {
  /** For the ledger: why model words were dropped or changed. */
  readonly note?: string | undefined
  /** Lacks the model's words, which may succeed another time. */
  readonly provisional?: boolean
}

export interface CompressResultOptions {
  /** Runs in a worker thread, with a model when the input has a `wish`. */
  compress(input: ShortenInput, signal: AbortSignal | undefined): Promise<ShortenOutput>
  /** Undefined when impossible within schema and budget. */
  shrinkStructured(input: ShrinkStructuredInput): Promise<ShrunkStructured | undefined>
  measureStructured(input: MeasureStructuredInput): Promise<MeasuredStructured>
  /** Tokens (o200k_base) of each document, its texts counted separately; long ones in one job of a worker thread. */
  countTokens(documents: readonly JoinedTexts[]): readonly number[] | Promise<readonly number[]>
  /** A call begins whose result may have to be shortened. */
  expect(call: ToolCall): void
  /** Throws on failure; then nothing is shortened. */
  keep(kept: KeptResult): Promise<BegunOriginal>
  /** Reuses an existing form. */
  once(call: ToolCall, original: KeptOriginal, make: MakeForm): Promise<ShortenedForm | undefined>
  /** The last original of the same call by the same client. */
  lastOriginal(call: ToolCall): Promise<JsonObject | undefined>
  /** For the ledger, which sees calls only. */
  readonly onShortenedResource: (read: Read, trace: CompressionTrace, ms: number) => void
  readonly logger: Logger
}

export interface Treatment
  extends
    Omit<
      CompressTextInput,
      'text' | 'tokens' | 'kind' | 'lossless' | 'resultId' | 'summary' | 'blocks' | 'file'
    >,
    Pick<ShortenInput, 'wish'> {
  readonly threshold: number
}
