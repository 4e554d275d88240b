import { combineScores } from './combine-scores.ts'
import { isFailure, type Finding } from './detector.ts'

/** Detection rate and cost: docs/guardrails.md. */
const ATTACK_SCORE = 0.5
/** Smaller contributions explain nothing. */
const WORTH_NAMING = 0.2

export interface ScanVerdict {
  /** `unscanned`: nothing found, but a detector failed or timed out. */
  readonly verdict: 'attack' | 'benign' | 'unscanned'
  readonly score: number
  /** For people, strongest first; they quote the text, so not for models. */
  readonly reasons: readonly string[]
  readonly findings: readonly Finding[]
}

const NOTHING_FOUND: ScanVerdict = { verdict: 'benign', score: 0, reasons: [], findings: [] }

export function judge(findings: readonly Finding[], threshold = ATTACK_SCORE): ScanVerdict {
  if (findings.length === 0 && threshold > 0) return NOTHING_FOUND
  const found = findings.filter((finding) => !isFailure(finding))
  const score = combineScores(found)
  const isWhole = found.length === findings.length
  const reasons = worthNaming(findings).map(({ kind, reason }) => `${kind}: ${reason}`)
  return {
    verdict: score >= threshold ? 'attack' : isWhole ? 'benign' : 'unscanned',
    score,
    reasons: [...new Set(reasons)],
    findings,
  }
}

/** Those that explain a verdict, strongest first. */
export const worthNaming = (findings: readonly Finding[]): Finding[] =>
  findings.filter(({ score }) => score >= WORTH_NAMING).sort((a, b) => b.score - a.score)
