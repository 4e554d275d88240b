import { lengthOf } from './find-leaves.ts'
import type { JsonLeaves } from './find-leaves.ts'

const COST_EXPONENT = 0.15
const CHEAPEST = 8
const DEAREST = 400
/** By estimated tokens, since a power for each of a million leaves is slow. */
const costs = Float64Array.from(
  { length: DEAREST + 1 },
  (_, tokens) => Math.max(tokens, CHEAPEST) ** COST_EXPONENT,
)

/** The `most` best leaves by value, a little in favour of short ones; equal ones in document order. */
export function orderLeaves(leaves: JsonLeaves, values: Float64Array, most: number): number[] {
  const ranks = new Float64Array(leaves.count)
  for (let leaf = 0; leaf < leaves.count; leaf++) {
    const value = values[leaf] ?? 0
    const cost = costs[Math.min(DEAREST, 3 + (lengthOf(leaves, leaf) >> 2))] ?? 1
    ranks[leaf] = value > 0 ? value / cost : value * cost
  }
  // Sorting plain numbers is many times faster than sorting leaves by them: it finds the last rank that is needed.
  const last = leaves.count > most ? (ranks.slice().sort()[leaves.count - most] ?? 0) : -Infinity
  const best: number[] = []
  ranks.forEach((rank, leaf) => {
    if (rank >= last) best.push(leaf)
  })
  return best.sort((a, b) => (ranks[b] ?? 0) - (ranks[a] ?? 0) || a - b)
}
