import type { Columns } from '../../text/tree/columns.ts'
import type { JsonLeaves } from '../../text/tree/find-leaves.ts'
import { kindOf, NODE, sourceOf } from '../../text/tree/json-document.ts'
import { liftAbove } from './lift-above.ts'
import { valueHash } from './value-hash.ts'

/** Words of failure in a value, not in a path or a name of a file or package. */
const SEVERE =
  /(?<![/._])\b(?:errors?|err|fail\w*|fatal|critical|crit|exception\w*|panic\w*|denied|refused|reject\w*|time[- ]?d? ?out|crash\w*|invalid|unhealthy|degraded|warn(?:ing)?|deprecated|unauthori[sz]ed|forbidden|emerg\w*|alert|abort\w*|cannot|unable|killed|oom\w*|back-?off|down|offline|unreachable|missing|mismatch\w*|violat\w*|corrupt\w*|broken|expired|blocked|stuck|lost)\b(?![@/_]|\.\w)|(?:Error|Failed|Exception|BackOff)\b/i
const LONGEST = 2000

const isSevere = (text: string): boolean => text.length <= LONGEST && SEVERE.test(text)

/** Words of failure in more of a column say nothing. */
const SELDOM = 0.2

/** The same words again. */
const REPEATED = 0.3

/** By leaf and by record, where words of failure are that most of the column hasn't. */
export function findSevere(
  leaves: JsonLeaves,
  columns: Columns,
  isWanted: boolean,
): { readonly severe: Float32Array; readonly severeIn: Float32Array } {
  const { document } = leaves
  const severe = new Float32Array(leaves.count)
  const severeIn = new Float32Array(document.count)
  for (let path = 0; path < (isWanted ? leaves.pathCount : 0); path++) {
    const column = columns.of(path)
    const found: number[] = []
    for (const leaf of column) {
      const node = leaves.nodes[leaf] ?? 0
      const kind = kindOf(document, node)
      if ((kind === NODE.string || kind === NODE.text) && isSevere(sourceOf(document, node))) found.push(leaf)
    }
    if (found.length > Math.max(1, SELDOM * column.length)) continue
    const seen = new Set<number>()
    for (const leaf of found) {
      const node = leaves.nodes[leaf] ?? 0
      const hash = valueHash(document, node)
      const strength = seen.has(hash) ? REPEATED : 1
      seen.add(hash)
      severe[leaf] = strength
      liftAbove(leaves, leaf, severeIn, strength)
    }
  }
  return { severe, severeIn }
}
