import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sampleTexts } from './sample-texts.ts'

/** Figures of a process that shortened only one text. */
export interface AloneFigures {
  readonly bytes: number
  /** In V8's memory: two bytes per character if any is outside Latin-1. */
  readonly bytesInMemory: number
  /** The strategy that succeeded. */
  readonly strategy: string
  readonly tokensBefore: number
  readonly tokensAfter: number
  /** Processor time of all threads, garbage collection included; for small texts the median of many runs. */
  readonly cpuMs: number
  /** Time of plain truncation for the same text. */
  readonly headMs: number
  /** Peak resident memory beyond what the process held with the text; Linux only. */
  readonly moreBytes: number | undefined
}

export interface CompressionFigures extends AloneFigures {
  readonly kind: string
  readonly megabytes: number
  readonly msPerMegabyte: number
  /** Relative to the same kind at a megabyte: 1 means linear time. */
  readonly growth: number
  /** Peak additional memory, relative to the text's size. */
  readonly memory: number | undefined
}

const MEGABYTE = 1_000_000
const run = promisify(execFile)

/** Time and memory to shorten texts to 1,000 tokens without a goal, by kind and size, each in its own process. */
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
  // The heap limit of the engine's worker threads.
  const { stdout } = await run(process.execPath, ['--max-old-space-size=4096', script, kind, String(bytes)])
  return JSON.parse(stdout) as AloneFigures
}
