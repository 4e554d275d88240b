import type { TermCounts } from './count-terms.ts'
import { weightsFor, type Query } from './query.ts'

export interface Scorable extends TermCounts {
  /** Counts of companions (headings, title, table header); each term counts at most once. */
  readonly context?: number[] | undefined
  /** Number of equal units; 1. */
  readonly times?: number
}

export interface Bm25Options {
  /** Saturation of repeated words; 1.2. */
  readonly k1?: number
  /** Length penalty; 0.5, lower for lines and leaves. */
  readonly b?: number
  /** Share of context terms; 0.4. */
  readonly contextWeight?: number
  /** Bonus for adjacent query words; 0.3. */
  readonly pairWeight?: number
}

export interface Bm25Scores {
  readonly scores: Float64Array
  /** Inverse document frequency times weight, by term id. */
  readonly weights: Float64Array
  /** Units that contain each term, excluding context. */
  readonly frequencies: Float64Array
}

/** Units carry only the query's counts. */
export function bm25(units: readonly Scorable[], query: Query, options: Bm25Options = {}): Bm25Scores {
  const { k1 = 1.2, b = 0.5, contextWeight = 0.4, pairWeight = 0.3 } = options
  const size = query.terms.length
  const frequencies = new Float64Array(size)
  let totalLength = 0
  let total = 0
  for (const { counts, length, times = 1 } of units) {
    total += times
    totalLength += length * times
    if (counts !== undefined) addFrequencies(frequencies, counts, times)
  }
  const averageLength = totalLength / total || 1
  const weights = new Float64Array(size)
  weightsFor(query, frequencies).forEach((weight, i) => {
    const n = at(frequencies, i)
    weights[i] = weight * Math.log(1 + (total - n + 0.5) / (n + 0.5))
  })

  const scores = new Float64Array(units.length)
  for (let u = 0; u < units.length; u++) {
    const unit = units[u]
    if (unit === undefined || (unit.counts === undefined && unit.context === undefined)) continue
    const saturation = k1 * (1 - b + (b * unit.length) / averageLength)
    const score = scoreOf(unit, weights, contextWeight, k1, saturation)
    scores[u] = score * (1 + (pairWeight * Math.min(2, unit.pairs)) / 2)
  }
  return { scores, weights, frequencies }
}

// Separate loops: V8 leaves an inner loop's fast code at its end.

function addFrequencies(frequencies: Float64Array, counts: readonly number[], times: number): void {
  for (let i = 0; i < frequencies.length; i++)
    if (at(counts, i) > 0) frequencies[i] = at(frequencies, i) + times
}

function scoreOf(
  { counts, context }: Scorable,
  weights: Float64Array,
  contextWeight: number,
  k1: number,
  saturation: number,
): number {
  let score = 0
  for (let i = 0; i < weights.length; i++) {
    const own = counts === undefined ? 0 : at(counts, i)
    const fromContext = context === undefined ? 0 : contextWeight * Math.min(1, at(context, i))
    const frequency = own + fromContext
    if (frequency > 0) score += (at(weights, i) * frequency * (k1 + 1)) / (frequency + saturation)
  }
  return score
}

const at = (list: readonly number[] | Float64Array, i: number): number => list[i] ?? 0
