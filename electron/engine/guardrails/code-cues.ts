import { codesOf } from './text-codes.ts'

/** Which codes a text may hold, as bits: found in one pass, so that most patterns need not be tried. */
export const CUES = {
  hexadecimal: 1 << 0,
  octal: 1 << 1,
  decimal: 1 << 2,
  binary: 1 << 3,
  quotedPrintable: 1 << 4,
  morse: 1 << 5,
  leet: 1 << 6,
  separated: 1 << 7,
  camelCase: 1 << 8,
  cut: 1 << 9,
  spaced: 1 << 10,
  percent: 1 << 11,
  reversed: 1 << 12,
  rot13: 1 << 13,
  hexWords: 1 << 14,
} as const

const LOWER = 1
const UPPER = 2
const DIGIT = 3
const SIGN = 4
const KINDS = new Uint8Array(0x10000)
for (let code = 0; code < 26; code++) {
  KINDS[65 + code] = UPPER
  KINDS[97 + code] = LOWER
}
for (let code = 48; code < 58; code++) KINDS[code] = DIGIT
for (const sign of ' ,:._-\\=@$%&/|') KINDS[sign.charCodeAt(0)] = SIGN

const LEET = new Uint8Array(0x80)
for (const sign of '013457@$') LEET[sign.charCodeAt(0)] = 1
const SPACE = 0x20
/** In a row, each with a sign behind it: one more follows. */
const FEWEST_PAIRS = 11
const FEWEST_HEX_WORDS = 3
const LONGEST_HEX_GAP = 4
const IS_HEX = new Uint8Array(0x80)
for (const letter of 'abcdefABCDEF') IS_HEX[letter.charCodeAt(0)] = 1

/** Where words of several joined ones are, each by a place within it, in order: most texts that have some have few. */
export interface JoinedWords {
  readonly camelCase: number[]
  readonly separated: number[]
}

/** Letters of one of them. */
const LONGEST_JOINED = 16

/**
 * A bit that is missing proves that the code's pattern matches nowhere; one that is set proves nothing. Words and
 * numbers are measured between signs, most of which end them.
 */
