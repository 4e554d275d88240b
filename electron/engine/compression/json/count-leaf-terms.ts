import { addCounts, countTerms } from '../relevance/count-terms.ts'
import type { TermCounts } from '../relevance/count-terms.ts'
import type { Goal } from '../relevance/goal.ts'
import type { JsonLeaves } from './find-leaves.ts'
import { kindOf, NODE, valueOf } from './json-document.ts'

/** Where the goal's words stand in a document: in values, in field names, in the names above them. */
export interface LeafTerms {
  /** Per leaf: counts in its own value. */
  readonly values: readonly TermCounts[]
  /** Per path: counts in its last named key, and that key's words. */
  readonly fields: readonly TermCounts[]
  /** Per path: its own key's counts plus those of the keys above at a lower weight; undefined without any. */
  readonly pathCounts: readonly (Float32Array | undefined)[]
}

const ANCESTOR_WEIGHT = 0.6
const NOTHING: TermCounts = { counts: undefined, length: 0, pairs: 0 }

export function countLeafTerms(leaves: JsonLeaves, goal: Goal): LeafTerms {
  const values: TermCounts[] = []
  for (let leaf = 0; leaf < leaves.count; leaf++) values.push(countValue(leaves, leaf, goal))

  const byName = new Map<string, TermCounts>()
  const nameCounts = (name: string): TermCounts => {
    let counts = byName.get(name)
    if (counts === undefined) byName.set(name, (counts = countTerms(name, goal)))
    return counts
  }
  const fields: TermCounts[] = []
  const pathCounts: (Float32Array | undefined)[] = []
  // What a path hands down to the paths under it: all its keys at the ancestors' weight.
  const handedDown: (Float32Array | undefined)[] = []
  for (let path = 0; path < leaves.pathCount; path++) {
    const parent = leaves.pathParents[path] ?? -1
    const name = leaves.pathNames[path]
    const above = handedDown[parent]
    if (name === undefined) {
      // Elements of a list are called by the list's name.
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

const addOwn = (above: Float32Array | undefined, own: Float32Array | undefined): Float32Array | undefined =>
  own === undefined ? above : addCounts(addCounts(undefined, above), own)

function countValue(leaves: JsonLeaves, leaf: number, goal: Goal): TermCounts {
  const { document } = leaves
  const node = leaves.nodes[leaf] ?? 0
  const kind = kindOf(document, node)
  if (kind === NODE.null || kind === NODE.object) return NOTHING
  const start = document.starts[node] ?? 0
  const stop = document.stops[node] ?? 0
  // Escapes glue letters to words ("\nfoo" in the source reads "nfoo").
  const hasEscapes = kind === NODE.string && document.text.slice(start, stop).includes('\\')
  return hasEscapes ? countTerms(valueOf(document, node), goal) : countTerms(document.text, goal, start, stop)
}
