import type { Finding, ImmediateDetector } from './detector.ts'
import type { GuardModel } from './guard-model.ts'
import { readText } from './read-text.ts'
import { createWindowScorer, SUSPICIOUS, type WindowScore } from './window-scorer.ts'

const NAME = 'classifier'
/** Disguised letters from which the plain spelling is scanned, too. */
const DISGUISED = 3
/** Of its probability, beside the orders: of attacks unlike those of its training it finds hardly any. */
const TRUST = 0.45

/**
 * A linear model over hashed n-grams of overlapping 256-character windows; the highest counts. Linear time. Knows
 * little beyond its training data's attacks (docs/guardrails.md), so it only supports other findings, unless it is sure.
 * Definitions address the model by nature, so they are not judged by it.
 */
export function createClassifier(model: GuardModel, read = readText): ImmediateDetector {
  const score = createWindowScorer(model)
  const named = (finding: Omit<Finding, 'detector'>): Finding => ({
    detector: NAME,
    ...finding,
    score: TRUST * finding.score,
  })

  const scan = (text: string): Omit<Finding, 'detector'>[] => {
    const findings = score(text).map(asFinding)
    const { folded, payloads } = read(text)
    if (folded && folded.disguised >= DISGUISED) {
      for (const window of score(folded.text).filter((found) => found.score >= SUSPICIOUS))
        findings.push(
          asFinding({
            score: window.score,
            start: folded.originalIndex(window.start),
            end: folded.originalIndex(window.end),
          }),
        )
    }
    for (const payload of payloads) {
      const highest = score(payload.text)[0]
      if (highest && highest.score >= SUSPICIOUS)
        findings.push({
          kind: 'encoded-payload',
          score: highest.score,
          start: payload.start,
          end: payload.end,
          reason: `holds a message in ${payload.encoding} that reads like an attack: "${payload.text.slice(0, 120)}"`,
        })
    }
    return findings
  }

  return { name: NAME, scanText: (text) => scan(text).map(named), scanDefinition: () => [] }
}

const asFinding = ({ score, start, end }: WindowScore): Omit<Finding, 'detector'> => ({
  kind: 'reads-like-an-attack',
  score,
  start,
  end,
  reason: 'reads like instructions to a model',
})
