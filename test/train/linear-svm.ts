/** One window of text: the distinct buckets of its n-grams, each with the value 1 / sqrt(their number). */
export interface Sample {
  readonly buckets: Uint16Array
  readonly label: 1 | -1
  readonly cost: number
}

export interface LinearModel {
  readonly weights: Float64Array
  readonly bias: number
}

export interface TrainingOptions {
  readonly features: number
  /** Maximum passes over all samples. */
  readonly passes: number
  readonly random: () => number
}

/**
 * A linear support vector machine with squared hinge loss, by dual coordinate descent (Hsieh et al., ICML 2008,
 * algorithm 1). The bias is a weight on a constant feature 1.
 */
export function trainLinearSvm(samples: readonly Sample[], options: TrainingOptions): LinearModel {
  const { features, passes, random } = options
  const weights = new Float64Array(features)
  let bias = 0
  const alpha = new Float64Array(samples.length)
  const order = Array.from(samples.keys())

  for (let pass = 0; pass < passes; pass++) {
    shuffle(order, random)
    let largest = 0
    for (const index of order) {
      const sample = samples[index]
      if (!sample) continue
      const { buckets, label, cost } = sample
      const value = 1 / Math.sqrt(buckets.length)
      let sum = 0
      for (const bucket of buckets) sum += weights[bucket] ?? 0
      const slack = 1 / (2 * cost)
      const before = alpha[index] ?? 0
      const gradient = label * (sum * value + bias) - 1 + slack * before
      const projected = before === 0 ? Math.min(gradient, 0) : gradient
      if (projected === 0) continue
      largest = Math.max(largest, Math.abs(projected))
      const after = Math.max(before - gradient / (2 + slack), 0)
      alpha[index] = after
      const change = (after - before) * label
      if (change === 0) continue
      const step = change * value
      for (const bucket of buckets) weights[bucket] = (weights[bucket] ?? 0) + step
      bias += change
    }
    if (largest < 0.01) break
  }
  return { weights, bias }
}

export function decision({ weights, bias }: LinearModel, buckets: Uint16Array): number {
  let sum = 0
  for (const bucket of buckets) sum += weights[bucket] ?? 0
  return sum / Math.sqrt(buckets.length) + bias
}

function shuffle(order: number[], random: () => number): void {
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    const kept = order[i] ?? 0
    order[i] = order[j] ?? 0
    order[j] = kept
  }
}
