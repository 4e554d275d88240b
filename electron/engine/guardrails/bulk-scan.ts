import type { Readable, Writable } from 'node:stream'
import { answerJsonLines } from '../ground/json-lines.ts'
import { placedFindings } from './placed-findings.ts'
import type { ScanText } from './scan-text.ts'

export interface BulkScanOptions {
  readonly scan: ScanText
  /** Any origin, e.g. performance.now. */
  readonly now: () => number
}

/** JSON lines {id, text} → {id, verdict, score, reasons, findings, ms}, or {id, error} for an invalid line. */
export async function bulkScan(
  input: Readable,
  output: Writable,
  { scan, now }: BulkScanOptions,
): Promise<void> {
  await answerJsonLines(input, output, ({ text }) => {
    if (typeof text !== 'string') throw new Error('"text" must be a string: the text to scan.')
    const start = now()
    const judged = scan(text)
    const { verdict, score, reasons } = judged
    const ms = now() - start
    return { verdict, score, reasons, findings: placedFindings(text, judged), ms }
  })
}
