import type { JoinedTexts } from '../text/joined-texts.ts'

/**
 * Inputs and outputs are structured clones. Features declare jobs beside their code (`declare module`);
 * engine.worker.ts must dispatch each.
 */
export interface WorkerJobs {
  /** o200k_base. */
  'count-tokens': (text: string) => Promise<number>
  'measure-texts': (documents: readonly JoinedTexts[]) => Promise<number[]>
  /** UTF-8 pieces of one document, such as a line of megabytes from a stdio server. */
  parse: (pieces: readonly Uint8Array<ArrayBuffer>[]) => unknown
}
