import type { Finding } from './detector.ts'

/**
 * Probability that at least one is right, assuming independence. A repeated rule counts once: views of a result share
 * characters.
 */
export function combineScores(findings: readonly Finding[]): number {
  const best = new Map<string, number>()
  for (const { detector, kind, reason, score, rule } of findings) {
    const key = `${detector} ${rule ?? `${kind} ${reason.split(':', 1)[0]}`}`
    best.set(key, Math.max(best.get(key) ?? 0, score))
  }
  let innocence = 1
  for (const score of best.values()) innocence *= 1 - Math.min(1, Math.max(0, score))
  return 1 - innocence
}
