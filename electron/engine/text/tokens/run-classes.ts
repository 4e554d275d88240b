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

/** In ranges: every thread makes it at its start, and a function for each code unit takes milliseconds. */
export const classes = new Uint8Array(65_536)
  .fill(PUNCTUATION, 0, 128)
  .fill(BLANK, 0, 33)
  .fill(NEWLINE, 10, 11)
  .fill(NEWLINE, 13, 14)
  .fill(DIGIT, 48, 58)
  .fill(UPPER, 65, 91)
  .fill(LOWER, 97, 123)
  .fill(ACCENTED, 128, 0x250)
  .fill(ALPHABET, 0x250, 0x2000)
  .fill(OTHER, 0x2000)
  // Lines that draw a table join in tokens like other rules.
  .fill(PUNCTUATION, 0x2500, 0x2580)

export const classOf = (code: number): number => classes[code] ?? OTHER
