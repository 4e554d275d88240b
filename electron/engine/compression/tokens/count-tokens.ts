import { countTokens as countExactly } from 'gpt-tokenizer/encoding/o200k_base'

/** Data may contain strings such as '<|endoftext|>': they are counted as the plain text they are. */
const asPlainText = { disallowedSpecial: new Set<string>() }
const SLICE = 8192

/** Exact number of o200k_base tokens of a text. */
export function countTokens(text: string): number {
  return countUpTo(text, Number.POSITIVE_INFINITY)
}

/** Exact number of tokens when it is at most `limit`; else any number above the limit, found without reading on. */
export function countUpTo(text: string, limit: number): number {
  let total = 0
  let start = 0
  while (start < text.length && total <= limit) {
    const end = safeCut(text, start + SLICE)
    total += countExactly(start === 0 && end === text.length ? text : text.slice(start, end), asPlainText)
    start = end
  }
  return total
}

const isLetter = (code: number) => (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
const isDigit = (code: number) => code >= 48 && code <= 57

/** First place at or after `from` where the tokenizer always starts a new piece, so that counts of the parts add up. */
function safeCut(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const before = text.charCodeAt(i - 1)
    const after = text.charCodeAt(i)
    if (after > 126) continue
    if (isLetter(before) ? !isLetter(after) && after !== 39 : isDigit(before) && !isDigit(after)) return i
  }
  return text.length
}
