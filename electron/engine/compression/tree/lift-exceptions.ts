import { isEmpty, leavesOf, lengthOf } from '../../text/tree/find-leaves.ts'
import { parentOf, sourceOf } from '../../text/tree/json-document.ts'
import type { Scoring } from './scoring.ts'

const WEIGHT = 1.2
const REST_OF_RECORD = 0.5
const LONGEST = 42
/** Most distinct values of a category column, or their share of its size. */
const MOST_VALUES = 12
const SHARE = 0.2

/** "Not running": raises other values, and their records, in category columns with the negated word. */
export function liftExceptions({ leaves, goal, terms, columns, values, top }: Scoring): void {
  if (goal.denied.length === 0) return
  const isDenied = (leaf: number): boolean =>
    goal.denied.some((term) => (terms.values[leaf]?.counts?.[term] ?? 0) > 0)
  for (let path = 0; path < columns.count; path++) {
    const column = columns.of(path)
    if (column.length < 3 || !column.some(isDenied)) continue
    const kinds = new Set<string>()
    const others: number[] = []
    for (const leaf of column) {
      if (lengthOf(leaves, leaf) > LONGEST) break
      kinds.add(sourceOf(leaves.document, leaves.nodes[leaf] ?? 0))
      if (!isDenied(leaf) && !isEmpty(leaves, leaf)) others.push(leaf)
    }
    if (kinds.size > Math.max(MOST_VALUES, SHARE * column.length)) continue
    for (const exception of others) {
      const node = leaves.nodes[exception] ?? 0
      const record = leaves.outerRecords[node] ?? -1
      const [first, end] = leavesOf(leaves, record >= 0 ? record : parentOf(leaves.document, node))
      for (let leaf = first; leaf < end; leaf++)
        values[leaf]! += WEIGHT * top * (leaf === exception ? 1 : REST_OF_RECORD)
    }
  }
}
