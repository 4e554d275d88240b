/** o200k_base, passed in because features don't import each other. */
export interface TokenCounter {
  count(text: string): number
  /** Approximate, much faster on long texts. */
  measure(text: string): number
}

/** Readable text has no longer token; runs of blanks only shorten a piece. */
const LONGEST_TOKEN = 16

/** Longest piece within `budget`: whole characters, at least one. */
export function fitTokens(text: string, start: number, budget: number, tokens: TokenCounter): number {
  let low = nextCharacter(text, start)
  let high = Math.min(text.length, Math.max(low, start + budget * LONGEST_TOKEN))
  if (tokens.count(text.slice(start, high)) <= budget) return wholeCharacters(text, high)
  while (low < high - 1) {
    const middle = (low + high) >> 1
    if (tokens.count(text.slice(start, middle)) <= budget) low = middle
    else high = middle
  }
  return Math.max(wholeCharacters(text, low), nextCharacter(text, start))
}

export function wholeCharacters(text: string, end: number): number {
  return end > 0 && end < text.length && isPair(text, end - 1) ? end - 1 : end
}

export function nextCharacter(text: string, start: number): number {
  return Math.min(text.length, start + (isPair(text, start) ? 2 : 1))
}

const isPair = (text: string, at: number): boolean => {
  const [high, low] = [text.charCodeAt(at), text.charCodeAt(at + 1)]
  return high >= 0xd800 && high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff
}

export function clip(text: string, limit: number): string {
  const line = text.length > limit * 2 ? text.slice(0, limit * 2) : text
  const flat = line.replaceAll(/\s+/g, ' ').trim()
  return flat.length <= limit && line.length === text.length
    ? flat
    : `${flat.slice(0, wholeCharacters(flat, Math.min(flat.length, limit - 1)))}…`
}
