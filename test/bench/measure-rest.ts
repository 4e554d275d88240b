/**
 * `node test/bench/measure-rest.ts`: what the lossless form saves on REST API answers against minified JSON, in o200k
 * tokens. The documents are GitHub's (octokit's fixtures and payload examples) from the labelled cases beside the
 * project, each once, and decoded again for comparison.
 */
import { isDeepStrictEqual } from 'node:util'
import { decodeLossless } from '../helpers/decode-lossless.ts'
import { loadCompressor } from '../../electron/engine/compression/load-compressor.ts'
import { countTokens } from '../../electron/engine/text/tokens/count-tokens.ts'
import { readDocuments } from '../train/read-cases.ts'

/** Larger than any of them. */
const BUDGET = 10_000_000

const compress = await loadCompressor()
const sums = new Map<string, { documents: number; minified: number; short: number; inexact: number }>()
for (const { source, text } of readDocuments(/^octokit\//)) {
  const value: unknown = JSON.parse(text)
  const minified = JSON.stringify(value)
  const short = compress({ text, budget: BUDGET, lossless: true }).text
  const body = short.startsWith('[Compressed') ? short.slice(short.indexOf('\n\n') + 2) : short
  const isShort = body.startsWith('{"form"')
  const back: unknown = JSON.parse(isShort ? decodeLossless(body) : body)
  const sum = sums.get(source) ?? { documents: 0, minified: 0, short: 0, inexact: 0 }
  sum.documents++
  sum.minified += countTokens(minified)
  sum.short += countTokens(short)
  if (!isDeepStrictEqual(back, value)) sum.inexact++
  sums.set(source, sum)
}
const all = { documents: 0, minified: 0, short: 0, inexact: 0 }
for (const sum of sums.values())
  for (const key of ['documents', 'minified', 'short', 'inexact'] as const) all[key] += sum[key]
sums.set('all', all)
console.table(
  [...sums].map(([source, sum]) => ({
    source,
    ...sum,
    less: `${(100 * (1 - sum.short / sum.minified)).toFixed(1)} %`,
  })),
)
