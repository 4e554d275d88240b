import type { JsonLeaves } from '../../text/tree/find-leaves.ts'
import { isEmpty, lengthOf, pathOf } from '../../text/tree/find-leaves.ts'
import { sourceOf } from '../../text/tree/json-document.ts'
import type { Evidence } from './evidence.ts'

export interface Absent {
  /** By node: empty values that the goal asks for, and records without such a value. */
  readonly wanted: Uint8Array
  /** By node: values that are there. */
  readonly present: Uint8Array
}

/** As programs write that there is none. */
const NONE =
  /^"?(?:false|no|0|none|null|nil|n\/?a|[<(](?:none|nil|null|unset|n\/a)[>)]|\\{1,2}N|-+|unassigned|unset|never)?"?$/i
const LONGEST_NONE = 14

/** "Without an owner", "no fix", "manager is null": records that others have the named field of, and they have not. */
export function findAbsent(leaves: JsonLeaves, { names, above, query }: Evidence): Absent | undefined {
  const asked = query.absent
  if (asked === 0) return undefined
  const { document, nodes, outerRecords, paths } = leaves
  const isNamed = (path: number): boolean => (((names[path] ?? 0) | (above[path] ?? 0)) & asked) === asked
  const filled = new Set<number>()
  const empty: number[] = []
  const present = new Uint8Array(document.count)
  for (let leaf = 0; leaf < leaves.count; leaf++) {
    if (!isNamed(pathOf(leaves, leaf))) continue
    const node = nodes[leaf] ?? 0
    const isNone =
      isEmpty(leaves, leaf) || (lengthOf(leaves, leaf) <= LONGEST_NONE && NONE.test(sourceOf(document, node)))
    if (isNone) empty.push(node)
    else {
      present[node] = 1
      filled.add(outerRecords[node] ?? -1)
    }
  }
  const kinds = new Set(
    [...filled, ...empty.map((node) => outerRecords[node] ?? -1)].map((each) => paths[each]),
  )
  const without = leaves.records.filter((record) => !filled.has(record) && kinds.has(paths[record]))
  if (without.length === 0 || filled.size === 0) return undefined
  const wanted = new Uint8Array(document.count)
  for (const record of without) wanted[record] = 1
  for (const node of empty) if (!filled.has(outerRecords[node] ?? -1)) wanted[node] = 1
  return { wanted, present }
}
