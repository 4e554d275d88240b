import { bm25 } from '../../text/words/bm25.ts'
import type { Scorable } from '../../text/words/bm25.ts'
import { addCounts } from '../../text/words/count-terms.ts'
import { wordsOf } from '../../text/words/scan-words.ts'
import { maximum } from './scoring.ts'
import type { Scoring } from './scoring.ts'

const WEIGHT = 0.3
const UNNAMED_LEAF = 0.6

/**
 * Schema link: raises all leaves of the paths whose names best fit the goal ("applicability config scope price
 * type"). Scores distinct paths, so that a field of a thousand records doesn't look like a common word.
 */
export function liftSchema({ leaves, goal, terms, columns, values, top }: Scoring): void {
  const wordCounts = new Map<string, number>()
  const wordsIn = (name: string): number => {
    let count = wordCounts.get(name)
    if (count === undefined) wordCounts.set(name, (count = wordsOf(name).length))
    return count
  }
  const counts: (number[] | undefined)[] = []
  const lengths: number[] = []
  for (let path = 0; path < leaves.pathCount; path++) {
    const parent = leaves.pathParents[path] ?? -1
    const name = leaves.pathNames[path]
    const own = name === undefined ? undefined : terms.fields[path]?.counts
    const above = counts[parent]
    counts.push(own === undefined ? above : atMostOne(addCounts(addCounts(undefined, above), own)))
    lengths.push((lengths[parent] ?? 0) + (name === undefined ? 0 : wordsIn(name)))
  }

  const paths = counts.flatMap((_, path) => (columns.of(path).length > 0 ? [path] : []))
  const units = paths.map((path): Scorable => ({
    counts: counts[path],
    length: lengths[path] ?? 0,
    pairs: 0,
  }))
  const { scores } = bm25(units, goal, { k1: 1, b: 0.6 })
  paths.forEach((path, index) => {
    if (terms.fields[path]?.counts === undefined) scores[index]! *= UNNAMED_LEAF
  })
  const best = maximum(scores)
  if (best === 0) return
  paths.forEach((path, index) => {
    const lift = WEIGHT * top * ((scores[index] ?? 0) / best) ** 4
    if (lift > 0.01 * top) for (const leaf of columns.of(path)) values[leaf]! += lift
  })
}

function atMostOne(counts: number[] | undefined): number[] | undefined {
  if (counts !== undefined) for (let i = 0; i < counts.length; i++) counts[i] = Math.min(1, counts[i] ?? 0)
  return counts
}
