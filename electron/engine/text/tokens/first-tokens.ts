import { countUpTo } from './count-tokens.ts'

/** By bisection; never splits a surrogate pair. */
export function firstTokens(text: string, limit: number): string {
  if (limit <= 0) return ''
  // Longer tokens (runs of blanks) only shorten the prefix.
  let high = Math.min(text.length, limit * 24)
  if (countUpTo(text.slice(0, high), limit) <= limit) return wholeCharacters(text, high)
  let low = 0
  while (low < high - 1) {
    const middle = (low + high) >> 1
    if (countUpTo(text.slice(0, middle), limit) <= limit) low = middle
    else high = middle
  }
  return wholeCharacters(text, low)
}

function wholeCharacters(text: string, end: number): string {
  const last = text.charCodeAt(end - 1)
  const isHighSurrogate = last >= 0xd800 && last <= 0xdbff
  return text.slice(0, isHighSurrogate && end < text.length ? end - 1 : end)
}
