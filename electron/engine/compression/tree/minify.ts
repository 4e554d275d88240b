import { keyOf, kindOf, NODE, parentOf, sourceOf, endOf, isContainer } from '../../text/tree/json-document.ts'
import type { JsonDocument } from '../../text/tree/json-document.ts'

/** The document without spaces, numbers and strings unchanged; consecutive values stay one per line. */
export function minify(document: JsonDocument, from = document.root): string {
  const parts: string[] = []
  const open: number[] = []
  const end = endOf(document, from)
  let first = true
  for (let node = from; node < end; node++) {
    while (open.length > 0 && endOf(document, open.at(-1) ?? from) <= node) close()
    const parent = node === from ? -1 : parentOf(document, node)
    if (!first) parts.push(parent === 0 ? '\n' : ',')
    if (parent >= 0 && kindOf(document, parent) === NODE.object)
      parts.push(document.keyTexts[keyOf(document, node)] ?? '""', ':')
    if (isContainer(document, node)) {
      if (node !== 0) parts.push(kindOf(document, node) === NODE.object ? '{' : '[')
      open.push(node)
      first = true
    } else {
      parts.push(sourceOf(document, node))
      first = false
    }
  }
  while (open.length > 0) close()
  return parts.join('')

  function close(): void {
    const node = open.pop() ?? from
    if (node !== 0) parts.push(kindOf(document, node) === NODE.object ? '}' : ']')
    first = false
  }
}
