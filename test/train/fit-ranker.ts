import type { Example } from './ranker-cases.ts'

/** Reduces the weight of hopeless cases. */
const FLATTENING = 0.3
const PULL = 0.01
const STEPS = 150
const RATE = 0.05

/**
 * Listwise: maximises the softmax mass of rows with an answer, with families weighted by the root of their size,
 * regularised towards the first weights. Adam. A feature in `without` stays 0.
 */
export function fitRanker(
  examples: readonly Example[],
  first: Float64Array,
  without: ReadonlySet<number> = new Set(),
): Float64Array {
  const size = first.length
  const weights = Float64Array.from(first, (weight, i) => (without.has(i) ? 0 : weight))
  const families = new Map<string, number>()
  for (const { family } of examples) families.set(family, (families.get(family) ?? 0) + 1)
  const shares = examples.map(({ family }) => (families.get(family) ?? 1) ** -0.6)
  const total = shares.reduce((sum, share) => sum + share, 0)
  const mean = new Float64Array(size)
  const square = new Float64Array(size)
  for (let step = 1; step <= STEPS; step++) {
    const gradient = new Float64Array(size)
    examples.forEach(({ rows, count, positives }, place) => {
      const scores = new Float64Array(count)
      let best = -Infinity
      for (let row = 0; row < count; row++) {
        let score = 0
        for (let i = 0; i < size; i++) score += rows[row * size + i]! * weights[i]!
        scores[row] = score
        best = Math.max(best, score)
      }
      let all = 0
      let right = 0
      for (let row = 0; row < count; row++) {
        scores[row] = Math.exp(scores[row]! - best)
        all += scores[row]!
        if (row < positives) right += scores[row]!
      }
      const factor = (shares[place]! / total) * Math.max(0.02, right / all) ** FLATTENING
      for (let row = 0; row < count; row++) {
        const push = factor * ((row < positives ? scores[row]! / right : 0) - scores[row]! / all)
        if (Math.abs(push) < 1e-8) continue
        for (let i = 0; i < size; i++) gradient[i]! += push * rows[row * size + i]!
      }
    })
    for (let i = 0; i < size; i++) {
      if (without.has(i)) continue
      const slope = gradient[i]! - PULL * (weights[i]! - first[i]!)
      mean[i] = 0.9 * mean[i]! + 0.1 * slope
      square[i] = 0.99 * square[i]! + 0.01 * slope * slope
      weights[i]! +=
        (RATE * (mean[i]! / (1 - 0.9 ** step))) / (Math.sqrt(square[i]! / (1 - 0.99 ** step)) + 1e-6)
    }
  }
  return weights
}

/** Items a result shows of about 1,000 tokens. */
const SHOWN = 25

/** Share of the examples with an answer among the best items. */
export function winsOf(examples: readonly Example[], weights: Float64Array): number {
  let wins = 0
  for (const { rows, count, positives } of examples) {
    const scores = Array.from({ length: count }, (_, row) => {
      let score = 0
      for (let i = 0; i < weights.length; i++) score += rows[row * weights.length + i]! * weights[i]!
      return score
    })
    const best = Math.max(...scores.slice(0, positives))
    if (scores.slice(positives).filter((score) => score > best).length < SHOWN) wins++
  }
  return wins / examples.length
}
