import type { Finding } from './detector.ts'

/**
 * Combined score: the probability that at least one finding is right, assuming independence. A repeated rule counts
 * once.
 */
export function combineScores(findings: readonly Finding[]): number {
  const best = new Map<string, number>()
  for (const { detector, kind, reason, score } of findings) {
    const rule = `${detector} ${kind} ${reason.split(':', 1)[0]}`
    best.set(rule, Math.max(best.get(rule) ?? 0, score))
  }
  let innocence = 1
  for (const score of best.values()) innocence *= 1 - Math.min(1, Math.max(0, score))
  return 1 - innocence
}
