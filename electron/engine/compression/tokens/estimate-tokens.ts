/** Rough number of o200k_base tokens, without encoding: linear and cheap, typically within a few percent. */
export function estimateTokens(text: string, start = 0, end = text.length): number {
  let tokens = 0
  let i = start
  while (i < end) {
    const kind = kindOf(text.charCodeAt(i))
    let j = i + 1
    while (j < end && kindOf(text.charCodeAt(j)) === kind) j++
    const length = j - i
    if (kind === LETTER) tokens += length < 7 ? 1 : 1 + (length - 6) * 0.25
    else if (kind === DIGIT) tokens += Math.ceil(length / 3)
    else if (kind === SPACE) tokens += length > 1 ? 1 : 0.05
    else if (kind === NEWLINE) tokens += 0.6
    else if (kind === PUNCTUATION) tokens += length < 3 ? 0.9 : length * 0.45
    else tokens += length * 0.75
    i = j
  }
  return Math.ceil(tokens)
}

const LETTER = 0
const DIGIT = 1
const SPACE = 2
const NEWLINE = 3
const PUNCTUATION = 4
const OTHER = 5

function kindOf(code: number): number {
  if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) return LETTER
  if (code >= 48 && code <= 57) return DIGIT
  if (code === 32 || code === 9) return SPACE
  if (code === 10 || code === 13) return NEWLINE
  return code < 128 ? PUNCTUATION : OTHER
}
