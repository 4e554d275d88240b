import { childrenOf, keyOf, kindOf, NODE, parentOf } from './json-document.ts'
import type { JsonDocument } from './json-document.ts'

/** In column descriptions. */
const NAMING = /^(?:name|label|title|field|column|column_?name|key|id)$/i
/** Keys of lists that name rows, where others may name columns. */
export const NAMES_ROWS = /source|origin|from|row|index/i
/** Objects that are searched for a header, above the records. */
const MOST_LOOKED_AT = 200

/** Of a column's description: itself, or its member name, label, …; -1 without. */
export function nameNode(document: JsonDocument, column: number): number {
  const kind = kindOf(document, column)
  if (kind === NODE.string) return column
  if (kind !== NODE.object) return -1
  const member = childrenOf(document, column).find(
    (child) =>
      kindOf(document, child) === NODE.string && NAMING.test(document.keyNames[keyOf(document, child)] ?? ''),
  )
  return member ?? -1
}

/** Other lists of words are headers only beside their rows. */
const isDescribed = (document: JsonDocument, column: number): boolean =>
  kindOf(document, column) === NODE.object

/** A list of names, and the nodes that have them. */
export interface Header {
  readonly list: number
  readonly names: readonly number[]
}

/** Lists of `width` names beside the records or, where there are none, beside what they are in. */
export function headersAbove(document: JsonDocument, records: number, width: number): Header[] {
  const found: Header[] = []
  let looked = 0
  const look = (node: number): void => {
    if (node === records || looked++ > MOST_LOOKED_AT) return
    const children = childrenOf(document, node)
    if (kindOf(document, node) === NODE.array) {
      const isBeside = parentOf(document, node) === parentOf(document, records)
      const isHeader =
        children.length === width && (isBeside || children.every((each) => isDescribed(document, each)))
      const names = isHeader ? children.map((each) => nameNode(document, each)) : [-1]
      if (names.every((name) => name >= 0)) found.push({ list: node, names })
    } else for (const child of children) look(child)
  }
  for (let above = parentOf(document, records); above >= 0; above = parentOf(document, above)) {
    if (kindOf(document, above) === NODE.object) look(above)
    if (found.length > 0) break
  }
  return found
}

/** Of several lists of names that whose key begins most like the records', and rather one that isn't of rows. */
export function headerAbove(
  document: JsonDocument,
  records: number,
  width: number,
  key = '',
): readonly number[] | undefined {
  let best: Header | undefined
  let most = -1
  for (const header of headersAbove(document, records, width)) {
    const own = keyNameOf(document, header.list)
    const alike = commonStart(own, key) + (NAMES_ROWS.test(own) ? 0 : 0.5)
    if (alike > most) [best, most] = [header, alike]
  }
  return best?.names
}

function commonStart(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

export const keyNameOf = (document: JsonDocument, node: number): string =>
  document.keyNames[keyOf(document, node)] ?? ''
