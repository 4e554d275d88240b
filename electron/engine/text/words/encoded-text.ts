/** Lines of bytes as mail, keys and certificates write them: base 64, or pairs of hexadecimal digits with colons. */
const LEAST_BASE64 = 40
const LEAST_PAIRS = 12
/** Of its signs how many are of another class than the sign before: words and paths change less often. */
const LEAST_CHANGES = 0.3
const PAIRS = /^(?:[\da-f]{2}:){11,}(?:[\da-f]{2})?$/i
const BASE64 = /^[A-Za-z\d+/]+={0,2}$/
const LONGEST = 400

export function isEncodedLine(line: string): boolean {
  const text = line.trim()
  if (text.length < LEAST_PAIRS * 3 - 1 || text.length > LONGEST) return false
  if (text.charCodeAt(2) === 58) return PAIRS.test(text)
  return text.length >= LEAST_BASE64 && BASE64.test(text) && changes(text) >= LEAST_CHANGES * text.length
}

/** Several lines, each of bytes; the last may be short. */
export function isEncodedText(text: string): boolean {
  const end = text.indexOf('\n')
  if (end < 0 || !isEncodedLine(text.slice(0, end))) return false
  const lines = text.trimEnd().split('\n')
  return lines.every(
    (line, i) => isEncodedLine(line) || (i > 0 && i === lines.length - 1 && BASE64.test(line.trim())),
  )
}

function changes(text: string): number {
  let count = 0
  let last = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const own = code >= 97 ? 1 : code >= 65 ? 2 : 3
    if (own !== last) count++
    last = own
  }
  return count
}
