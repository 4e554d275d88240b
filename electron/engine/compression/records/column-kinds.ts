import type { Columns } from '../../text/tree/columns.ts'
import { lengthOf, type JsonLeaves } from '../../text/tree/find-leaves.ts'
import { isContainer, sourceOf, valueOf } from '../../text/tree/json-document.ts'
import { kindOfSample, type Measured } from './measure.ts'

export type ColumnKind = Measured['kind'] | 'text'

const SAMPLE = 12
const LONGEST = 40

/** By path, from a sample. */
export function measuredKinds(leaves: JsonLeaves, columns: Columns, isWanted: boolean): ColumnKind[] {
  const kinds: ColumnKind[] = []
  if (!isWanted) return kinds
  for (let path = 0; path < leaves.pathCount; path++) {
    const column = columns.of(path)
    const size = Math.min(SAMPLE, column.length)
    const texts: string[] = []
    for (let i = 0; i < size; i++) {
      const leaf = column[Math.floor((i * column.length) / size)] ?? 0
      const node = leaves.nodes[leaf] ?? 0
      if (isContainer(leaves.document, node)) continue
      texts.push(
        lengthOf(leaves, leaf) > LONGEST ? sourceOf(leaves.document, node) : valueOf(leaves.document, node),
      )
    }
    kinds[path] = kindOfSample(texts).kind ?? 'text'
  }
  return kinds
}
