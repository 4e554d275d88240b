import { lengthOf, type JsonLeaves } from '../../text/tree/find-leaves.ts'
import { isLeaf, kindOf, NODE, sourceOf, valueOf } from '../../text/tree/json-document.ts'
import { measureColumn, type Measured } from '../../text/tables/measure-column.ts'

export const SMALLEST = 3
const LONGEST = 100

/** Statistics, oddities and the order read the same columns; long ones are read again, for the memory. */
const measuredBefore = new WeakMap<Int32Array, { readonly measured: Measured | undefined }>()
const KEPT_UP_TO = 20_000

export function measureLeaves(leaves: JsonLeaves, column: Int32Array): Measured | undefined {
  const known = measuredBefore.get(column)
  if (known !== undefined) return known.measured
  const measured = readColumn(leaves, column)
  if (column.length <= KEPT_UP_TO) measuredBefore.set(column, { measured })
  return measured
}

function readColumn(leaves: JsonLeaves, column: Int32Array): Measured | undefined {
  const { document } = leaves
  return measureColumn(column.length, (place) => {
    const leaf = column[place] ?? 0
    const node = leaves.nodes[leaf] ?? 0
    const kind = kindOf(document, node)
    if (kind === NODE.number) return sourceOf(document, node)
    if (lengthOf(leaves, leaf) > LONGEST || !isLeaf(document, node)) return ''
    return kind === NODE.string || kind === NODE.text ? valueOf(document, node) : ''
  })
}
