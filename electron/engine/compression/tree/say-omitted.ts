import { leavesOf } from '../../text/tree/find-leaves.ts'
import type { JsonLeaves } from '../../text/tree/find-leaves.ts'
import { endOf, keyOf, kindOf, NODE, parentOf, type JsonDocument } from '../../text/tree/json-document.ts'
import { groupDigits } from '../group-digits.ts'

/** A longer list is one of records, or of numbers. */
const MOST_ELEMENTS = 12
const MOST_LISTS = 3

/** Describes omissions for the header: records without any shown value, values, and in JSON, which has no mark for a gap, short lists that miss elements. */
export function sayOmitted(
  leaves: JsonLeaves,
  chosen: readonly number[],
  { shortened, isJson }: { readonly shortened: number; readonly isJson: boolean },
): string {
  const parts: string[] = []
  const total = leaves.records.length
  if (total > 1) {
    const missing = leaves.records.filter((record) => !showsAny(leaves, record, chosen)).length
    if (missing > 0) parts.push(`${groupDigits(missing)} of ${groupDigits(total)} records`)
  }
  const left = leaves.count - chosen.length
  if (left > 0) parts.push(`${groupDigits(left)} of ${groupDigits(leaves.count)} values`)
  if (shortened > 0)
    parts.push(`parts of ${groupDigits(shortened)} long ${shortened === 1 ? 'value' : 'values'}`)
  const cut = isJson ? [...cutLists(leaves, chosen)] : []
  if (cut.length > 0)
    parts.push(`elements of ${cut.slice(0, MOST_LISTS).join(', ')}${cut.length > MOST_LISTS ? ' …' : ''}`)
  return parts.join(', ')
}

/** Names of short lists in records of which some elements are shown and some are not: a flight's legs, labels. */
function cutLists(leaves: JsonLeaves, chosen: readonly number[]): Set<string> {
  const { document } = leaves
  const records = new Set(leaves.records)
  const shown = new Map<number, Set<number>>()
  for (const leaf of chosen) {
    let node = leaves.nodes[leaf] ?? 0
    for (let above = parentOf(document, node); above >= document.root; above = parentOf(document, above)) {
      if (kindOf(document, above) === NODE.array && keyOf(document, above) >= 0 && !records.has(node)) {
        const elements = shown.get(above)
        if (elements === undefined) shown.set(above, new Set([node]))
        else elements.add(node)
      }
      node = above
    }
  }
  const names = new Set<string>()
  for (const [list, elements] of shown) {
    const count = elementsIn(document, list)
    if (count > elements.size && count <= MOST_ELEMENTS)
      names.add(document.keyNames[keyOf(document, list)] ?? '')
  }
  return names
}

/** At most one more than a short list has. */
function elementsIn(document: JsonDocument, list: number): number {
  let count = 0
  for (
    let node = list + 1;
    node < endOf(document, list) && count <= MOST_ELEMENTS;
    node = endOf(document, node)
  )
    count++
  return count
}

function showsAny(leaves: JsonLeaves, record: number, chosen: readonly number[]): boolean {
  const [first, end] = leavesOf(leaves, record)
  let low = 0
  let high = chosen.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((chosen[middle] ?? 0) < first) low = middle + 1
    else high = middle
  }
  return (chosen[low] ?? end) < end
}
