import { countPiece, LONGEST_TOKEN } from './byte-pairs.ts'
import { pieceEnd } from './split-pieces.ts'

/** Exact number of o200k_base tokens of a text; strings such as '<|endoftext|>' count as the plain text they are in data. */
export function countTokens(text: string): number {
  return countUpTo(text, Number.POSITIVE_INFINITY)
}

/** Exact number of tokens when it is at most `limit`; else some number above the limit, found without reading on. */
export function countUpTo(text: string, limit: number): number {
  let total = 0
  let start = 0
  while (start < text.length && total <= limit) {
    const end = pieceEnd(text, start)
    const isSurelyTooLong = end - start > (limit - total) * LONGEST_TOKEN
    total += isSurelyTooLong ? Math.ceil((end - start) / LONGEST_TOKEN) : countPiece(text.slice(start, end))
    start = end
  }
  return total
}
