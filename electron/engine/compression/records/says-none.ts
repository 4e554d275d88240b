import { isEmpty, lengthOf, type JsonLeaves } from '../../text/tree/find-leaves.ts'
import { sourceOf } from '../../text/tree/json-document.ts'

/** As programs write that there is no value: "N/A", "--", "(none)". "false" and 0 are values. */
const NONE =
  /^"?(?:none|null|nil|n\/?a|[<([](?:none|nil|null|unset|n\/a|not (?:available|applicable|specified|set))[>)\]]|not (?:available|applicable|specified|set)|\\{1,2}N|-+|unassigned|unset)"?$/i
const LONGEST_NONE = 18

/** Whether a leaf is empty or says that there is no value. */
export const saysNone = (leaves: JsonLeaves, leaf: number): boolean =>
  isEmpty(leaves, leaf) ||
  (lengthOf(leaves, leaf) <= LONGEST_NONE && NONE.test(sourceOf(leaves.document, leaves.nodes[leaf] ?? 0)))
