import { countTokens } from '../../text/tokens/count-tokens.ts'
import type { JsonLeaves } from '../../text/tree/find-leaves.ts'
import { valueOf } from '../../text/tree/json-document.ts'
import type { Naming } from './naming.ts'

/** Fewer records are all shown or too few to list. */
const FEWEST = 4
/** Least share of the names: a few of many tell nothing. */
const LEAST_SHARE = 0.5
const LONGEST = 60
/** Numbers and codes tell nothing. */
const WORD = /\p{L}{3}/u

/** Names of the outermost records of which nothing is shown, where most fit in `budget` tokens. */
export function listNames(
  leaves: JsonLeaves,
  naming: Naming,
  chosen: readonly number[],
  budget: number,
): string {
  const { document } = leaves
  const nameOf = (record: number): string => {
    const leaf = naming[record] ?? -1
    return leaf < 0 ? '' : valueOf(document, leaves.nodes[leaf] ?? 0).trim()
  }
  const shown = new Set(chosen.map((leaf) => nameOf(leaves.outerRecords[leaves.nodes[leaf] ?? 0] ?? -1)))
  const names = new Set<string>()
  for (let node = document.root; node < document.count; node++) {
    if (leaves.outerRecords[node] !== node) continue
    const name = nameOf(node)
    if (name !== '' && name.length <= LONGEST && !name.includes('\n')) names.add(name)
    // Each listed one takes a token or more.
    if (names.size * LEAST_SHARE > shown.size + budget) return ''
  }
  const words = [...names].filter((name) => WORD.test(name)).length
  if (names.size < FEWEST || words < LEAST_SHARE * names.size) return ''
  const hidden = [...names].filter((name) => !shown.has(name))
  const listed: string[] = []
  let left = budget - countTokens('Not shown: and 1,000 more')
  for (const name of hidden) {
    left -= countTokens(`, ${name}`)
    if (left < 0) break
    listed.push(name)
  }
  if (listed.length === 0 || names.size - hidden.length + listed.length < LEAST_SHARE * names.size) return ''
  const rest = hidden.length - listed.length
  return `Not shown: ${listed.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
