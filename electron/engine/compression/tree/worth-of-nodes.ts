import { looksOpaque } from '../records/opaque.ts'
import { prepareFeatures, scoreItems } from '../records/rank-records.ts'
import { readRecords } from '../records/read-records.ts'
import { isEmpty, type JsonLeaves } from '../../text/tree/find-leaves.ts'
import type { Goal } from '../rank/goal.ts'
import { isContainer, kindOf, NODE, parentOf } from '../../text/tree/json-document.ts'

/** Fields with this share of the best value are requested by the goal. */
export const ASKED = 0.7

/** Value of each node: its best leaf; without a goal the first values, filled before empty. */
export function worthOfNodes(leaves: JsonLeaves, goal: Goal | undefined): Float64Array {
  const { document } = leaves
  const worth = new Float64Array(document.count).fill(-Infinity)
  const scores = goal && scoreLeaves(leaves, goal)
  for (let leaf = 0; leaf < leaves.count; leaf++) {
    const node = leaves.nodes[leaf] ?? 0
    const isNoise = looksOpaque(document.text, document.starts[node] ?? 0, document.stops[node] ?? 0)
    worth[node] = scores ? (scores[leaf] ?? 0) : (isEmpty(leaves, leaf) ? -2 : 0) - (isNoise ? 1 : 0)
  }
  for (let node = document.count - 1; node > document.root; node--) {
    const parent = parentOf(document, node)
    worth[parent] = Math.max(worth[parent] ?? 0, worth[node] ?? 0)
  }
  return worth
}

/** By leaf: its best piece. */
function scoreLeaves(leaves: JsonLeaves, goal: Goal): Float64Array {
  const read = readRecords(leaves)
  const { items } = read
  const scores = scoreItems(prepareFeatures(read, goal, undefined))
  const best = new Float64Array(leaves.count).fill(-Infinity)
  for (let item = 0; item < items.count; item++) {
    const leaf = items.leafOf[item] ?? 0
    best[leaf] = Math.max(best[leaf] ?? 0, scores[item] ?? 0)
  }
  return best
}

export function longestList({ document }: JsonLeaves): number {
  const lengths = new Int32Array(document.count)
  let longest = 0
  for (let node = document.root + 1; node < document.count; node++) {
    const parent = parentOf(document, node)
    if (!isContainer(document, parent) || kindOf(document, parent) !== NODE.array) continue
    lengths[parent]!++
    longest = Math.max(longest, lengths[parent] ?? 0)
  }
  return longest
}
