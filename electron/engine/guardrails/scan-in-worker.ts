import { joinTexts, type JoinedTexts } from '../text/joined-texts.ts'
import { messageOf } from '../ground/errors.ts'
import { failedDetector, type Finding } from './detector.ts'
import type { PlacedText } from './texts-in.ts'
import type { WorkerPool } from '../work/worker-pool.ts'

declare module '../work/jobs.ts' {
  interface WorkerJobs {
    /** Findings by text index. */
    scan: (texts: JoinedTexts) => Promise<[index: number, Finding][]>
  }
}

/** Characters per job: about 30 ms, so that other results get turns. */
const PIECE = 250_000
/** So that no instruction is cut by both neighbouring pieces. */
const OVERLAP = 4_000
/** Processor time of one piece, hundreds of times the usual. */
export const LIMIT_MS = 5_000

/** Balances many short texts. */
const TEXT_SIZE = 16

export interface Piece extends PlacedText {
  /** Offset in its text. */
  readonly from: number
}

/**
 * In pieces, so that verdicts don't depend on context size. An unfinished piece is retried once, then reported as
 * unscanned.
 */
export async function scanInWorker(
  workers: Pick<WorkerPool, 'run'>,
  texts: readonly PlacedText[],
): Promise<Finding[]> {
  const found: Finding[] = []
  // A large piece isn't a small job: it would block the thread for small results.
  const size = texts.reduce((sum, { text }) => sum + text.length + TEXT_SIZE, 0)
  for (const job of jobsOf(texts)) {
    const findings = await scanTwice(workers, job, size)
    for (const finding of findings) found.push(finding)
    // All is quarantined anyway, and each ended thread is costly.
    if (findings.some(({ kind }) => kind === 'detector-failed')) break
  }
  return found
}

async function scanTwice(
  workers: Pick<WorkerPool, 'run'>,
  pieces: readonly Piece[],
  size: number,
): Promise<Finding[]> {
  // One string: transferring thousands takes longer than scanning.
  const joined = joinTexts(pieces.map(({ text }) => text))
  const once = async (): Promise<Finding[]> => {
    const found = await workers.run('scan', joined, { processorMs: LIMIT_MS, size, beside: true })
    return found.map(([index, finding]) => placed(finding, pieces[index]))
  }
  try {
    return await once().catch(once)
  } catch (error) {
    return [failedDetector('built-in', messageOf(error))]
  }
}

export function placed(finding: Finding, piece: Piece | undefined): Finding {
  if (!piece) throw new Error('A finding is about a text that was not sent.')
  const { path, from } = piece
  return from === 0 || finding.end === 0
    ? { ...finding, path }
    : { ...finding, path, start: finding.start + from, end: finding.end + from }
}

export function* jobsOf(texts: readonly PlacedText[]): Generator<readonly Piece[]> {
  let gathered: Piece[] = []
  let size = 0
  for (const { path, text } of texts) {
    if (size > 0 && size + text.length + TEXT_SIZE > PIECE) {
      yield gathered
      gathered = []
      size = 0
    }
    if (text.length > PIECE) {
      yield* piecesOf(path, text)
      continue
    }
    gathered.push({ path, text, from: 0 })
    size += text.length + TEXT_SIZE
  }
  if (gathered.length > 0) yield gathered
}

function* piecesOf(path: string, text: string): Generator<readonly Piece[]> {
  for (let from = 0; from < text.length;) {
    const to = Math.min(text.length, from + PIECE)
    yield [{ path, text: text.slice(from, to), from }]
    if (to === text.length) return
    // At a line start if nearby, because rules use it. Searching the whole rest per piece would be quadratic.
    const line = text.slice(to - OVERLAP, to - OVERLAP / 2).indexOf('\n')
    from = to - OVERLAP + (line + 1)
  }
}
