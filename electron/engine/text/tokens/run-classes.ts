export const RUN_CLASSES = 9
/** Longer runs share one weight per character. */
export const RUN_LENGTHS = 14

const LOWER = 0
const UPPER = 1
const DIGIT = 2
const BLANK = 3
const NEWLINE = 4
const PUNCTUATION = 5
/** Non-ASCII letters: accented, other alphabets, scripts without blanks; and everything else. */
const ACCENTED = 6
const ALPHABET = 7
export const OTHER = 8

export const classes = Uint8Array.from({ length: 65_536 }, (_, code) => {
  // Lines that draw a table join in tokens like other rules.
  if (code >= 0x2500 && code < 0x2580) return PUNCTUATION
  if (code >= 128) return code < 0x250 ? ACCENTED : code < 0x2000 ? ALPHABET : OTHER
  if (code >= 97 && code <= 122) return LOWER
  if (code >= 65 && code <= 90) return UPPER
  if (code >= 48 && code <= 57) return DIGIT
  if (code === 10 || code === 13) return NEWLINE
  return code <= 32 ? BLANK : PUNCTUATION
})

export const classOf = (code: number): number => classes[code] ?? OTHER
