import { codesOf } from '../text-codes.ts'
import { arraysIn, roomFor, type Take } from './shared-arrays.ts'
import { LONGEST, MOST_WORDS, SOME_NAME, wordsOf } from './wordings.ts'

/** What wordings of a sentence say for or against an order. */
export interface WordingWeights {
  /** Of all wordings of a sentence of the text together. */
  readonly sumOf: (text: string, start?: number, end?: number) => number
  /** All of them count at most so much, for or against: padding with other words hides little. */
  readonly most: number
}

/** Open addressing: a Map of as many strings takes ten times as much of everything, and threads can't share it. */
interface WeightTable {
  /** Numbers of wordings; 0 where a slot is empty. */
  readonly slots: Uint16Array
  /** By number: a wording's hash. */
  readonly keys: Float64Array
  readonly weights: Float64Array
}

/** A power of two that leaves most slots empty. */
const SLOTS = 1 << 17
const MOST_WORDINGS = (1 << 16) - 1
const UPPER_HALF = 2 ** 32
const UPPER_BITS = (1 << 21) - 1
/** Hashes have 53 bits, in two parts. */
const LOWER_START = 0x811c9dc5 | 0
const lowerOn = (lower: number, code: number): number => Math.imul(lower ^ code, 0x01000193)
const upperOn = (upper: number, code: number): number => Math.imul(upper + code, 0x0019660d) & UPPER_BITS
const whole = (lower: number, upper: number): number => upper * UPPER_HALF + (lower >>> 0)

function slotOf({ slots, keys }: WeightTable, lower: number, upper: number): number {
  const hash = whole(lower, upper)
  let slot = (lower ^ (lower >>> 15)) & (SLOTS - 1)
  for (let number = slots[slot] ?? 0; number !== 0 && keys[number] !== hash; number = slots[slot] ?? 0)
    slot = (slot + 1) & (SLOTS - 1)
  return slot
}

const SPACE = 0x20
const LINE_FEED = 0x0a
/** Number of digits that a double holds exactly. */
const MOST_DIGITS = 15

const takeTable = (take: Take): WeightTable => ({
  slots: take(Uint16Array, SLOTS),
  keys: take(Float64Array, MOST_WORDINGS + 1),
  weights: take(Float64Array, MOST_WORDINGS + 1),
})

/** Of lines `WEIGHT WORDING` in UTF-8. */
export function packWordings(bytes: Buffer): SharedArrayBuffer {
  const room = roomFor(takeTable)
  const table = arraysIn(room, takeTable)
  let number = 0
  for (let start = 0; start < bytes.length;) {
    let name = start
    while (bytes[name] !== SPACE && bytes[name] !== LINE_FEED && name < bytes.length) name++
    const weight = name === start ? Number.NaN : weightAt(bytes, start, name)
    let end = ++name
    let lower = LOWER_START
    let upper = 0
    for (let size = 1; end < bytes.length && bytes[end] !== LINE_FEED; end += size) {
      const code = bytes[end] ?? 0
      size = sizeOf(code)
      if (size === 1) {
        lower = lowerOn(lower, code)
        upper = upperOn(upper, code)
        continue
      }
      const sign = bytes.toString('utf8', end, end + size)
      for (let i = 0; i < sign.length; i++) {
        lower = lowerOn(lower, sign.charCodeAt(i))
        upper = upperOn(upper, sign.charCodeAt(i))
      }
    }
    if (++number > MOST_WORDINGS || name >= end || end >= bytes.length || Number.isNaN(weight))
      throw new Error(
        `line ${number} of the guard's wordings isn't a weight and a wording, or is one too many`,
      )
    table.keys[number] = whole(lower, upper)
    table.weights[number] = weight
    table.slots[slotOf(table, lower, upper)] = number
    start = end + 1
  }
  return room
}

/** Bytes of a sign that begins so. */
const sizeOf = (byte: number): number => (byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4)

/** As `Number` reads it, in a tenth of the time. */
function weightAt(codes: Uint8Array, start: number, end: number): number {
  const sign = codes[start] === 0x2d ? -1 : 1
  let digits = 0
  let scale = 1
  let hasPoint = false
  let at = sign < 0 ? start + 1 : start
  for (; at < end; at++) {
    const code = codes[at] ?? 0
    if (code === 0x2e && !hasPoint) hasPoint = true
    else if (code >= 48 && code < 58) {
      digits = digits * 10 + code - 48
      if (hasPoint) scale *= 10
    } else break
  }
  if (at < end || end - start > MOST_DIGITS) return Number(String.fromCharCode(...codes.subarray(start, end)))
  return (sign * digits) / scale
}

/** As `createWordingWeights` reads them. */
export const weightLines = (weights: Readonly<Record<string, number>>): string =>
  Object.entries(weights)
    .map(([name, weight]) => `${weight} ${name}\n`)
    .join('')

