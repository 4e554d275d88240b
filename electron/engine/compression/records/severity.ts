import type { Columns } from '../../text/tree/columns.ts'
import type { JsonLeaves } from '../../text/tree/find-leaves.ts'
import { kindOf, NODE, sourceOf } from '../../text/tree/json-document.ts'
import { COMMENT } from '../../text/readers/comments.ts'
import { recordsByPath } from './naming.ts'
import { liftAbove } from './lift-above.ts'
import { valueHash } from './value-hash.ts'

/** Words of failure in a value, not in a path or a name of a file or package. */
const SEVERE =
  /(?<![/._])\b(?:errors?|err|fail\w*|fatal|critical|crit|exception\w*|panic\w*|denied|refused|reject\w*|time[- ]?d? ?out|crash\w*|invalid|unhealthy|degraded|warn(?:ing)?|deprecated|unauthori[sz]ed|forbidden|emerg\w*|alert|abort\w*|cannot|unable|killed|oom\w*|back-?off|down|offline|unreachable|missing|mismatch\w*|violat\w*|corrupt\w*|broken|expired|blocked|stuck|lost)\b(?![@/_]|\.\w)|(?:Error|Failed|Exception|BackOff)\b/i
const LONGEST = 2000

/** How many records a path's field or the element around it may say that one failed; 0 for other fields. */
function recordsFailing(
  { pathNames, pathParents }: JsonLeaves,
  path: number,
  sizes: ReadonlyMap<number, number>,
): number {
  let isFailure = false
  for (let above = path; above > 0; above = pathParents[above] ?? 0) {
    const records = sizes.get(above)
    if (records !== undefined && isFailure) return records
    isFailure ||= FAILURE.test(pathNames[above] ?? '')
  }
  return 0
}

const isSevere = (text: string): boolean => text.length <= LONGEST && SEVERE.test(text)

/** Words of failure in more of a column say nothing. */
const SELDOM = 0.2
/** Fields that tell that their record failed, where fewer of the records have them filled. */
const FAILURE = /^(?:failures?|errors?|exceptions?|faults?|tracebacks?)$/i
const LEAST_WHOLE = 0.5
const NOTHING = /^["']?(?:0|none|false|no|ok|-|\s*)["']?$/i

/** The same words again. */
const REPEATED = 0.3

/** Of fewer records, states may differ all, too. */
const LEAST_NAMES = 12
const MOSTLY = 0.5
/** Fields that say what happened, however much their values differ. */
const TELLS = /err|fail|exception|fault|reason|cause|message|msg|status|state|result|event|level|severity/i

/** Whether most records have their own value in a field that isn't about what happened. */
function isNames(leaves: JsonLeaves, column: Int32Array, path: number): boolean {
  if (column.length < LEAST_NAMES || TELLS.test(leaves.pathNames[path] ?? '')) return false
  const values = new Set(Array.from(column, (leaf) => valueHash(leaves.document, leaves.nodes[leaf] ?? 0)))
  return values.size >= MOSTLY * column.length
}

/** An identifier, or words that each have a capital: "error-ex@1.3", "Broken Weaver". */
const isName = (source: string): boolean =>
  /^["']?(?:https?:\S+|(?:@[^\s/]+\/)?[^\s/]*[-_.@][^\s/]*|(?:\p{Lu}\S*\s*){1,8})["']?$/u.test(source.trim())

/** By leaf and by record, where words of failure are that most of the column hasn't. `topic`: the share of those in names and descriptions. */
export function findSevere(
  leaves: JsonLeaves,
  columns: Columns,
  isWanted: boolean,
  topic = 1,
): { readonly severe: Float32Array; readonly severeIn: Float32Array } {
  const { document } = leaves
  const severe = new Float32Array(leaves.count)
  const severeIn = new Float32Array(document.count)
  const sizes = isWanted ? recordsByPath(leaves) : new Map<number, number>()
  for (let path = 0; path < (isWanted ? leaves.pathCount : 0); path++) {
    // What a comment says of failures, none had.
    if (leaves.pathNames[path] === COMMENT) continue
    const column = columns.of(path)
    const found: number[] = []
    const failed: number[] = []
    const records = column.length === 0 ? 0 : recordsFailing(leaves, path, sizes)
    for (const leaf of column) {
      const node = leaves.nodes[leaf] ?? 0
      const kind = kindOf(document, node)
      if (kind !== NODE.string && kind !== NODE.text) continue
      const source = sourceOf(document, node)
      if (isSevere(source)) found.push(leaf)
      if (records > 0 && !NOTHING.test(source)) failed.push(leaf)
    }
    const isFailure = failed.length > 0 && failed.length <= LEAST_WHOLE * records
    const isTopic = !isFailure && found.length > 0 && isNames(leaves, column, path)
    if (isTopic) {
      const descriptions = found.filter((leaf) => !isName(sourceOf(document, leaves.nodes[leaf] ?? 0)))
      found.splice(0, found.length, ...descriptions)
    }
    if (!isFailure && found.length > Math.max(1, SELDOM * column.length)) continue
    const seen = new Set<number>()
    for (const leaf of isFailure ? failed : found) {
      const node = leaves.nodes[leaf] ?? 0
      const hash = valueHash(document, node)
      const strength = (isTopic ? topic : 1) * (seen.has(hash) ? REPEATED : 1)
      seen.add(hash)
      severe[leaf] = strength
      liftAbove(leaves, leaf, severeIn, strength)
    }
  }
  return { severe, severeIn }
}
