import { countTokens } from '../../text/tokens/count-tokens.ts'
import { labelOf, type JsonLeaves } from '../../text/tree/find-leaves.ts'
import { keyOf, parentOf, shownNameOf, valueOf } from '../../text/tree/json-document.ts'
import type { Naming } from './naming.ts'

/** Fewer records are all shown or too few to list. */
const FEWEST = 4
/** Least share of the names: a few of many tell nothing. */
const LEAST_SHARE = 0.5
const LONGEST = 60
/** Numbers and codes tell nothing. */
const WORD = /\p{L}{3}/u

/** Names of the outermost records of which nothing is shown, list by list, where most of a list's fit in `budget` tokens. */
export function listNames(
  leaves: JsonLeaves,
  naming: Naming,
  chosen: readonly number[],
  budget: number,
): string {
  const { document, outerRecords, nodes } = leaves
  const nameOf = (record: number): string => {
    const key = keyOf(document, record)
    if (key >= 0) return document.keyNames[key] ?? ''
    const leaf = naming[record] ?? -1
    return leaf < 0 ? '' : valueOf(document, nodes[leaf] ?? 0).trim()
  }
  const shown = new Set(chosen.map((leaf) => outerRecords[nodes[leaf] ?? 0] ?? -1))
  const lists = new Map<number, Map<string, boolean>>()
  for (const record of leaves.records) {
    const list = parentOf(document, record)
    let names = lists.get(list)
    if (names === undefined) lists.set(list, (names = new Map()))
    // Each listed one takes a token or more.
    if (names.size * LEAST_SHARE > shown.size + budget) continue
    const name = nameOf(record)
    if (name !== '' && name.length <= LONGEST && !name.includes('\n'))
      names.set(name, shown.has(record) || names.get(name) === true)
  }
  let left = budget - countTokens('Not shown: and 1,000 more')
  const parts: string[] = []
  const known = new Set<string>()
  for (const [list, names] of lists) {
    const all = [...names.keys()]
    if (all.length < FEWEST || all.filter((name) => WORD.test(name)).length < LEAST_SHARE * all.length)
      continue
    const hidden = all.filter((name) => names.get(name) === false)
    // Many lists have the same members: the interfaces of each metric.
    const set = hidden.toSorted().join('\n')
    if (known.has(set)) continue
    known.add(set)
    const title = lists.size > 1 ? titleOf(leaves, list) : ''
    const listed: string[] = []
    let room = left - (title === '' ? 0 : countTokens(`; ${title}: `))
    for (const name of hidden) {
      const cost = countTokens(`, ${name}`)
      if (cost > room) break
      room -= cost
      listed.push(name)
    }
    if (listed.length === 0 || all.length - hidden.length + listed.length < LEAST_SHARE * all.length) continue
    left = room
    const rest = hidden.length - listed.length
    parts.push(
      `${title === '' ? '' : `${title}: `}${listed.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`,
    )
  }
  return parts.length === 0 ? '' : `Not shown: ${parts.join('; ')}`
}

function titleOf(leaves: JsonLeaves, list: number): string {
  const { document } = leaves
  const key = keyOf(document, list)
  return document.shownNames?.has(key) === true
    ? shownNameOf(document, key)
    : labelOf(leaves, leaves.paths[list] ?? 0)
}
