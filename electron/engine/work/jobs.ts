import type { JoinedTexts } from '../text/joined-texts.ts'
import type {
  MeasuredStructured,
  MeasureStructuredInput,
  ShrinkStructuredInput,
  ShrunkStructured,
} from '../compression/structured-half.ts'
import type { CompressTextInput, CompressTextOutput } from '../compression/compress-text.ts'
import type { DatabaseRead } from '../ledger/database-reads.ts'
import type { ControlCharacterMode } from '../guardrails/control-characters.ts'
import type { Finding } from '../guardrails/detector.ts'
import type { Revealed } from '../guardrails/reveal.ts'
import type { FindInTextsInput } from '../masking/find-in-texts.ts'
import type { Span } from '../masking/personal-data.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import type { ExploreAnswer } from '../results/explore/answer.ts'
import type { ResultSource } from '../results/pack-result.ts'
import type { PackedResult } from './pack-result.ts'
import type { AnswerToCheck, CheckedAnswer } from '../summaries/check-answer.ts'
import type { ExploreJob } from '../results/result-explorer.ts'

/** Everything that worker threads do, by name. Inputs and outputs cross the thread border as structured clones. */
export interface WorkerJobs {
  compress: (input: CompressTextInput) => Promise<CompressTextOutput>
  /** `structuredContent` within its schema and budget; undefined where that can't be. */
  'shrink-structured': (input: ShrinkStructuredInput) => Promise<ShrunkStructured | undefined>
  /** What the built-in detectors find in these texts, each by itself: which text, and what. */
  scan: (texts: JoinedTexts) => Promise<[index: number, Finding][]>
  /** o200k_base. */
  'count-tokens': (text: string) => Promise<number>
  /** Tokens of each, the texts of one counted apart; texts of more than a million characters are estimated. */
  'measure-texts': (documents: readonly JoinedTexts[]) => Promise<number[]>
  'measure-structured': (input: MeasureStructuredInput) => Promise<MeasuredStructured>
  /** UTF-8 bytes of one JSON document, such as a line of megabytes from a stdio server, in the pieces in which it came. */
  parse: (pieces: readonly Uint8Array<ArrayBuffer>[]) => unknown
  /** `revealForm`; undefined where nothing hides, so that nothing has to be sent back. */
  reveal: (input: {
    value: JsonObject
    mode: ControlCharacterMode
  }) => Promise<Revealed<JsonObject> | undefined>
  'pack-result': (result: JsonObject) => Promise<PackedResult>
  /** With its text as a file shows it. */
  'pack-readable-result': (result: JsonObject) => Promise<PackedResult>
  'unpack-result': (source: ResultSource) => Promise<JsonObject>
  /** One call of an exploration tool. */
  explore: (job: ExploreJob) => Promise<ExploreAnswer>
  /** What of a model's words their source supports. */
  'check-answer': (input: AnswerToCheck) => Promise<CheckedAnswer>
  /** One read of sluice.db whose time grows with it; its answer is typed where it is asked. */
  'read-database': (input: { path: string; read: DatabaseRead }) => Promise<unknown>
  'find-personal-data': (input: FindInTextsInput) => Promise<Span[][]>
}
