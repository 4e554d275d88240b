import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sampleTexts } from './sample-texts.ts'

/** What a process says that shortened one text and nothing else. */
export interface AloneFigures {
  /** UTF-8. */
  readonly bytes: number
  /** As V8 holds the text: two for each character as soon as one is not in Latin-1. */
  readonly bytesInMemory: number
  /** Which strategy came to an answer. */
  readonly strategy: string
  readonly tokensBefore: number
  readonly tokensAfter: number
  /** Processor time of all its threads, collecting garbage included; of small texts the median of many runs. */
  readonly cpuMs: number
  /** What only cutting off after the budget takes for the same text. */
  readonly headMs: number
  /** Resident memory at the most, beyond what the process held with the text in it; Linux only. */
  readonly moreBytes: number | undefined
}

export interface CompressionFigures extends AloneFigures {
  readonly kind: string
  readonly megabytes: number
  readonly msPerMegabyte: number
  /** As a multiple of that of the same kind at a megabyte: 1 where time grows linearly. */
  readonly growth: number
  /** More memory at the most, as a multiple of the text's own. */
  readonly memory: number | undefined
}

const MEGABYTE = 1_000_000
const run = promisify(execFile)

/** Time and memory to shorten texts to 1,000 tokens without a goal, by kind and size, each in a process of its own. */
export async function measureCompression(
  sizes: readonly number[] = [10_000, MEGABYTE, 50 * MEGABYTE],
): Promise<CompressionFigures[]> {
  const figures: CompressionFigures[] = []
  for (const { kind } of sampleTexts) {
    const ofKind: (AloneFigures & { perMegabyte: number })[] = []
    for (const size of sizes) {
      const alone = await compressAlone(kind, size)
      ofKind.push({ ...alone, perMegabyte: (alone.cpuMs / alone.bytes) * MEGABYTE })
    }
    const middle = ofKind[sizes.indexOf(MEGABYTE)] ?? ofKind[0]
    for (const { perMegabyte, ...alone } of ofKind) {
      figures.push({
        kind,
        ...alone,
        megabytes: alone.bytes / MEGABYTE,
        msPerMegabyte: perMegabyte,
        growth: perMegabyte / (middle?.perMegabyte ?? Number.NaN),
        memory: alone.moreBytes === undefined ? undefined : alone.moreBytes / alone.bytesInMemory,
      })
    }
  }
  return figures
}

async function compressAlone(kind: string, bytes: number): Promise<AloneFigures> {
  const script = join(import.meta.dirname, 'compress-alone.ts')
  // As much heap as a worker thread of the engine may have at the most.
  const { stdout } = await run(process.execPath, ['--max-old-space-size=4096', script, kind, String(bytes)])
  return JSON.parse(stdout) as AloneFigures
}
