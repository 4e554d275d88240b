import { lineOf } from '../source-lines.ts'
import type { SourceLines } from '../source-lines.ts'

/** Lines at either end of a group that may be sentences, and rows that the others have at the least. */
const MOST_SENTENCES = 4
const LEAST_ROWS = 3
/** Of rows, which may have marks in their last cells. */
const FEW = 0.1
/** What parts of sentences end with: `Zip file size: 211408 bytes, number of entries: 63`. */
const MARK = /[\p{L}\p{N})][,:;] {1,2}(?=[\p{L}\p{N}(])/gu
const LEAST_MARKS = 2

/** A sentence, or pairs, of words: at least two marks behind words. */
const isSentence = (line: string): boolean => (line.match(MARK)?.length ?? 0) >= LEAST_MARKS

/** Lines without the sentences above and below rows that are none. */
export function withoutSentences(lines: SourceLines, first: number, end: number): readonly [number, number] {
  let from = first
  let to = end
  for (let line = Math.min(first + MOST_SENTENCES, end) - 1; line >= first && from === first; line--)
    if (isSentence(lineOf(lines, line))) from = line + 1
  for (let line = Math.max(end - MOST_SENTENCES, from); line < end && to === end; line++)
    if (isSentence(lineOf(lines, line))) to = line
  if (to - from < LEAST_ROWS || (from === first && to === end)) return [first, end]
  let sentences = 0
  for (let line = from; line < to; line++) if (isSentence(lineOf(lines, line))) sentences++
  return sentences > (to - from) * FEW ? [first, end] : [from, to]
}
