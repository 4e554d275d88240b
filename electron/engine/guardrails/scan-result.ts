import { messageOf } from '../ground/errors.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import type { WorkerPool } from '../work/worker-pool.ts'
import { failedDetector, type Finding } from './detector.ts'
import { readResult } from './result-texts.ts'
import { jobsOf, LIMIT_MS, placed, type Piece } from './scan-in-worker.ts'
import type { TextScan } from './scan-text.ts'

declare module '../work/jobs.ts' {
  interface WorkerJobs {
    /** One part, from this piece on. */
    'scan-result': (input: ScanResultInput) => Promise<ScannedPart>
  }
}

export interface ScanResultInput {
  readonly value: JsonObject
  /** Limit in characters. */
  readonly most: number
  readonly from: number
}

/** For the whole result, except `findings`. */
export interface ScannedResult {
  readonly findings: Finding[]
  /** Declared as text but unreadable. */
  readonly unreadable: readonly string[]
  readonly isTooLarge: boolean
}

export interface ScannedPart extends ScannedResult {
  /** First piece of the next part. */
  readonly next: number | undefined
}

/** Then other results get a turn. */
const PART_MS = 30

/** In the worker thread. The texts read are kept as long as the result. */
export function createScanResult(scan: TextScan): (input: ScanResultInput) => Promise<ScannedPart> {
  const known = new WeakMap<JsonObject, ReturnType<typeof read>>()
  return async ({ value, most, from }) => {
    const { pieces, size, unreadable } = known.get(value) ?? read(value)
    if (size > most) return { findings: [], unreadable, isTooLarge: true, next: undefined }
    const began = performance.now()
    const findings: Finding[] = []
    let at = from
    for (; at < pieces.length && performance.now() - began < PART_MS; at++)
      for (const piece of pieces[at] ?? [])
        for (const finding of scan(piece.text)) findings.push(placed(finding, piece))
    const next = at < pieces.length ? at : undefined
    if (next !== undefined) known.set(value, { pieces, size, unreadable })
    return { findings, unreadable, isTooLarge: false, next }
  }
}

function read(value: JsonObject): {
  pieces: (readonly Piece[])[]
  size: number
  unreadable: readonly string[]
} {
  const { texts, unreadable } = readResult(value)
  const size = texts.reduce((sum, { text }) => sum + text.length, 0)
  return { pieces: [...jobsOf(texts)], size, unreadable }
}

/**
 * Like `readResult` with `scanInWorker`, but the worker reads: the result is transferred once. An unfinished part is
 * retried once, then reported as unscanned.
 */
export async function scanResultInWorker(
  workers: Pick<WorkerPool, 'run'>,
  value: JsonObject,
  most: number,
): Promise<ScannedResult> {
  const findings: Finding[] = []
  let whole: ScannedResult = { findings, unreadable: [], isTooLarge: false }
  for (let from: number | undefined = 0; from !== undefined;) {
    const input: ScanResultInput = { value, most, from }
    const once = (): Promise<ScannedPart> =>
      workers.run('scan-result', input, { processorMs: LIMIT_MS, keeps: true, beside: true })
    try {
      const part: ScannedPart = await once().catch(once)
      for (const finding of part.findings) findings.push(finding)
      whole = { findings, unreadable: part.unreadable, isTooLarge: part.isTooLarge }
      from = part.next
    } catch (error) {
      findings.push(failedDetector('built-in', messageOf(error)))
      return { ...whole, findings }
    }
  }
  return whole
}
