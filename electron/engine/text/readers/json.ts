import { endOf, keyOf, kindOf, NODE, parentOf } from '../tree/json-document.ts'
import type { JsonDocument } from '../tree/json-document.ts'
import type { NamedRows, Reading } from './reading.ts'

/** One value or several in a row. `print` takes values as JSON. */
export const jsonReading = (document: JsonDocument): Reading => ({
  format: 'json',
  document,
  explained: 1,
  print: (chosen, textOf, rows) => printJson(document, chosen, textOf, rows),
})

/**
 * Chosen leaves minified in document order inside their containers, consecutive values one per line. A part of a row, or
 * of a matrix, is an object with the places' names, or their numbers from 0: in a list its values would be at other places.
 */
export function printJson(
  document: JsonDocument,
  chosen: readonly number[],
  textOf: (node: number) => string,
  rows: NamedRows = new Map(),
): string {
  const { root } = document
  const parts: string[] = []
  const open: number[] = []
  /** Of the open lists: rows and matrices of which a part is chosen. */
  const cut = new Set<number>()
  let first = true

  const isSequence = (node: number): boolean => node === 0
  const isObject = (node: number): boolean => kindOf(document, node) === NODE.object || cut.has(node)
  /** A name of its own for a place: names may come twice. */
  const nameAt = (list: number, node: number): string => {
    const names = rows.get(list) ?? []
    const place = Math.floor(
      (node - list - 1) / Math.max(1, (endOf(document, list) - list - 1) / names.length),
    )
    const name = names[place]
    return JSON.stringify(name !== undefined && names.indexOf(name) === place ? name : `${place}`)
  }
  const begin = (node: number): void => {
    const parent = parentOf(document, node)
    const list = open.at(-1) ?? -1
    if (!first) parts.push(isSequence(parent) ? '\n' : ',')
    if (cut.has(list)) parts.push(nameAt(list, node), ':')
    else if (parent >= 0 && isObject(parent))
      parts.push(document.keyTexts[keyOf(document, node)] ?? '""', ':')
  }
  const close = (): void => {
    const node = open.pop() ?? root
    if (!isSequence(node)) parts.push(isObject(node) ? '}' : ']')
    first = false
  }
  /** Whether values or rows of a list are left out; a value may be inside an object of its own. */
  const isCut = (list: number, at: number): boolean => {
    const names = rows.get(list)
    if (names === undefined) return false
    const end = endOf(document, list)
    const width = (end - list - 1) / names.length
    let places = 0
    let last = -1
    for (let i = at; (chosen[i] ?? end) < end; i++) {
      const place = Math.floor(((chosen[i] ?? list) - list - 1) / width)
      if (place !== last) places++
      last = place
    }
    return places < names.length
  }

  for (const [at, node] of chosen.entries()) {
    while (open.length > 0 && endOf(document, open.at(-1) ?? root) <= node) close()
    const above: number[] = []
    const innermost = open.at(-1) ?? -1
    let parent = parentOf(document, node)
    while (parent !== innermost && parent >= 0) {
      above.push(parent)
      parent = parentOf(document, parent)
    }
    for (const container of above.reverse()) {
      if (cut.has(parentOf(document, container)) && kindOf(document, container) === NODE.object) continue
      if (container !== root) begin(container)
      if (isCut(container, at)) cut.add(container)
      if (!isSequence(container)) parts.push(isObject(container) ? '{' : '[')
      open.push(container)
      first = true
    }
    if (node !== root) begin(node)
    parts.push(textOf(node))
    first = false
  }
  while (open.length > 0) close()
  if (parts.length === 0) return kindOf(document, root) === NODE.object ? '{}' : '[]'
  return parts.join('')
}
