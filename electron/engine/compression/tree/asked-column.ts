import { countTerms } from '../../text/words/count-terms.ts'
import type { Goal } from '../rank/goal.ts'
import { countTokens } from '../../text/tokens/count-tokens.ts'
import type { Columns } from '../../text/tree/columns.ts'
import { isEmpty, lengthOf, pathOf } from '../../text/tree/find-leaves.ts'
import type { JsonLeaves } from '../../text/tree/find-leaves.ts'
import { endOf, kindOf, NODE, parentOf } from '../../text/tree/json-document.ts'
import type { Insertion } from './render-leaves.ts'
import type { LeafTexts } from './leaf-texts.ts'

/** Number of best leaves examined, and the share that must have one path. */
const BEST = 24
const DOMINANT = 0.7
const FEWEST = 12
/** Share of the goal's weight that names on a field's path must cover. */
const COVERED = 0.6
const LONGEST = 160
/** A smaller share doesn't represent the field. */
const LEAST_SHOWN = 0.2
/** Largest share of the budget for the list. */
const SHARE = 0.88

/**
 * When the best leaves are one field ("locations city" of sixty locations), the goal doesn't distinguish them: lists
 * the field's name and distinct values once; the best when not all fit. Not for long texts.
 */
export function listAskedColumn(
  leaves: JsonLeaves,
  columns: Columns,
  goal: Goal,
  order: readonly number[],
  texts: LeafTexts,
  budget: number,
): Insertion | undefined {
  const path = dominantPath(leaves, order)
  if (path === undefined || !asksForField(leaves, path, goal)) return undefined
  const ranks = new Map(order.map((leaf, rank) => [leaf, rank]))
  const column = [...columns.of(path)].filter((leaf) => !isEmpty(leaves, leaf))
  if (column.some((leaf) => lengthOf(leaves, leaf) > LONGEST)) return undefined
  column.sort((a, b) => (ranks.get(a) ?? order.length) - (ranks.get(b) ?? order.length) || a - b)
  const values = new Map<string, number>()
  for (const leaf of column) if (!values.has(texts.of(leaf))) values.set(texts.of(leaf), leaf)
  if (values.size < FEWEST) return undefined

  const container = commonContainer(leaves, columns.of(path))
  const name = JSON.stringify(
    `${relativePath(leaves, path, leaves.paths[container] ?? 0)} (${values.size} values)`,
  )
  let left = budget * SHARE - countTokens(`${name}:["… 1000 more"]`)
  const fitting: number[] = []
  for (const [value, leaf] of values) {
    left -= countTokens(`,${value}`)
    if (left < 0) break
    fitting.push(leaf)
  }
  const shown = fitting.sort((a, b) => a - b).map((leaf) => texts.of(leaf))
  if (shown.length < FEWEST || shown.length < LEAST_SHOWN * values.size) return undefined
  const rest = values.size - shown.length
  if (rest > 0) shown.push(JSON.stringify(`… ${rest} more`))
  const member = `${name}:[${shown.join(',')}]`
  return { container, text: kindOf(leaves.document, container) === NODE.object ? member : `{${member}}` }
}

/** Goal words outside the path's names would distinguish values. */
function asksForField(leaves: JsonLeaves, path: number, goal: Goal): boolean {
  const names: string[] = []
  for (let at = path; at > 0; at = leaves.pathParents[at] ?? 0) names.push(leaves.pathNames[at] ?? '')
  const { counts } = countTerms(names.join(' '), goal)
  let all = 0
  let covered = 0
  goal.terms.forEach(({ kind, weight }, id) => {
    if (kind !== 'stem' && kind !== 'light') return
    all += weight
    if ((counts?.[id] ?? 0) > 0) covered += weight
  })
  return covered >= COVERED * all
}

function dominantPath(leaves: JsonLeaves, order: readonly number[]): number | undefined {
  const counts = new Map<number, number>()
  const best = order.slice(0, BEST)
  for (const leaf of best) {
    const path = pathOf(leaves, leaf)
    counts.set(path, (counts.get(path) ?? 0) + 1)
  }
  const [first] = [...counts].sort((a, b) => b[1] - a[1])
  return first && best.length === BEST && first[1] >= DOMINANT * BEST ? first[0] : undefined
}

/** The innermost object with all the leaves; the root when that is a list. */
function commonContainer({ document, nodes }: JsonLeaves, column: Int32Array): number {
  const first = nodes[column[0] ?? 0] ?? 0
  const last = nodes[column.at(-1) ?? 0] ?? 0
  let container = parentOf(document, first)
  const isTooSmall = (node: number): boolean =>
    endOf(document, node) <= last || kindOf(document, node) !== NODE.object
  while (parentOf(document, container) >= 0 && isTooSmall(container))
    container = parentOf(document, container)
  return Math.max(container, document.root)
}

/** "locations[].city", with `[]` for list elements. */
function relativePath(leaves: JsonLeaves, path: number, from: number): string {
  let name = ''
  for (let at = path; at !== from && at > 0; at = leaves.pathParents[at] ?? 0) {
    const key = leaves.pathKeys[at] ?? -1
    const own = leaves.pathNames[at]
    // A place in a table row may have a name, but no key.
    const step = own === undefined ? '[]' : key < 0 ? `[${own}]` : `.${own}`
    name = step + name
  }
  return name.replace(/^\./, '')
}
