import { leavesOf } from '../../text/tree/find-leaves.ts'
import { kindOf, NODE } from '../../text/tree/json-document.ts'
import type { Scoring } from './scoring.ts'
import { isSeries } from '../../text/tree/series.ts'

/** Share of the best value around it that a series gets: it follows the name that was asked for. */
const SHARE = 0.95

/** A series has no words of its own: where the name of its metric fits the goal, the numbers are what is wanted. */
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
