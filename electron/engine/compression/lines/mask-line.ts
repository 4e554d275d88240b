const DELIMITER = 0
const LETTER = 1
const DIGIT = 2
const JOINER = 3
const BLANK = 4

/** Joiners inside numbers, paths and addresses: masked between two masked words. */
const classes = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/\d/.test(character)) return DIGIT
  if (/\s/.test(character)) return BLANK
  if (/[.:,/-]/.test(character)) return JOINER
  return /[=;()[\]{}"'|<>?&]/.test(character) || code < 32 ? DELIMITER : LETTER
})
const classOf = (code: number) => (code < 128 ? (classes[code] ?? LETTER) : LETTER)

const DASH = 45
/** Characters that determine a line's kind. */
const LONGEST_MASKED = 1500

/** Of a message as it is. */
export function hashText(text: string, from: number, to: number): number {
  let hash = 0x811c9dc5
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash
}

/** Equal for lines of one kind: words with digits, long hexadecimal ones and runs of them count as one. Creates no strings. `seed` separates kinds. */
export function hashMasked(text: string, from: number, to: number, seed: number): number {
  const end = Math.min(to, from + LONGEST_MASKED)
  let high = 0x811c9dc5 ^ seed
  let low = 0x1000193 ^ Math.imul(seed, 0x9e3779b1)
  let afterMask = false
  let i = from
  while (i < end) {
    const kind = classOf(text.charCodeAt(i))
    if (kind === LETTER || kind === DIGIT) {
      let word = 0x9e3779b9
      let digits = 0
      let hex = 0
      const start = i
      for (; i < end; i++) {
        const code = text.charCodeAt(i)
        const next = classOf(code)
        if (next === DIGIT) digits++
        else if (next !== LETTER) break
        else if ((code | 32) >= 97 && (code | 32) <= 102) hex++
        word = Math.imul(word ^ code, 0x85ebca6b)
        word ^= word >>> 13
      }
      // Groups of a UUID may lack digits.
      const isVariable: boolean =
        digits > 0 || (hex === i - start && (hex >= 8 || (afterMask && text.charCodeAt(start - 1) === DASH)))
      const status = digits === 3 && i - start === 3 ? statusClass(text, start) : 0
      if (isVariable && afterMask && status === 0) continue
      const value = isVariable ? 42 + status : word
      high = Math.imul(high ^ value, 0x01000193)
      low = Math.imul(low ^ (value >>> 3), 0xcc9e2d51) ^ (low >>> 15)
      afterMask = isVariable
      continue
    }
    if (kind === BLANK) {
      i++
      continue
    }
    if (!(afterMask && kind === JOINER)) {
      const code = text.charCodeAt(i)
      high = Math.imul(high ^ code, 0x01000193)
      low = Math.imul(low ^ code, 0xcc9e2d51) ^ (low >>> 15)
      if (kind === DELIMITER) afterMask = false
    }
    i++
  }
  return (high >>> 0) * 0x200000 + (low >>> 11)
}

/** First digit of an HTTP status after an access log's quoted request or a word for it, else 0: failures are another kind. */
function statusClass(text: string, start: number): number {
  const first = text.charCodeAt(start) - 48
  if (first < 1 || first > 5) return 0
  const before = text.slice(Math.max(0, start - 14), start)
  return /" $|(?:status|code)["']?[=:\s]{1,2}$|HTTP\/[\d.]+ $/i.test(before) ? first : 0
}

const WORDS = /[^\s=;()[\]{}"'|<>?&.:,/-]+/g

/** Variable words become `*`. */
export const wordsOfKind = (line: string): string[] =>
  (line.match(WORDS) ?? []).map((word) => (isVariableWord(word) ? '*' : word))

/** Before the first word: a line that begins with other marks says another thing. */
export const marksBefore = (line: string): string => LEADING_MARKS.exec(line)?.[0].trim() ?? ''
const LEADING_MARKS = /^[\s=;()[\]{}"'|<>?&.:,/-]+/

/** Contains a digit or is long hexadecimal. */
function isVariableWord(word: string): boolean {
  let isHex = word.length >= 8
  for (let i = 0; i < word.length; i++) {
    const code = word.charCodeAt(i)
    if (code >= 48 && code <= 57) return true
    if ((code | 32) < 97 || (code | 32) > 102) isHex = false
  }
  return isHex
}
