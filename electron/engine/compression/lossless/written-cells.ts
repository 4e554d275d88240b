import { childrenOf, keyOf } from '../../text/tree/json-document.ts'
import type { JsonDocument } from '../../text/tree/json-document.ts'
import type { NamedShape } from './plan-shapes.ts'

/** By column: a node, -1 when missing; trailing missing cells are cut. */
export function writtenCells(
  document: JsonDocument,
  shape: NamedShape,
  row: number,
): { column: number; cell: number }[] {
  const byKey = new Map(childrenOf(document, row).map((child) => [keyOf(document, child), child]))
  const cells = shape.keys.flatMap((key, column) =>
    (shape.constants[column] ?? -1) >= 0 ? [] : [{ column, cell: byKey.get(key) ?? -1 }],
  )
  while (cells.length > 0 && cells.at(-1)?.cell === -1) cells.pop()
  return cells
}
