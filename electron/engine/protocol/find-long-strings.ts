/** Byte offsets inside the quotes. */
export interface StringPlace {
  readonly start: number
  readonly end: number
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
export const LONG_STRING_BYTES = 1_000_000
/** With more around them, a document isn't mostly strings. */
const MOST_AROUND = 100_000
/** Checking more costs more time than it saves. */
const MOST_QUOTES = 500_000

/** In order, of at least `long` bytes; none if there is much more. Invalid JSON may yield anything. */
export function findLongStrings(json: Uint8Array, long = LONG_STRING_BYTES): StringPlace[] {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.length)
  const found: StringPlace[] = []
  let inLong = 0
  let quotes = 0
  let start = bytes.indexOf(QUOTE) + 1
  while (start > 0) {
    if (start - inLong > MOST_AROUND) return []
    let end = start - 1
    do {
      end = bytes.indexOf(QUOTE, end + 1)
      if (end < 0 || ++quotes > MOST_QUOTES) return []
    } while (isEscaped(bytes, end, start))
    if (end - start >= long) {
      found.push({ start, end })
      inLong += end - start
    }
    start = bytes.indexOf(QUOTE, end + 1) + 1
  }
  return bytes.length - inLong > MOST_AROUND ? [] : found
}

/** Follows an odd number of backslashes. */
function isEscaped(bytes: Buffer, quote: number, start: number): boolean {
  let at = quote
  while (at > start && bytes[at - 1] === BACKSLASH) at--
  return (quote - at) % 2 === 1
}
