import { endOf, keyOf, kindOf, NODE, parentOf } from '../tree/json-document.ts'
import type { JsonDocument } from '../tree/json-document.ts'
import type { Reading } from './reading.ts'

/** One value or several in a row. `print` takes values as JSON. */
export const jsonReading = (document: JsonDocument): Reading => ({
  format: 'json',
  document,
  explained: 1,
  print: (chosen, textOf) => printJson(document, chosen, textOf),
})

/** Chosen leaves minified in document order inside their containers, consecutive values one per line. */
export function printJson(
  document: JsonDocument,
  chosen: readonly number[],
  textOf: (node: number) => string,
): string {
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

  for (const node of chosen) {
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
    }
    if (node !== root) begin(node)
    parts.push(textOf(node))
    first = false
  }
  while (open.length > 0) close()
  if (parts.length === 0) return kindOf(document, root) === NODE.object ? '{}' : '[]'
  return parts.join('')
}
