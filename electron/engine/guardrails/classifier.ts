import type { Definition, Finding, ImmediateDetector } from './detector.ts'
import type { GuardModel } from './guard-model.ts'
import { readText } from './read-text.ts'
import { textsIn } from './texts-in.ts'
import { createWindowScorer, SUSPICIOUS, type WindowScore } from './window-scorer.ts'

const NAME = 'classifier'
/** Disguised letters from which the plain spelling is scanned, too. */
const DISGUISED = 3
/** Definitions address the model by nature. */
const DEFINITION_MARGIN = 0.4

/**
 * A linear model over hashed n-grams of overlapping 256-character windows; the highest counts. Linear time. Knows
 * little beyond its training data's attacks: see docs/guardrails.md.
 */
export function createClassifier(model: GuardModel, read = readText): ImmediateDetector {
  const score = createWindowScorer(model)
  const named = (finding: Omit<Finding, 'detector'>): Finding => ({ detector: NAME, ...finding })

  const scan = (text: string): Omit<Finding, 'detector'>[] => {
    const findings = score(text, 0).map(asFinding)
    const { folded, payloads } = read(text)
    if (folded && folded.disguised >= DISGUISED) {
      for (const window of score(folded.text, 0).filter((found) => found.score >= SUSPICIOUS))
        findings.push(
          asFinding({
            score: window.score,
            start: folded.originalIndex(window.start),
            end: folded.originalIndex(window.end),
          }),
        )
    }
    for (const payload of payloads) {
      const highest = score(payload.text, 0)[0]
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

  const scanDefinition = ({ value }: Definition): Finding[] =>
    textsIn(value).flatMap(({ path, text }) =>
      score(text, DEFINITION_MARGIN)
        .filter((window) => window.score >= SUSPICIOUS)
        .map((window) => named({ ...asFinding(window), path })),
    )

  return { name: NAME, scanText: (text) => scan(text).map(named), scanDefinition }
}

const asFinding = ({ score, start, end }: WindowScore): Omit<Finding, 'detector'> => ({
  kind: 'reads-like-an-attack',
  score,
  start,
  end,
  reason: 'reads like instructions to a model',
})
