import { endOf, keyOf, kindOf, NODE, parentOf } from '../../text/tree/json-document.ts'
import type { JsonLeaves } from '../../text/tree/find-leaves.ts'

/** Text printed first inside a container: a member or element. */
export interface Insertion {
  readonly container: number
  readonly text: string
}

/**
 * Prints chosen leaves minified in document order inside their containers, consecutive values one per line. `chosen`
 * is ascending; `textOf` returns a leaf's value as JSON.
 */
export function renderLeaves(
  leaves: JsonLeaves,
  chosen: readonly number[],
  textOf: (leaf: number) => string,
  insertion?: Insertion,
): string {
  const { document } = leaves
  const { root } = document
  const parts: string[] = []
  const open: number[] = []
  let first = true

  const isSequence = (node: number): boolean => node === 0
  const begin = (node: number): void => {
    const parent = parentOf(document, node)
    if (!first) parts.push(isSequence(parent) ? '\n' : ',')
    if (parent >= 0 && kindOf(document, parent) === NODE.object)
      parts.push(document.keyTexts[keyOf(document, node)] ?? '""', ':')
  }
  const close = (): void => {
    const node = open.pop() ?? root
    if (!isSequence(node)) parts.push(kindOf(document, node) === NODE.object ? '}' : ']')
    first = false
  }

  for (const leaf of chosen) {
    const node = leaves.nodes[leaf] ?? root
    while (open.length > 0 && endOf(document, open.at(-1) ?? root) <= node) close()
    const above: number[] = []
    const innermost = open.at(-1) ?? -1
    let parent = parentOf(document, node)
    while (parent !== innermost && parent >= 0) {
      above.push(parent)
      parent = parentOf(document, parent)
    }
    for (const container of above.reverse()) {
      if (container !== root) begin(container)
      if (!isSequence(container)) parts.push(kindOf(document, container) === NODE.object ? '{' : '[')
      open.push(container)
      first = true
      if (insertion?.container === container) {
        parts.push(insertion.text)
        first = false
      }
    }
    if (node !== root) begin(node)
    parts.push(textOf(leaf))
    first = false
  }
  while (open.length > 0) close()
  if (parts.length === 0) return kindOf(document, root) === NODE.object ? '{}' : '[]'
  return parts.join('')
}
