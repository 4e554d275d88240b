import { CHUNK, copied, copyUnits } from '../code-units.ts'
import { countCopied, countPiece, LONGEST_TOKEN } from './byte-pairs.ts'
import { pieceEnd, plainEnd } from './split-pieces.ts'

/** Exact o200k_base count; '<|endoftext|>' and the like count as plain text. */
export function countTokens(text: string): number {
  return countUpTo(text, Number.POSITIVE_INFINITY)
}

/** The first ends in a line break, and the second starts with nothing that the encoding would join. */
export const countsAddUp = (first: string, second: string): boolean =>
  first.endsWith('\n') && !/^[\s/]/.test(second)

/** Exact up to `limit`; otherwise any number above, without reading on. */
export function countUpTo(text: string, limit: number): number {
  if (text.length >= REMEMBERED_FROM && text === remembered.text) return remembered.tokens
  const tokens = count(text, limit)
  if (tokens <= limit) rememberCount(text, tokens)
  return tokens
}

export function rememberCount(text: string, tokens: number): void {
  if (text.length >= REMEMBERED_FROM) remembered = { text, tokens }
}

/** An answer is counted by its strategy and again under its header: caches the last count of the same string. */
let remembered = { text: '', tokens: 0 }
const REMEMBERED_FROM = 1000

function count(text: string, limit: number): number {
  let total = 0
  let start = 0
  while (start < text.length && total <= limit) {
    const length = Math.min(CHUNK, text.length - start)
    copyUnits(text, start, start + length)
    let at = 0
    while (at < length && total <= limit) {
      let end = plainEnd(copied, at, length)
      const isPlain = end >= 0
      if (!isPlain) {
        // Text that the chunk's end may split is copied again into the next one.
        if (at > 0 && start + length < text.length && at + LONGEST_PLAIN >= length) break
        end = pieceEnd(text, start + at) - start
      }
      if (end - at > (limit - total) * LONGEST_TOKEN) total += Math.ceil((end - at) / LONGEST_TOKEN)
      else
        total += isPlain
          ? countCopied(copied, at, end, text, start + at)
          : countPiece(text, start + at, start + end)
      at = end
    }
    start += at
  }
  return total
}

/** Pieces starting this near the chunk's end are checked again. */
const LONGEST_PLAIN = 256
