import { SluiceError } from '../../ground/errors.ts'
import { bm25 } from '../../text/words/bm25.ts'
import { partCounter } from '../../text/words/count-terms.ts'
import { queryOf } from '../../text/words/query.ts'
import type { Match, Matches } from './find-regex.ts'
import type { TextUnit } from './text-units.ts'

const MOST = 200

/**
 * BM25. Matches inflected words (errors, failed) and parts of names (getUser); text without blanks (Chinese,
 * Japanese) by characters and their sequence.
 */
export function findRanked(text: string, units: readonly TextUnit[], query: string): Matches {
  const wanted = queryOf(query)
  if (wanted.terms.length === 0) {
    throw new SluiceError('BAD_INPUT', 'mode "bm25" needs at least one word to look for in "pattern".')
  }
  const count = partCounter(text, wanted)
  const { scores } = bm25(
    units.map(({ start, end }) => count(start, end)),
    wanted,
  )
  const found = [...units.keys()].filter((index) => (scores[index] ?? 0) > 0)
  const matches = found
    .toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
    .slice(0, MOST)
    .flatMap((index): Match[] => {
      const unit = units[index]
      return unit ? [{ ...unit, note: `score ${(scores[index] ?? 0).toFixed(2)}` }] : []
    })
  return { matches, total: found.length, isCapped: false }
}
