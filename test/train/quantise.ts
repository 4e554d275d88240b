import type { GuardModel } from '../../electron/engine/guardrails/guard-model.ts'
import type { LinearModel } from './linear-svm.ts'

/** Turns margins into scores; chosen on cross-validated margins. */
export interface Calibration {
  readonly threshold: number
  readonly steepness: number
}

/** One signed byte per weight, as shipped. */
export function quantise({ weights, bias }: LinearModel, calibration: Calibration): GuardModel {
  const largest = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0)
  const scale = largest / 127
  return {
    weights: Int8Array.from(weights, (weight) => Math.round(weight / scale)),
    scale,
    bias,
    ...calibration,
  }
}
