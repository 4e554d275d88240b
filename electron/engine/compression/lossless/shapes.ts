import { childrenOf, keyOf, keysOf, kindOf, NODE } from '../../text/tree/json-document.ts'
import type { JsonDocument } from '../../text/tree/json-document.ts'
import { hasMembers } from './value-ids.ts'

/** Same keys in the same order, some optional. */
export interface Shape {
  /** In order; grows during merges. */
  keys: number[]
  /** In document order. */
  readonly rows: number[]
}

/** Tokens of naming a shape in a row (`"+A",`), and on average, because most rows are in lists of one shape. */
const NAMING = 3
const USUAL_NAMING = 1
/** `"+",` is one or two tokens, but many are hard to read. */
const MISSING = 5

/** Finds the shapes worth naming. Objects with equal key lists share one; lists at the same place with compatible order merge while empty cells cost less than another shape. */
export function findShapes(
  document: JsonDocument,
  objects: readonly number[],
  placeOf: (node: number) => number,
  keyTokens: readonly number[],
): Map<number, Shape> {
  const bySignature = new Map<string, Shape>()
  const shapesAt = new Map<number, Set<Shape>>()
  for (const node of objects) {
    if (!hasMembers(document, node)) continue
    const keys = keysOf(document, node)
    if (new Set(keys).size < keys.length) continue
    const signature = keys.join()
    let shape = bySignature.get(signature)
    if (!shape) bySignature.set(signature, (shape = { keys, rows: [] }))
    shape.rows.push(node)
    const place = placeOf(node)
    const here = shapesAt.get(place)
    if (here) here.add(shape)
    else shapesAt.set(place, new Set([shape]))
  }

  const mergedInto = new Map<Shape, Shape>()
  const current = (shape: Shape): Shape => {
    let at = shape
    for (let next = mergedInto.get(at); next; next = mergedInto.get(at)) at = next
    return at
  }
  const definitionCost = (keys: readonly number[]): number =>
    keys.reduce((sum, key) => sum + (keyTokens[key] ?? 1) + 1, 4)
  for (const shapes of shapesAt.values()) {
    const here = [...new Set([...shapes].map(current))].sort((a, b) => b.rows.length - a.rows.length)
    for (let i = 1; i < here.length; i++)
      for (let j = 0; j < i; j++) {
        const small = current(here[i]!)
        const large = current(here[j]!)
        if (small === large) break
        const keys = mergeOrders(large.keys, small.keys)
        if (!keys) continue
        const empty =
          small.rows.length * (keys.length - small.keys.length) +
          large.rows.length * (keys.length - large.keys.length)
        if (empty * MISSING > definitionCost(small.keys) + NAMING * small.rows.length) continue
        large.keys = keys
        large.rows.push(...small.rows)
        mergedInto.set(small, large)
        break
      }
  }

  const shapeOf = new Map<number, Shape>()
  for (const shape of new Set([...bySignature.values()].map(current))) {
    shape.rows.sort((a, b) => a - b)
    const perRow = shape.keys.reduce((sum, key) => sum + (keyTokens[key] ?? 1), 0) - USUAL_NAMING
    if (shape.rows.length < 2 || perRow * shape.rows.length <= definitionCost(shape.keys)) continue
    for (const row of shape.rows) shapeOf.set(row, shape)
  }
  return shapeOf
}

/** Undefined when orders conflict. */
function mergeOrders(long: readonly number[], short: readonly number[]): number[] | undefined {
  const places = new Map(long.map((key, place) => [key, place]))
  const merged: number[] = []
  let next = 0
  for (const key of short) {
    const place = places.get(key)
    if (place === undefined) {
      merged.push(key)
      continue
    }
    if (place < next) return undefined
    while (next <= place) merged.push(long[next++]!)
  }
  while (next < long.length) merged.push(long[next++]!)
  return merged
}

/** By key; -1 when missing. */
export function cellsOf(document: JsonDocument, shape: Shape, row: number): number[] {
  const byKey = new Map(childrenOf(document, row).map((child) => [keyOf(document, child), child]))
  return shape.keys.map((key) => byKey.get(key) ?? -1)
}

/** Content of most cells of a column: rows of one shape, lists of such rows, or anything. */
export interface ColumnType {
  readonly shape: Shape
  readonly isList: boolean
}

/** Typed cells needn't name their shape. */
export function findColumnTypes(
  document: JsonDocument,
  shape: Shape,
  shapeOf: ReadonlyMap<number, Shape>,
): (ColumnType | undefined)[] {
  const counts = shape.keys.map(() => ({ single: new Map<Shape, number>(), list: new Map<Shape, number>() }))
  const add = (map: Map<Shape, number>, found: Shape | undefined, count = 1): void => {
    if (found) map.set(found, (map.get(found) ?? 0) + count)
  }
  for (const row of shape.rows)
    cellsOf(document, shape, row).forEach((cell, column) => {
      if (cell < 0) return
      add(counts[column]!.single, shapeOf.get(cell))
      const elements = kindOf(document, cell) === NODE.array ? childrenOf(document, cell) : []
      const first = elements.map((element) => shapeOf.get(element)).find((found) => found !== undefined)
      if (first) add(counts[column]!.list, first)
    })
  return counts.map(({ single, list }) => {
    const [shapeAlone, alone] = largest(single)
    const [shapeInList, inList] = largest(list)
    if (Math.max(alone, inList) < 2) return undefined
    return alone >= inList && shapeAlone
      ? { shape: shapeAlone, isList: false }
      : shapeInList && { shape: shapeInList, isList: true }
  })
}

function largest(counts: ReadonlyMap<Shape, number>): [Shape | undefined, number] {
  let best: [Shape | undefined, number] = [undefined, 0]
  for (const [shape, count] of counts) if (count > best[1]) best = [shape, count]
  return best
}
