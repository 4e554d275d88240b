import { BUCKETS } from '../../electron/engine/guardrails/hashed-windows.ts'
import type { LabelledText } from './labelled-text.ts'
import { decision, trainLinearSvm, type LinearModel, type Sample } from './linear-svm.ts'
import { seededRandom } from './seeded-random.ts'

const COST = 0.25
/** Cost of a false alarm relative to a missed window. */
const BENIGN_WEIGHT = 4
/** A source with this many texts has weight 1 per text. */
const TYPICAL_SOURCE = 150
const ROUNDS = 5
const PASSES = 10

/**
 * Multiple-instance training: the attack's window is not labelled. The first round uses all windows of an attack,
 * later ones only the one with the previous model's highest score. All windows of ordinary texts count.
 */
export function trainModel(texts: readonly LabelledText[]): LinearModel {
  const sizes = new Map<string, number>()
  for (const { source } of texts) sizes.set(source, (sizes.get(source) ?? 0) + 1)
  let model: LinearModel | undefined
  for (let round = 0; round < ROUNDS; round++) {
    const samples = texts.flatMap((text) =>
      samplesOf(text, Math.sqrt(TYPICAL_SOURCE / (sizes.get(text.source) ?? 1)), model),
    )
    model = trainLinearSvm(samples, { features: BUCKETS, passes: PASSES, random: seededRandom(round + 1) })
  }
  if (!model) throw new Error('There was nothing to train.')
  return model
}

function samplesOf(
  { attack, windows }: LabelledText,
  weight: number,
  model: LinearModel | undefined,
): Sample[] {
  if (!attack) return windows.map((buckets) => ({ buckets, label: -1, cost: COST * BENIGN_WEIGHT * weight }))
  const telling = model ? [mostTelling(model, windows)] : windows
  return telling.flatMap((buckets) => (buckets ? [{ buckets, label: 1 as const, cost: COST * weight }] : []))
}

function mostTelling(model: LinearModel, windows: readonly Uint16Array[]): Uint16Array | undefined {
  let best = windows[0]
  let highest = -Infinity
  for (const window of windows) {
    const value = decision(model, window)
    if (value <= highest) continue
    highest = value
    best = window
  }
  return best
}

/** The maximum over a text's windows. */
export const textDecision = (model: LinearModel, { windows }: LabelledText): number =>
  windows.reduce((highest, window) => Math.max(highest, decision(model, window)), -Infinity)