const isSmall = (code: number): boolean => code >= 97 && code <= 122
const isDigit = (code: number): boolean => code >= 48 && code <= 57
/** White space up to the space. */
const isBlank = (code: number): boolean => code === SPACE || (code >= 9 && code <= 13)
/** ASCII, and signs that neither belong to words nor end them as white space does. */
const IS_PLAIN = new Uint8Array(0x10000).fill(1, 0, 0x80).fill(1, 0xa1, 0xc0).fill(1, 0x2010, 0x2028)
IS_PLAIN.fill(1, 0x2030, 0x205f).fill(1, 0x2190, 0x2c00)
for (const other of 'ªµº’') IS_PLAIN[other.charCodeAt(0)] = 0
const SMALL = Uint8Array.from({ length: 0x80 }, (_, code) => (code >= 65 && code <= 90 ? code + 32 : code))

/** `lines` are the weights of what `wordingsOf` finds. */
export const createWordingWeights = (lines: Buffer, most: number): WordingWeights =>
  wordingWeightsIn(packWordings(lines), most)

/** `packed` is from `packWordings`. */
export function wordingWeightsIn(packed: ArrayBufferLike, most: number): WordingWeights {
  const table = arraysIn(packed, takeTable)
  const { slots, weights } = table
  const seen = new Int32Array(2 * MOST_WORDS)
  let seenCount = 0
  let wordCount = 0
  let sum = 0
  // The hash of the last word.
  let lastLower = 0
  let lastUpper = 0

  const addHash = (lower: number, upper: number): void => {
    const number = slots[slotOf(table, lower, upper)] ?? 0
    if (number === 0) return
    for (let i = 0; i < seenCount; i++) if (seen[i] === number) return
    seen[seenCount++] = number
    sum += weights[number] ?? 0
  }
  /** `pairLower` and `pairUpper`: of it behind the last word. */
  const addWord = (lower: number, upper: number, pairLower: number, pairUpper: number): void => {
    addHash(lower, upper)
    if (wordCount > 0) addHash(pairLower, pairUpper)
    wordCount++
    lastLower = lower
    lastUpper = upper
  }
  const addString = (word: string): void => {
    let lower = LOWER_START
    let upper = 0
    let pairLower = lowerOn(lastLower, SPACE)
    let pairUpper = upperOn(lastUpper, SPACE)
    for (let i = 0; i < word.length; i++) {
      const code = word.charCodeAt(i)
      lower = lowerOn(lower, code)
      upper = upperOn(upper, code)
      pairLower = lowerOn(pairLower, code)
      pairUpper = upperOn(pairUpper, code)
    }
    addWord(lower, upper, pairLower, pairUpper)
  }
  /** The words of a part without spaces. */
  const addWords = (codes: Uint16Array, start: number, end: number): void => {
    for (let i = start; i < end;) {
      if (wordCount === MOST_WORDS) return
      let code = SMALL[codes[i] ?? 0] ?? 0
      if (!isSmall(code)) {
        i++
        continue
      }
      let lower = LOWER_START
      let upper = 0
      let pairLower = lowerOn(lastLower, SPACE)
      let pairUpper = upperOn(lastUpper, SPACE)
      let mayJoin = true
      for (;;) {
        lower = lowerOn(lower, code)
        upper = upperOn(upper, code)
        pairLower = lowerOn(pairLower, code)
        pairUpper = upperOn(pairUpper, code)
        if (++i >= end) break
        code = SMALL[codes[i] ?? 0] ?? 0
        if (isSmall(code)) continue
        // As in "don't".
        if (code !== 0x27 || !mayJoin || i + 1 >= end || !isSmall(SMALL[codes[i + 1] ?? 0] ?? 0)) break
        mayJoin = false
      }
      addWord(lower, upper, pairLower, pairUpper)
    }
  }

  return {
    most,
    sumOf: (text, start = 0, end = text.length) => {
      seenCount = wordCount = sum = 0
      const to = Math.min(end, start + LONGEST)
      const codes = codesOf(text)
      let isPlain = true
      for (let i = start; i < to && isPlain; i++) isPlain = IS_PLAIN[codes[i] ?? 0] === 1
      if (!isPlain) for (const word of wordsOf(text.slice(start, to)).slice(0, MOST_WORDS)) addString(word)
      else
        for (let i = start; i < to;) {
          if (wordCount === MOST_WORDS) break
          let part = i
          while (part < to && !isBlank(codes[part] ?? 0)) part++
          if (isName(codes, i, part)) addString(SOME_NAME)
          else addWords(codes, i, part)
          i = part + 1
        }
      return Math.max(-most, Math.min(most, sum))
    },
  }
}

/** What `NAME` of wordings.ts finds in a part without spaces. */
function isName(codes: Uint16Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const code = codes[i] ?? 0
    if (code === 0x40) return true
    if (i + 1 >= end || !IN_NAMES[code]) continue
    const next = SMALL[codes[i + 1] ?? 0] ?? 0
    if (code === 0x3a) {
      if (next === 0x2f && i + 2 < end && codes[i + 2] === 0x2f) return true
    } else if (code === 0x2e) {
      const before = i > start ? (SMALL[codes[i - 1] ?? 0] ?? 0) : 0
      if (isSmall(next) && (isSmall(before) || isDigit(before))) return true
    } else if (isSmall(next) || isDigit(next) || next === 0x5f) return true
  }
  return false
}
const IN_NAMES = new Uint8Array(0x80)
for (const sign of ':./\\_') IN_NAMES[sign.charCodeAt(0)] = 1
