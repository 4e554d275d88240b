import type { Readable, Writable } from 'node:stream'
import { answerJsonLines } from '../json-lines.ts'
import { SAMPLE_TEXTS } from './sample-texts.ts'
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
  warmUp(scan)
  await answerJsonLines(input, output, ({ text }) => {
    if (typeof text !== 'string') throw new Error('"text" must be a string: the text to scan.')
    const start = now()
    const { verdict, score, reasons } = scan(text)
    return { verdict, score, reasons, ms: now() - start }
  })
}

const WARM_UP_ROUNDS = 25

/** Compiles patterns and code before the first text, so that `ms` is what a text costs in a running engine, not at the start. */
function warmUp(scan: ScanText): void {
  for (let round = 0; round < WARM_UP_ROUNDS; round++) for (const text of SAMPLE_TEXTS) scan(text)
}
