import { isEmpty, labelOf, leavesOf, lengthOf, pathOf, type JsonLeaves } from '../../text/tree/find-leaves.ts'
import type { Naming } from './naming.ts'
import { isCode } from './opaque.ts'

/** Fields of a record that are looked at. */
export const MOST_FIELDS = 40
const TITLE = /(?:^|[a-z_])(?:name|title|subject|summary|label)$/i
const LONGEST_TITLE = 90

/** A record's own filled field that is called so; -1 for none. */
export function fieldOf(leaves: JsonLeaves, record: number, called: RegExp): number {
  const [first, end] = leavesOf(leaves, record)
  for (let leaf = first; leaf < Math.min(end, first + MOST_FIELDS); leaf++) {
    const node = leaves.nodes[leaf] ?? 0
    if (
      leaves.innerRecords[node] === record &&
      called.test(labelOf(leaves, pathOf(leaves, leaf))) &&
      !isEmpty(leaves, leaf) &&
      lengthOf(leaves, leaf) < LONGEST_TITLE
    )
      return leaf
  }
  return -1
}

export const isTitle = (leaves: JsonLeaves, leaf: number): boolean =>
  TITLE.test(labelOf(leaves, pathOf(leaves, leaf)))

/** The leaf that names a record; where there is none, or a code, its title; -1 for neither. */
export function nameOf(leaves: JsonLeaves, naming: Naming, record: number): number {
  const leaf = naming[record] ?? -1
  return leaf < 0 || isCode(leaves.document, leaves.nodes[leaf] ?? 0) ? fieldOf(leaves, record, TITLE) : leaf
}
