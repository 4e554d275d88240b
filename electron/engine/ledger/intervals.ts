/** 95 %. */
interface Interval {
  readonly low: number
  readonly high: number
}

const Z = 1.959964

/** Of a share: Wilson's score interval. */
export function wilson(hits: number, total: number): Interval {
  if (total === 0) return { low: 0, high: 1 }
  const share = hits / total
  const middle = share + Z ** 2 / (2 * total)
  const half = Z * Math.sqrt((share * (1 - share)) / total + Z ** 2 / (4 * total ** 2))
  const scale = 1 + Z ** 2 / total
  return { low: Math.max(0, (middle - half) / scale), high: Math.min(1, (middle + half) / scale) }
}

const RESAMPLES = 1000

/** Of a mean: percentiles of resampled means. Deterministic. */
export function bootstrapMean(values: readonly number[]): Interval {
  if (values.length === 0) return { low: 0, high: 0 }
  const random = randomFrom(values.length)
  const means = Array.from({ length: RESAMPLES }, () => {
    let sum = 0
    for (let i = 0; i < values.length; i++) sum += values[Math.floor(random() * values.length)] ?? 0
    return sum / values.length
  }).sort((a, b) => a - b)
  return { low: means[RESAMPLES * 0.025] ?? 0, high: means[RESAMPLES * 0.975 - 1] ?? 0 }
}

/** Mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
