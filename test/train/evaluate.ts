import { readOrderModel } from '../../electron/engine/guardrails/orders/order-model.ts'
import { createScanText } from '../../electron/engine/guardrails/scan-text.ts'
import type { Case, LabelledText } from './labelled-text.ts'
import { type LinearModel } from './linear-svm.ts'
import { seededRandom } from './seeded-random.ts'
import { quantise, type Calibration } from './quantise.ts'
import { textDecision, trainModel } from './train-model.ts'

const FOLDS = 5
/** Of all families: these tables tell what the classifier adds to it. */
const orders = readOrderModel()
/** The tolerated share of ordinary tool outputs that the model alone flags at the default threshold. */
const TOLERATED = 0.004

export interface Judged {
  readonly item: Case
  /** The model alone. */
  readonly margin: number
  /** Rules and model together. */
  readonly score: number
}

/** Each case judged by a model trained without its group. */
export function crossValidate(
  cases: readonly Case[],
  others: readonly LabelledText[],
): { calibration: Calibration; judged: Judged[] } {
  const folds = foldsOf(cases)
  const models = Array.from({ length: FOLDS }, (_, fold) =>
    trainModel([...cases.filter((item) => item.usable && folds.get(item.group) !== fold), ...others]),
  )
  const modelFor = (item: Case): LinearModel => {
    const model = models[folds.get(item.group) ?? -1]
    if (!model) throw new Error(`The group ${item.group} is in no fold.`)
    return model
  }
  const margins = cases.map((item) => textDecision(modelFor(item), item))
  const calibration = calibrate(cases, margins)
  const scanners = new Map(
    models.map((model) => [model, createScanText({ orders, classifier: quantise(model, calibration) })]),
  )
  const judged = cases.map((item, index) => ({
    item,
    margin: margins[index] ?? 0,
    score: scanners.get(modelFor(item))?.(item.text).score ?? 0,
  }))
  return { calibration, judged }
}

/** The cases of one source, judged by a model trained without that source. */
export function leaveOut(
  source: RegExp,
  cases: readonly Case[],
  others: readonly LabelledText[],
  calibration: Calibration,
): Judged[] {
  const model = trainModel([...cases.filter((item) => item.usable && !source.test(item.source)), ...others])
  const scan = createScanText({ orders, classifier: quantise(model, calibration) })
  return cases
    .filter((item) => source.test(item.source))
    .map((item) => ({ item, margin: textDecision(model, item), score: scan(item.text).score }))
}

function foldsOf(cases: readonly Case[]): Map<string, number> {
  const random = seededRandom(7)
  const groups = [...new Set(cases.map(({ group }) => group))]
  return new Map(groups.map((group) => [group, Math.floor(random() * FOLDS)]))
}

/** The threshold that few ordinary tool outputs reach, and the maximum-likelihood steepness. */
function calibrate(cases: readonly Case[], margins: readonly number[]): Calibration {
  const outputs = margins.filter((_, index) => cases[index]?.attack === false && cases[index]?.toolOutput)
  outputs.sort((a, b) => b - a)
  const threshold = outputs[Math.floor(TOLERATED * outputs.length)] ?? 0
  let steepness = 1
  let least = Infinity
  for (let candidate = 1; candidate <= 16; candidate += 0.25) {
    const loss = cases.reduce((sum, { attack }, index) => {
      const distance = candidate * ((margins[index] ?? 0) - threshold)
      return sum + Math.log1p(Math.exp(attack ? -distance : distance))
    }, 0)
    if (loss < least) {
      least = loss
      steepness = candidate
    }
  }
  return { threshold, steepness }
}
