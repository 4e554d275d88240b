/** Values of the digits of base64, also those for addresses; 64 for all others. */
const DIGITS = new Uint8Array(0x10000).fill(64)
'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.split('').forEach((digit, value) => {
  DIGITS[digit.charCodeAt(0)] = value
})
DIGITS[0x2d] = 62
DIGITS[0x5f] = 63

/** Of bytes, from their first on: one that is odd here makes what is decoded no encoding, either. */
const LOOKED_AT = 60
/** Share of odd characters that a readable text may have; and in how many characters they are counted. */
const MOST_ODD = 0.03
const COUNTED = 400
const BYTES_OF_DIGIT = 0.75

/**
 * A cheap first look at a run of digits of base64 that may be read from `start` to `end`: false proves that it is no
 * readable text, packed bytes, or text in UTF-16, without a string or a buffer for it. Most runs are paths, names and
 * keys, whose bytes are odd from the beginning.
 */
export function mayBeText(run: string, start = 0, end = run.length): boolean {
  const most = MOST_ODD * Math.min(COUNTED, (end - start) * BYTES_OF_DIGIT)
  const looked = Math.min(COUNTED, Math.floor((end - start) * BYTES_OF_DIGIT))
  let odd = 0
  let isOddAtFirst = false
  /** Bytes of a sign of UTF-8 that have to follow. */
  let following = 0
  let first = 0
  let bits = 0
  let held = 0
  for (let at = start, count = 0; at < end && count < looked; at++) {
    const value = DIGITS[run.charCodeAt(at)] ?? 64
    if (value === 64) return true
    bits = ((bits << 6) | value) & 0x3fff
    held += 6
    if (held < 8) continue
    held -= 8
    const byte = (bits >> held) & 0xff
    if (count === 0) first = byte
    // Text in UTF-16 has zeros or begins with its mark; gzip and zlib begin so.
    if (byte === 0 || (count === 0 && byte >= 0xfe)) return true
    if (count === 1 && ((first === 0x1f && byte === 0x8b) || first === 0x78)) return true
    let isOdd = byte < 9 || (byte > 13 && byte < 32) || byte === 0x7f
    if (following > 0 && (byte & 0xc0) === 0x80) following--
    else {
      // A sign that breaks off, or a byte that begins none, is one character that shows nothing.
      if (following > 0) isOdd = true
      following = byte < 0xc2 ? 0 : byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : byte < 0xf5 ? 3 : 0
      if (byte >= 0x80 && following === 0) isOdd = true
    }
    if (isOdd) {
      odd++
      if (count < LOOKED_AT) isOddAtFirst = true
    }
    count++
  }
  return !isOddAtFirst || odd <= most
}
