import { endOf, kindOf, NODE, type JsonDocument } from '../../text/tree/json-document.ts'

/** Objects with fewer members are records, not maps. */
export const MAP_MEMBERS = 12

/** An object of many members of one kind: its keys are data. */
export function isLikeMap(document: JsonDocument, node: number): boolean {
  if (kindOf(document, node) !== NODE.object) return false
  let members = 0
  let first = -1
  for (let child = node + 1; child < endOf(document, node); child = endOf(document, child)) {
    const kind = Math.min(kindOf(document, child), NODE.true)
    if (kindOf(document, child) === NODE.null) members++
    else if (first >= 0 && kind !== first) return false
    else {
      first = kind
      members++
    }
  }
  return members >= MAP_MEMBERS
}
