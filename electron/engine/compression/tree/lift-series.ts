import { leavesOf } from '../../text/tree/find-leaves.ts'
import { kindOf, NODE } from '../../text/tree/json-document.ts'
import type { Scoring } from './scoring.ts'
import { isSeries } from '../../text/tree/series.ts'

/** A series' share of the best value nearby: it follows the requested name. */
const SHARE = 0.95

/** A series has no words: when its metric's name fits the goal, its numbers are the answer. */
export function liftSeries({ leaves, values }: Scoring): void {
  const { document } = leaves
  for (let leaf = 0; leaf < leaves.count; leaf++) {
    const node = leaves.nodes[leaf] ?? 0
    const record = leaves.outerRecords[node] ?? -1
    if (record < 0 || kindOf(document, node) !== NODE.array || !isSeries(document, node)) continue
    let best = 0
    const [first, end] = leavesOf(leaves, record)
    for (let other = first; other < end; other++) best = Math.max(best, values[other] ?? 0)
    values[leaf] = Math.max(values[leaf] ?? 0, SHARE * best)
  }
}
