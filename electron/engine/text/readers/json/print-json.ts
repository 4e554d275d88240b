import { keyOf, kindOf, NODE, parentOf, sourceOf, valueOf } from '../../tree/json-document.ts'
import type { JsonDocument } from '../../tree/json-document.ts'

/** Chosen leaves in their objects and lists, each outermost value on a line; other lines as they are. */
export function printJsonParts(
  document: JsonDocument,
  chosen: readonly number[],
  textOf: (node: number) => string,
): string {
  let out = ''
  let open: number[] = []
  let isFirst = true
  const closeTo = (depth: number): void => {
    while (open.length > depth) out += kindOf(document, open.pop() ?? 0) === NODE.object ? '}' : ']'
  }
  const lead = (node: number): string => {
    const key = keyOf(document, node)
    return key < 0 ? '' : `${document.keyTexts[key] ?? '""'}:`
  }
  for (const leaf of chosen) {
    const path = pathTo(document, leaf)
    let common = 0
    while (common < open.length && common < path.length && open[common] === path[common]) common++
    closeTo(common)
    if (common === 0 && !isFirst) out += '\n'
    let needsComma = common > 0
    for (const node of path.slice(common)) {
      if (needsComma) out += ','
      needsComma = false
      out += lead(node) + (kindOf(document, node) === NODE.object ? '{' : '[')
    }
    if (needsComma) out += ','
    out += path.length === 0 ? textOf(leaf) : lead(leaf) + written(document, leaf, textOf)
    open = path
    isFirst = false
  }
  closeTo(0)
  return out
}

function pathTo(document: JsonDocument, leaf: number): number[] {
  const path: number[] = []
  for (
    let node = parentOf(document, leaf);
    node >= document.root && node > 0;
    node = parentOf(document, node)
  )
    path.push(node)
  return path.reverse()
}

function written(document: JsonDocument, leaf: number, textOf: (node: number) => string): string {
  const source = sourceOf(document, leaf)
  if (kindOf(document, leaf) !== NODE.text) return source
  const shown = textOf(leaf)
  return shown === valueOf(document, leaf) && !source.includes('\n') ? `"${source}"` : JSON.stringify(shown)
}
