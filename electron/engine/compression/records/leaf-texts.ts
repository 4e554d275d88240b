import type { Reading } from '../../text/readers/reading.ts'
import { endOf, kindOf, NODE, sourceOf, valueOf } from '../../text/tree/json-document.ts'
import { describeSeries } from '../../text/tree/series.ts'
import { withMark } from '../lines/cut-line.ts'
import { joinPieces, type Items } from './items.ts'

export type LeafTexts = ReturnType<typeof createLeafTexts>

/** Leaves' texts as their format's printer takes them. */
export function createLeafTexts({ format, document }: Reading, items: Items) {
  const isJson = format === 'json'
  const texts = new Map<number, string>()
  const write = (leaf: number): string => {
    const node = items.leaves.nodes[leaf] ?? 0
    if (!isJson) return valueOf(document, node)
    const kind = kindOf(document, node)
    if (kind > NODE.array) return sourceOf(document, node)
    if (endOf(document, node) > node + 1) return describeSeries(document, node)
    return kind === NODE.object ? '{}' : '[]'
  }
  const of = (leaf: number): string => {
    let text = texts.get(leaf)
    if (text === undefined) texts.set(leaf, (text = write(leaf)))
    return text
  }
  return {
    of,
    /** At most `length` characters of a text. */
    beginning(leaf: number, length: number): string {
      const text = withMark(valueOf(document, items.leaves.nodes[leaf] ?? 0), length)
      return isJson ? JSON.stringify(text) : text
    },
    /** Chosen pieces of a long leaf, ascending. */
    cut(leaf: number, pieces: readonly number[]) {
      const { text, isWhole } = joinPieces(items, leaf, pieces)
      if (isWhole) return { text: of(leaf), isWhole }
      return { text: isJson ? JSON.stringify(text) : text, isWhole }
    },
  }
}
