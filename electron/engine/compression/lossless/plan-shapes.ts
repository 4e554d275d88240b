import { countTokens } from '../../text/tokens/count-tokens.ts'
import { findLeaves } from '../../text/tree/find-leaves.ts'
import { endOf, isContainer, kindOf, NODE } from '../../text/tree/json-document.ts'
import type { JsonDocument } from '../../text/tree/json-document.ts'
import { cellsOf, findColumnTypes, findShapes } from './shapes.ts'
import type { Shape } from './shapes.ts'
import type { ValueIds } from './value-ids.ts'

export interface NamedShape {
  readonly name: string
  readonly keys: readonly number[]
  readonly types: readonly (Place | undefined)[]
  /** By column: the value (a node) that all rows have, which they leave out; -1 where they differ. */
  readonly constants: readonly number[]
}

/** One row of a shape, or a list of them. */
export interface Place {
  readonly shape: NamedShape
  readonly isList: boolean
}

export interface ShapePlan {
  readonly shapes: readonly NamedShape[]
  /** By node. */
  readonly shapeOf: ReadonlyMap<number, NamedShape>
}

export function planShapes(document: JsonDocument, { ids }: ValueIds): ShapePlan {
  const { paths } = findLeaves(document)
  // Tokens that a row saves per member: the name, and one of the surrounding marks.
  const keyTokens = document.keyNames.map((name) => countTokens(name) + 1)
  const objects = distinctObjects(document, ids)
  const found = findShapes(document, objects, (node) => paths[node] ?? 0, keyTokens)

  const named = new Map<Shape, NamedShape & { types: (Place | undefined)[] }>()
  for (const shape of new Set(found.values()))
    named.set(shape, {
      name: nameOf(named.size),
      keys: shape.keys,
      types: [],
      constants: constantsOf(document, shape, ids),
    })
  for (const [shape, full] of named)
    for (const type of findColumnTypes(document, shape, found)) {
      const target = type && named.get(type.shape)
      full.types.push(type && target ? { shape: target, isList: type.isList } : undefined)
    }

  const byId = new Map<number, NamedShape>()
  for (const [node, shape] of found) {
    const full = named.get(shape)
    if (full) byId.set(ids[node] ?? -1, full)
  }
  const shapeOf = new Map<number, NamedShape>()
  for (let node = document.root; node < document.count; node++) {
    const shape = kindOf(document, node) === NODE.object ? byId.get(ids[node] ?? -1) : undefined
    if (shape) shapeOf.set(node, shape)
  }
  return { shapes: [...named.values()], shapeOf }
}

/** "type": "User" in every row; rows that are all equal are one value, and have none. */
function constantsOf(document: JsonDocument, shape: Shape, ids: Int32Array): number[] {
  const [first = [], ...others] = shape.rows.map((row) => cellsOf(document, shape, row))
  const isOne = new Set(shape.rows.map((row) => ids[row])).size < 2
  const has = (column: number, cell: number) => (cells: readonly number[]) =>
    (cells[column] ?? -1) >= 0 && ids[cells[column] ?? 0] === ids[cell]
  return first.map((cell, column) => (!isOne && cell >= 0 && others.every(has(column, cell)) ? cell : -1))
}

/** In document order; repeated values are written once. */
function distinctObjects(document: JsonDocument, ids: Int32Array): number[] {
  const seen = new Set<number>()
  const found: number[] = []
  for (let node = document.root; node < document.count; node++) {
    if (!isContainer(document, node)) continue
    const id = ids[node] ?? 0
    if (seen.has(id)) {
      node = endOf(document, node) - 1
      continue
    }
    seen.add(id)
    if (kindOf(document, node) === NODE.object) found.push(node)
  }
  return found
}

function nameOf(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : nameOf(Math.floor(index / 26) - 1) + last
}
