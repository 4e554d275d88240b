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
  // Sorting plain numbers is many times faster than sorting leaves by them.
  const sorted = ranks.slice().sort()
  const last = leaves.count > most ? (sorted[leaves.count - most] ?? 0) : -Infinity
  const best: number[] = []
  // So many leaves have been put where the leaves of their rank begin.
  const placed = new Int32Array(leaves.count)
  for (let leaf = 0; leaf < leaves.count; leaf++) {
    const rank = ranks[leaf] ?? 0
    if (rank < last) continue
    const first = leaves.count - firstAbove(sorted, rank)
    best[first + (placed[first] ?? 0)] = leaf
    placed[first]!++
  }
  return best
}

/** The first place of an ascending list whose number is above this one. */
function firstAbove(sorted: Float64Array, number: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) <= number) low = middle + 1
    else high = middle
  }
  return low
}
