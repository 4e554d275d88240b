import type { Finding } from '../detector.ts'

/** "search" is an ordinary word; two-part names such as send_email or sendEmail aren't. */
const DISTINCT = /[a-z0-9][_-][a-z0-9]|[a-z][A-Z]/
const MOST_FINDINGS = 8

export function findForeignTools(text: string, foreignTools: readonly string[]): Omit<Finding, 'detector'>[] {
  if (foreignTools.length === 0) return []
  const names = new Set(foreignTools.filter((name) => name.length >= 6 && DISTINCT.test(name)))
  const findings: Omit<Finding, 'detector'>[] = []
  for (const { index, 0: word } of text.matchAll(/[\w-]{6,128}/g)) {
    if (!names.has(word)) continue
    findings.push({
      kind: 'shadowing',
      score: 0.7,
      start: index,
      end: index + word.length,
      reason: `speaks of "${word}", a tool of another server`,
    })
    if (findings.length === MOST_FINDINGS) break
  }
  return findings
}
