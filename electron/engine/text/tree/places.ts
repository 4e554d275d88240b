import { endOf, isContainer, keyOf, kindOf, NODE, parentOf } from './json-document.ts'
import type { JsonDocument } from './json-document.ts'

/** Field names and list indexes from 0. */
export type JsonPath = readonly (string | number)[]

const startOf = (document: JsonDocument, node: number): number => document.starts[node] ?? 0
const stopOf = (document: JsonDocument, node: number): number => document.stops[node] ?? 0

/** The innermost value containing a character; a field's name and blanks belong to its value. */
export function nodeAt(document: JsonDocument, place: number): number {
  const { root, count } = document
  // The first node whose content begins, or that ends, after the position. The list of several values isn't in the
  // text.
  let low = Math.max(1, root)
  let high = count
  while (low < high) {
    const middle = (low + high) >> 1
    const bound = isContainer(document, middle) ? startOf(document, middle) + 1 : stopOf(document, middle)
    if (bound > place) high = middle
    else low = middle + 1
  }
  // After the last part of a container, but before its end.
  for (let node = low - 1; node >= root; node = parentOf(document, node))
    if (isContainer(document, node) && endOf(document, node) <= low && stopOf(document, node) > place)
      return node
  return low < count ? low : root
}

/** Start of a value including its field name. */
export function fieldStart(document: JsonDocument, node: number): number {
  if (keyOf(document, node) < 0) return startOf(document, node)
  const parent = parentOf(document, node)
  let before = node - 1
  if (before === parent) return document.text.indexOf('"', startOf(document, parent) + 1)
  while (parentOf(document, before) !== parent) before = parentOf(document, before)
  return document.text.indexOf('"', stopOf(document, before))
}

/** Nodes requested in document order share element counting. */
export function pathFinder(document: JsonDocument): (node: number) => JsonPath {
  const last = new Map<number, { child: number; index: number }>()
  const indexOf = (parent: number, child: number): number => {
    const known = last.get(parent)
    const at = known && known.child <= child ? known : { child: parent + 1, index: 0 }
    for (; at.child < child; at.index++) at.child = endOf(document, at.child)
    last.set(parent, at)
    return at.index
  }
  return (node) => {
    const path: (string | number)[] = []
    for (let child = node; child > document.root; child = parentOf(document, child)) {
      const parent = parentOf(document, child)
      path.push(
        kindOf(document, parent) === NODE.array
          ? indexOf(parent, child)
          : (document.keyNames[keyOf(document, child)] ?? ''),
      )
    }
    return path.reverse()
  }
}
