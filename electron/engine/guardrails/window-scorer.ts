import type { GuardModel } from './guard-model.ts'
import { BUCKETS, forEachHalfWindow } from './hashed-windows.ts'

/** Below this a window isn't a separate finding. */
export const SUSPICIOUS = 0.5
/** In very short texts a single gram would decide. About as many as in "ignore previous instructions". */
const LEAST_GRAMS = 100
/** Restart of the half-window counter, above any text's number. */
const MOST_HALVES = 2 ** 30
/** Lower scores are omitted. */
const SILENT = 0.01
const MOST_FINDINGS = 8

export interface WindowScore {
  readonly score: number
  readonly start: number
  readonly end: number
}

export function createWindowScorer(model: GuardModel): (text: string) => WindowScore[] {
  const { weights, scale, bias, threshold, steepness } = model
  const lastSeen = new Int32Array(BUCKETS)
  let half = 0

  return (text) => {
    if (half > MOST_HALVES) {
      lastSeen.fill(0)
      half = 0
    }
    // Halves of the previous text must not look like neighbours.
    half++
    const first = half + 1
    let before = { sum: 0, distinct: 0, start: 0, end: 0 }
    let highest: WindowScore | undefined
    let suspicious: WindowScore[] = []

    const look = (sum: number, distinct: number, start: number, end: number): void => {
      const value = (scale * sum) / Math.sqrt(Math.max(LEAST_GRAMS, distinct)) + bias
      const score = 1 / (1 + Math.exp(-steepness * (value - threshold)))
      if (!highest || score > highest.score) highest = { score, start, end }
      if (score >= SUSPICIOUS) suspicious = keep(suspicious, { score, start, end })
    }

    forEachHalfWindow(text, (buckets, count, start, end) => {
      half++
      let sum = 0
      let distinct = 0
      let sharedSum = 0
      let shared = 0
      // Without a second buffer, because this loop dominates scan time.
      for (let i = 0; i < count; i++) {
        const bucket = buckets[i] ?? 0
        const seen = lastSeen[bucket] ?? 0
        if (seen === half) continue
        lastSeen[bucket] = half
        const weight = weights[bucket] ?? 0
        sum += weight
        distinct++
        if (seen !== half - 1) continue
        sharedSum += weight
        shared++
      }
      if (half > first)
        look(before.sum + sum - sharedSum, before.distinct + distinct - shared, before.start, end)
      before = { sum, distinct, start, end }
    })
    if (half === first) look(before.sum, before.distinct, before.start, before.end)
    return ranked(highest, suspicious)
  }
}

function ranked(highest: WindowScore | undefined, suspicious: readonly WindowScore[]): WindowScore[] {
  if (!highest || highest.score < SILENT) return []
  return [highest, ...suspicious.filter((window) => !overlap(window, highest))].slice(0, MOST_FINDINGS)
}

function keep(kept: WindowScore[], window: WindowScore): WindowScore[] {
  const last = kept.at(-1)
  if (last && overlap(last, window)) return last.score >= window.score ? kept : [...kept.slice(0, -1), window]
  return kept.length < MOST_FINDINGS ? [...kept, window] : kept
}

const overlap = (a: WindowScore, b: WindowScore): boolean => a.start < b.end && b.start < a.end
