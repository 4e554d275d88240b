import { leavesOf } from '../../text/tree/find-leaves.ts'
import type { Scoring } from './scoring.ts'

const WEIGHT = 0.4
const SHARPNESS = 4

/**
 * A look-up by several values ("sneakers, size 10, gray, leather") needs the inner record with most of them,
 * including the outer record's fields. BM25 adds words up and prefers records that repeat one; here each counts once.
 */
export function liftCoverage({ leaves, goal, terms, weights, values, top }: Scoring): void {
  const size = goal.terms.length
  const scores = new Map<number, number>()
  let best = 0
  for (const outer of leaves.records) {
    const [first, end] = leavesOf(leaves, outer)
    let shared: Uint8Array | undefined
    const inner = new Map<number, Uint8Array>()
    for (let leaf = first; leaf < end; leaf++) {
      const counts = terms.values[leaf]?.counts
      if (counts === undefined) continue
      const record = leaves.innerRecords[leaves.nodes[leaf] ?? 0] ?? -1
      let seen = record === outer ? (shared ??= new Uint8Array(size)) : inner.get(record)
      if (seen === undefined) inner.set(record, (seen = new Uint8Array(size)))
      for (let term = 0; term < size; term++) if (counts[term]! > 0) seen[term] = 1
    }
    for (const [record, seen] of inner) {
      let score = 0
      let own = 0
      for (let term = 0; term < size; term++) {
        if (seen[term] === 1) own++
        if (seen[term] === 1 || shared?.[term] === 1) score += weights[term] ?? 0
      }
      if (own === 0) continue
      scores.set(record, score)
      best = Math.max(best, score)
    }
  }
  for (const [record, score] of scores) {
    const lift = WEIGHT * top * (score / best) ** SHARPNESS
    if (lift < 0.01 * top) continue
    const [first, end] = leavesOf(leaves, record)
    for (let leaf = first; leaf < end; leaf++) values[leaf]! += lift
  }
}
