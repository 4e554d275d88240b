import type { JoinedTexts } from '../text/joined-texts.ts'

/**
 * Everything that worker threads do, by name. Inputs and outputs cross the thread border as structured clones. A feature
 * declares its jobs beside the code that does them (`declare module`); engine.worker.ts has to hand out every one.
 */
export interface WorkerJobs {
  /** o200k_base. */
  'count-tokens': (text: string) => Promise<number>
  /** Tokens of each, the texts of one counted apart; texts of more than a million characters are estimated. */
  'measure-texts': (documents: readonly JoinedTexts[]) => Promise<number[]>
  /** UTF-8 bytes of one JSON document, such as a line of megabytes from a stdio server, in the pieces in which it came. */
  parse: (pieces: readonly Uint8Array<ArrayBuffer>[]) => unknown
}
