import type { Readable, Writable } from 'node:stream'
import { answerJsonLines } from '../ground/json-lines.ts'
import type { ScanText } from './scan-text.ts'

export interface BulkScanOptions {
  readonly scan: ScanText
  /** Any origin, e.g. performance.now. */
  readonly now: () => number
}

/** JSON lines {id, text} → {id, verdict, score, reasons, ms}, or {id, error} for an invalid line. */
export async function bulkScan(
  input: Readable,
  output: Writable,
  { scan, now }: BulkScanOptions,
): Promise<void> {
  await answerJsonLines(input, output, ({ text }) => {
    if (typeof text !== 'string') throw new Error('"text" must be a string: the text to scan.')
    const start = now()
    const { verdict, score, reasons } = scan(text)
    return { verdict, score, reasons, ms: now() - start }
  })
}
