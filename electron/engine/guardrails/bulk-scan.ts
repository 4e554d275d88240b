import type { Readable, Writable } from 'node:stream'
import { answerJsonLines } from '../ground/json-lines.ts'
import type { ScanText } from './scan-text.ts'

export interface BulkScanOptions {
  readonly scan: ScanText
  /** Milliseconds from any point in time, e.g. performance.now. */
  readonly now: () => number
}

/**
 * Scans JSON lines {id, text} from one stream to the other, as {id, verdict, score, reasons, ms}; a line that is not
 * such a request is answered with {id, error}.
 */
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
