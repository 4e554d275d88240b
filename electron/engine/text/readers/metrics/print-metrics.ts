import { endOf, kindOf, NODE, parentOf, sourceOf } from '../../tree/json-document.ts'
import type { JsonDocument } from '../../tree/json-document.ts'

/** A line is whole up to this many characters; of a longer one chosen labels are left. */
const SHORT = 240

/** Series with chosen labels or values as their lines, comments as they are. */
export function printMetrics(
  document: JsonDocument,
  chosen: readonly number[],
  textOf: (node: number) => string,
): string {
  const { text, starts, stops } = document
  const out: string[] = []
  for (let i = 0; i < chosen.length; i++) {
    const leaf = chosen[i] ?? 0
    const record = parentOf(document, leaf)
    if (record < 1 || kindOf(document, record) !== NODE.object || record === document.root) {
      out.push(text.startsWith('#', starts[leaf]) ? sourceOf(document, leaf) : textOf(leaf))
      continue
    }
    const own: number[] = []
    while (i < chosen.length && (chosen[i] ?? 0) < endOf(document, record)) own.push(chosen[i++] ?? 0)
    i--
    const start = starts[record] ?? 0
    const stop = stops[record] ?? 0
    if (stop - start <= SHORT) {
      out.push(text.slice(start, stop))
      continue
    }
    const value = endOf(document, record) - 1
    const labels = own
      .filter((node) => node !== value)
      .map((node) => `${document.keyNames[document.keys[node] ?? 0]}="${textOf(node)}"`)
    const name = text.slice(start, text.indexOf('{', start))
    out.push(`${name}{${[...labels, '…'].join(',')}} ${sourceOf(document, value)}`)
  }
  return out.join('\n')
}
