import { addCounts, countTerms, NOTHING, partCounter } from '../../text/words/count-terms.ts'
import type { TermCounts } from '../../text/words/count-terms.ts'
import type { Goal } from '../rank/goal.ts'
import type { JsonLeaves } from '../../text/tree/find-leaves.ts'
import { kindOf, NODE, valueOf } from '../../text/tree/json-document.ts'

/** In values, field names, and names above. */
export interface LeafTerms {
  /** Per leaf: counts in its value. */
  readonly values: readonly TermCounts[]
  /** Per path: its last named key. */
  readonly fields: readonly TermCounts[]
  /** Per path: its key's counts plus ancestors' at a lower weight; undefined when all are zero. */
  readonly pathCounts: readonly (number[] | undefined)[]
}

const ANCESTOR_WEIGHT = 0.6

export function countLeafTerms(leaves: JsonLeaves, goal: Goal): LeafTerms {
  const values = countValues(leaves, goal)
  const byName = new Map<string, TermCounts>()
  const nameCounts = (name: string): TermCounts => {
    let counts = byName.get(name)
    if (counts === undefined) byName.set(name, (counts = countTerms(name, goal)))
    return counts
  }
  const fields: TermCounts[] = []
  const pathCounts: (number[] | undefined)[] = []
  // Counts inherited by child paths: all keys at the ancestors' weight.
  const handedDown: (number[] | undefined)[] = []
  for (let path = 0; path < leaves.pathCount; path++) {
    const parent = leaves.pathParents[path] ?? -1
    const name = leaves.pathNames[path]
    const above = handedDown[parent]
    if (name === undefined) {
      fields.push(fields[parent] ?? NOTHING)
      pathCounts.push(addOwn(above, fields[path]?.counts))
      handedDown.push(above)
      continue
    }
    const own = nameCounts(name)
    fields.push(own)
    pathCounts.push(addOwn(above, own.counts))
    handedDown.push(
      own.counts === undefined ? above : addCounts(addCounts(undefined, above), own.counts, ANCESTOR_WEIGHT),
    )
  }
  return { values, fields, pathCounts }
}

const addOwn = (above: number[] | undefined, own: number[] | undefined): number[] | undefined =>
  own === undefined ? above : addCounts(addCounts(undefined, above), own)

function countValues(leaves: JsonLeaves, goal: Goal): TermCounts[] {
  const { document } = leaves
  const countPart = partCounter(document.text, goal)
  const values: TermCounts[] = []
  let escape = -1
  for (let leaf = 0; leaf < leaves.count; leaf++) {
    const node = leaves.nodes[leaf] ?? 0
    const kind = kindOf(document, node)
    const start = document.starts[node] ?? 0
    const stop = document.stops[node] ?? 0
    if (escape < start) escape = placeOf(document.text.indexOf('\\', start))
    // Escapes stick to words ("\nfoo" in the source reads "nfoo").
    const hasEscapes = kind === NODE.string && escape < stop
    if (kind === NODE.null || kind === NODE.object) values.push(NOTHING)
    else if (hasEscapes) values.push(countTerms(valueOf(document, node), goal))
    else values.push(countPart(start, stop))
  }
  return values
}

const placeOf = (found: number): number => (found < 0 ? Infinity : found)
