import { leavesOf, pathOf, type JsonLeaves } from '../../text/tree/find-leaves.ts'

const LEAST = 3
/** A longer record does not belong to a list of lines. */
const MOST_FIELDS = 60
/** Records with fields of their own each have no common shape. */
const MOST_SHAPES = 12

/** Of a field's leaves in records of one shape; undefined for no name. */
type WorthOf = (
  leaves: JsonLeaves,
  path: number,
  column: Int32Array,
  size: number,
  depth: number,
  isFirst: boolean,
) => number | undefined

/**
 * Records of several kinds in one list share no name: those that have none are named among those with the same fields, like
 * the ends of searches between their hits.
 */
export function nameByShape(leaves: JsonLeaves, naming: Int32Array, worthOf: WorthOf): void {
  for (const [path, shapes] of shapesOf(leaves, naming)) {
    if (shapes.size > MOST_SHAPES) continue
    for (const records of shapes.values())
      if (records.length >= LEAST) nameAmong(leaves, naming, path, records, worthOf)
  }
}

/** By path of unnamed records: records by the fields that they have. */
function shapesOf(leaves: JsonLeaves, naming: Int32Array): Map<number, Map<string, number[]>> {
  const byPath = new Map<number, Map<string, number[]>>()
  const { document, innerRecords, paths } = leaves
  for (let node = document.root; node < document.count; node++) {
    if (innerRecords[node] !== node || naming[node] !== -1 || leaves.rows.has(node)) continue
    const path = paths[node] ?? 0
    const shapes = byPath.get(path) ?? new Map<string, number[]>()
    byPath.set(path, shapes)
    if (shapes.size > MOST_SHAPES) continue
    const shape = ownFields(leaves, node)
    if (shape === undefined) continue
    const records = shapes.get(shape)
    if (records === undefined) shapes.set(shape, [node])
    else records.push(node)
  }
  return byPath
}

function ownFields(leaves: JsonLeaves, record: number): string | undefined {
  const [first, end] = leavesOf(leaves, record)
  if (end - first > MOST_FIELDS) return undefined
  const fields: number[] = []
  for (let leaf = first; leaf < end; leaf++)
    if (leaves.innerRecords[leaves.nodes[leaf] ?? 0] === record) fields.push(pathOf(leaves, leaf))
  return fields.join(' ')
}

function nameAmong(
  leaves: JsonLeaves,
  naming: Int32Array,
  recordPath: number,
  records: readonly number[],
  worthOf: WorthOf,
): void {
  const columns = new Map<number, number[]>()
  for (const record of records) {
    const [first, end] = leavesOf(leaves, record)
    for (let leaf = first; leaf < end; leaf++) {
      if (leaves.innerRecords[leaves.nodes[leaf] ?? 0] !== record) continue
      const column = columns.get(pathOf(leaves, leaf))
      if (column === undefined) columns.set(pathOf(leaves, leaf), [leaf])
      else column.push(leaf)
    }
  }
  let most = -Infinity
  let names: readonly number[] = []
  for (const [path, column] of columns) {
    if (column.length !== records.length) continue
    const depth = depthBelow(leaves, path, recordPath)
    const worth = worthOf(
      leaves,
      path,
      Int32Array.from(column),
      records.length,
      depth,
      path === recordPath + 1,
    )
    if (worth === undefined || worth <= most) continue
    most = worth
    names = column
  }
  for (const [i, leaf] of names.entries()) naming[records[i] ?? 0] = leaf
}

function depthBelow(leaves: JsonLeaves, path: number, recordPath: number): number {
  let depth = 0
  for (let above = path; above >= 0 && above !== recordPath; above = leaves.pathParents[above] ?? -1) depth++
  return depth
}
