import type { Columns } from '../../text/tree/columns.ts'
import type { JsonLeaves } from '../../text/tree/find-leaves.ts'
import { valueOf } from '../../text/tree/json-document.ts'
import { wordsOf } from '../../text/words/scan-words.ts'
import { hasWhole, type Evidence } from './evidence.ts'
import type { Naming } from './naming.ts'
import { nameOf } from './title.ts'
import { valueHash } from './value-hash.ts'

const SHORTEST_NAME = 4
const LONGEST_TEXT = 20_000

/**
 * "When was A's father born": A is named by the goal and fits it (`isMeant`), and names the record that has the answer. By
 * such a record: the one that names it. Only the first `LONGEST_TEXT` characters of a record are read.
 */
export function findJoined(
  leaves: JsonLeaves,
  naming: Naming,
  { exact }: Evidence,
  isMeant: (record: number) => boolean,
): Map<number, number> {
  const { document, records, nodes } = leaves
  const joined = new Map<number, number>()
  const sought = records.filter((record) => exact.has(record) && isMeant(record))
  if (sought.length === 0) return joined
  const nameIn = (record: number): string => {
    const leaf = nameOf(leaves, naming, record)
    return leaf < 0 ? '' : valueOf(document, nodes[leaf] ?? 0)
  }
  const others = records.map((record) => ({ record, name: nameIn(record) }))
  const named = others.filter(({ name }) => name.length >= SHORTEST_NAME && /\p{L}/u.test(name))
  const byFirstWord = Map.groupBy(named, ({ name }) => wordsOf(name)[0]?.toLowerCase())
  for (const record of sought) {
    const start = document.starts[record] ?? 0
    const stop = Math.min(document.stops[record] ?? 0, start + LONGEST_TEXT)
    const text = document.text.slice(start, stop).toLowerCase()
    for (const word of new Set(wordsOf(text)))
      for (const other of byFirstWord.get(word) ?? [])
        if (!exact.has(other.record) && hasWhole(text, other.name)) joined.set(other.record, record)
  }
  return joined
}

/**
 * "On the same node as web": web fits the goal (`isMeant`), and the goal has a word of the column's name. By outermost
 * record: 1 for those that have its value, and for it.
 */
export function findSame(
  { document, nodes, outerRecords, pathCount }: JsonLeaves,
  columns: Columns,
  { names }: Evidence,
  isMeant: (record: number) => boolean,
): Float32Array {
  const same = new Float32Array(document.count)
  const recordOf = (leaf: number): number => outerRecords[nodes[leaf] ?? 0] ?? -1
  const valueIn = (leaf: number): number => valueHash(document, nodes[leaf] ?? 0)
  for (let path = 1; path < pathCount; path++) {
    if (names[path] === 0) continue
    const column = columns.of(path)
    const values = new Set(
      Array.from(
        column.filter((leaf) => isMeant(recordOf(leaf))),
        valueIn,
      ),
    )
    for (const leaf of values.size === 0 ? [] : column)
      if (recordOf(leaf) >= 0 && values.has(valueIn(leaf))) same[recordOf(leaf)] = 1
  }
  return same
}