export function codeCues(text: string, found?: JoinedWords): number {
  const codes = codesOf(text)
  let cues = 0
  // Of the letters and digits since the last sign.
  let letters = 0
  let digits = 0
  let hex = 0
  let bits = 0
  let small = 0
  let humps = 0
  let before = 0
  let beforeCode = 0
  // In a row, up to the last sign.
  let pairs = 0
  let hexWords = 0
  let hexGap = 0
  let joined = 0
  let singles = 0
  let dots = 0
  let onlyDots = 0
  let leets = 0
  let isAfterNumberSign = false
  let cutTail = false
  let isAfterHyphen = false
  const { length } = text
  for (let i = 0; i < length; i++) {
    let code = codes[i] ?? 0
    const kind = KINDS[code] ?? 0
    if (kind === LOWER || kind === UPPER) {
      if (beforeCode < 0x80 && LEET[beforeCode] === 1) {
        const first = i > 1 ? (KINDS[codes[i - 2] ?? 0] ?? 0) : 0
        if ((first === LOWER || first === UPPER) && ++leets > 1) cues |= CUES.leet
      }
      bits = 0
      if (kind === UPPER) {
        letters++
        hex += IS_HEX[code] ?? 0
        if (beforeCode === 0x3d && code <= 70) cues |= CUES.quotedPrintable
        humps =
          small >= 1 && small <= LONGEST_JOINED && (before === LOWER || before === UPPER)
            ? humps + 1
            : before === LOWER
              ? 1
              : 0
        if (humps >= 2) {
          found?.camelCase.push(i)
          if (humps > 2) cues |= CUES.camelCase
        }
        small = 0
      } else {
        // All small letters in a row.
        const from = i
        hex += IS_HEX[code] ?? 0
        for (
          let next = codes[i + 1] ?? 0;
          KINDS[next] === LOWER && i + 1 < length;
          next = codes[i + 1] ?? 0
        ) {
          i++
          code = next
          hex += IS_HEX[code] ?? 0
        }
        letters += i + 1 - from
        small += i + 1 - from
      }
    } else if (kind === DIGIT) {
      digits++
      hex++
      small = 0
      humps = 0
      bits = code < 50 ? bits + 1 : 0
      if (bits >= 8) cues |= CUES.binary
      if (beforeCode === 0x3d) cues |= CUES.quotedPrintable
      if (beforeCode === 0x25 && code < 56) cues |= CUES.percent
    } else {
      small = 0
      humps = 0
      bits = 0
      const size = letters + digits
      if (size > 2 && digits === 0) cues |= wordCues(codes, i - size, size)
      if (size > 0) {
        hexGap = 0
        hexWords = (size & 1) === 0 && size >= 4 && isHex(codes, i - size, size, hex) ? hexWords + 1 : 0
        if (hexWords >= FEWEST_HEX_WORDS) cues |= CUES.hexWords
      }
      if (code !== SPACE && code !== 0x2c && code !== 0x0a && code !== 0x22 && code !== 0x27) hexWords = 0
      else if (++hexGap > LONGEST_HEX_GAP) hexWords = 0
      if (kind === SIGN) {
        const isNumberSign = code === SPACE || code === 0x2c || code === 0x5c
        const isPairSign = code === SPACE || code === 0x2c || code === 0x3a
        // Two pairs after a sign; between pairs of signs nothing.
        if (size > 0)
          pairs =
            isPairSign && (size === 2 || size === 4) && isHex(codes, i - size, size, hex) ? pairs + 1 : 0
        else if (!isPairSign) pairs = 0
        if (pairs >= FEWEST_PAIRS) cues |= CUES.hexadecimal
        if (isNumberSign && isAfterNumberSign && letters === 0) {
          if (digits === 3) cues |= CUES.octal
          if (digits === 2 || digits === 3) cues |= CUES.decimal
        }
        if (code === 0x5f || code === 0x2d) {
          joined = digits === 0 && letters >= 1 && letters <= LONGEST_JOINED ? joined + 1 : 0
          if (joined >= 3) {
            cues |= CUES.separated
            found?.separated.push(i)
          }
          if (code === 0x2d && cutTail && digits === 0 && letters >= 1 && letters <= 5) cues |= CUES.cut
        } else joined = 0
        cutTail = code === SPACE && isAfterHyphen && digits === 0 && letters >= 2 && letters <= 5
        isAfterHyphen = code === 0x2d
        const isSpacing = code === SPACE || code === 0x2e || code === 0x5f || code === 0x2d
        if (size > 0 || !isSpacing) singles = isSpacing && letters === 1 && digits === 0 ? singles + 1 : 0
        if (singles >= 9) cues |= CUES.spaced
        if (code === SPACE) {
          onlyDots = dots >= 1 && dots <= 5 && size === 0 ? onlyDots + 1 : 0
          if (onlyDots >= 2) cues |= CUES.morse
          dots = 0
        } else dots = (code === 0x2e || code === 0x2d) && size === 0 ? dots + 1 : 99
        isAfterNumberSign = isNumberSign
      } else {
        pairs = joined = singles = onlyDots = 0
        dots = 99
        isAfterNumberSign = cutTail = isAfterHyphen = false
      }
      letters = digits = hex = 0
    }
    before = kind
    beforeCode = code
  }
  const last = letters + digits
  if (hexWords >= FEWEST_HEX_WORDS - 1 && isHex(codes, length - last, last, hex)) cues |= CUES.hexWords
  return letters > 2 ? cues | wordCues(codes, length - letters, letters) : cues
}

/** All of it, or all behind a "0x". `hex`: how many digits and letters of hexadecimal numbers it has. */
const isHex = (codes: Uint16Array, start: number, size: number, hex: number): boolean =>
  hex === size || (hex === size - 1 && codes[start] === 0x30 && ((codes[start + 1] ?? 0) | 32) === 0x78)

/** Words that tell of letters in reverse or of ROT13, by their length and their first and last letters. */
const TELLING: readonly (readonly [number, string])[] = [
  [CUES.reversed, 'eht dna ruoy snoitcurtsni tpmorp metsys suoiverp'],
  [CUES.rot13, 'vafgehpgvba vafgehpgvbaf vtaber cerivbhf qvfertneq flfgrz'],
]
const LONGEST = 12
/** A word's place among those of its length and of its first and last letter, and one more. */
const PLACES = new Uint8Array((LONGEST + 1) << 10)
const WORDS: readonly (readonly [cue: number, word: string])[] = TELLING.flatMap(([cue, words]) =>
  words.split(' ').map((word) => [cue, word] as const),
)
const slot = (length: number, first: number, last: number): number =>
  (length << 10) | ((first & 31) << 5) | (last & 31)
WORDS.forEach(([, word], index) => {
  PLACES[slot(word.length, word.charCodeAt(0), word.charCodeAt(word.length - 1))] = index + 1
})

function wordCues(codes: Uint16Array, start: number, size: number): number {
  if (size > LONGEST) return 0
  const place = PLACES[slot(size, codes[start] ?? 0, codes[start + size - 1] ?? 0)] ?? 0
  if (place === 0) return 0
  const [cue, word] = WORDS[place - 1] ?? [0, '']
  for (let i = 0; i < size; i++) if (((codes[start + i] ?? 0) | 32) !== word.charCodeAt(i)) return 0
  return cue
}
