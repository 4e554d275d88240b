import type { CompressText } from '../../electron/engine/compression/compress-text.ts'
import { loadCompressor } from '../../electron/engine/compression/load-compressor.ts'
import { quantile } from './quantile.ts'
import { sampleTexts } from './sample-texts.ts'

export interface CompressionFigures {
  readonly kind: string
  readonly megabytes: number
  /** Which strategy came to an answer. */
  readonly strategy: string
  readonly tokensBefore: number
  readonly tokensAfter: number
  /** The median of three runs. */
  readonly ms: number
  readonly msPerMegabyte: number
  /** What only cutting off after the budget takes for the same text. */
  readonly headMs: number
}

const BUDGET = 1000
const RUNS = 3

/** Time to shorten texts to 1,000 tokens without a goal, by kind and size, on this thread. */
export async function measureCompression(
  sizes: readonly number[] = [100_000, 1_000_000, 8_000_000],
): Promise<CompressionFigures[]> {
  const compress = await loadCompressor()
  return sampleTexts.flatMap(({ kind, make }) => {
    // The first text of a kind meets cold code.
    compress({ text: make(20_000), budget: BUDGET })
    return sizes.map((size) => measure(compress, kind, make(size)))
  })
}

function measure(compress: CompressText, kind: string, text: string): CompressionFigures {
  const megabytes = Buffer.byteLength(text) / 1e6
  const done = compress({ text, budget: BUDGET })
  const ms = timed(() => compress({ text, budget: BUDGET }))
  return {
    kind,
    megabytes,
    strategy: done.strategy,
    tokensBefore: done.tokensBefore,
    tokensAfter: done.tokensAfter,
    ms,
    msPerMegabyte: ms / megabytes,
    headMs: timed(() => compress({ text, budget: BUDGET, strategy: 'preview' })),
  }
}

const timed = (work: () => unknown): number =>
  quantile(
    Array.from({ length: RUNS }, () => {
      const from = performance.now()
      work()
      return performance.now() - from
    }),
    0.5,
  )
