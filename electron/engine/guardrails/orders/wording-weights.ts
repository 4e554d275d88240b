import { codesOf } from '../text-codes.ts'
import { arraysIn, roomFor, type Take } from './shared-arrays.ts'
import { CLASSES, type WordClasses } from './word-classes.ts'
import {
  classWording,
  hasClasses,
  LONGEST,
  MOST_WORDS,
  pairOfClasses,
  REACH,
  SOME_NAME,
  wordsOf,
} from './wordings.ts'

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
  readonly slots: Uint32Array
  /** By number: a wording's hash. */
  readonly keys: Float64Array
  readonly weights: Float64Array
  /** Bits: a wording of two parts is listed only if that of its parts' hashes is set. */
  readonly pairs: Uint8Array
}

/** A power of two that leaves most slots empty. */
const SLOTS = 1 << 18
export const MOST_WORDINGS = (1 << 17) - 1
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

const PAIR_BITS = 21
/** The place in `pairs`, in bits, of a wording of two parts. */
const pairOf = (firstLower: number, secondLower: number): number =>
  Math.imul((Math.imul(firstLower, 0x9e3779b1) + secondLower) | 0, 0x85ebca6b) >>> (32 - PAIR_BITS)

const SPACE = 0x20
const LINE_FEED = 0x0a
/** Number of digits that a double holds exactly. */
const MOST_DIGITS = 15

const takeTable = (take: Take): WeightTable => ({
  slots: take(Uint32Array, SLOTS),
  keys: take(Float64Array, MOST_WORDINGS + 1),
  weights: take(Float64Array, MOST_WORDINGS + 1),
  pairs: take(Uint8Array, 1 << (PAIR_BITS - 3)),
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
    let first = 0
    /** Of what is behind the last space. */
    let second = LOWER_START
    for (let size = 1; end < bytes.length && bytes[end] !== LINE_FEED; end += size) {
      const code = bytes[end] ?? 0
      size = sizeOf(code)
      if (size === 1) {
        if (code === SPACE) {
          first = lower
          second = LOWER_START
        } else second = lowerOn(second, code)
        lower = lowerOn(lower, code)
        upper = upperOn(upper, code)
        continue
      }
      const sign = bytes.toString('utf8', end, end + size)
      for (let i = 0; i < sign.length; i++) {
        lower = lowerOn(lower, sign.charCodeAt(i))
        upper = upperOn(upper, sign.charCodeAt(i))
        second = lowerOn(second, sign.charCodeAt(i))
      }
    }
    if (++number > MOST_WORDINGS || name >= end || end >= bytes.length || Number.isNaN(weight))
      throw new Error(
        `line ${number} of the guard's wordings isn't a weight and a wording, or is one too many`,
      )
    table.keys[number] = whole(lower, upper)
    table.weights[number] = weight
    table.slots[slotOf(table, lower, upper)] = number
    const pair = pairOf(first, second)
    table.pairs[pair >> 3] = (table.pairs[pair >> 3] ?? 0) | (1 << (pair & 7))
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

interface Hash {
  readonly lower: number
  readonly upper: number
}

const hashOf = (text: string, { lower, upper }: Hash = { lower: LOWER_START, upper: 0 }): Hash =>
  Array.from(text).reduce(
    (hash, sign) => ({
      lower: lowerOn(hash.lower, sign.charCodeAt(0)),
      upper: upperOn(hash.upper, sign.charCodeAt(0)),
    }),
    { lower, upper },
  )
const COUNT = CLASSES.length
const OF_CLASS = CLASSES.map((_, index) => hashOf(classWording(index)).lower)
/** Hashes of what is before a word behind a word of a class. */
const BEFORE = CLASSES.map((_, index) => hashOf(`${classWording(index)} `))
const BEHIND = CLASSES.map((_, index) => Uint8Array.from(Buffer.from(` ${classWording(index)}`)))
const LETTERS = LONGEST + 1
const MOST_COUNTED = 255

/** `lines` are the weights of what `wordingsOf` finds. */
export const createWordingWeights = (lines: Buffer, most: number, classes: WordClasses): WordingWeights =>
  wordingWeightsIn(packWordings(lines), most, classes)

/** `packed` is from `packWordings`. */
export function wordingWeightsIn(
  packed: ArrayBufferLike,
  most: number,
  classes: WordClasses,
): WordingWeights {
  const table = arraysIn(packed, takeTable)
  const { slots, weights, pairs: listedPairs } = table
  const numberOf = ({ lower, upper }: Hash): number => slots[slotOf(table, lower, upper)] ?? 0
  /** Numbers of two classes in a row, then of two near each other. */
  const pairs = Uint32Array.from({ length: 2 * COUNT * COUNT }, (_, index) =>
    numberOf(
      hashOf(pairOfClasses(Math.floor(index / COUNT) % COUNT, index % COUNT, index < COUNT * COUNT ? 1 : 2)),
    ),
  )
  /** By number, the sentence that a wording was last met in: 1 to 255, again and again. */
  const metIn = new Uint8Array(MOST_WORDINGS + 1)
  let sentence = 0
  let wordCount = 0
  let sum = 0
  // Of the last word.
  let lastLower = 0
  let lastUpper = 0
  /** Of the last words, the bits of their classes. */
  const recent = new Int32Array(REACH)
  const letters = new Uint16Array(LETTERS)

  const add = (number: number): void => {
    if (number === 0 || metIn[number] === sentence) return
    metIn[number] = sentence
    sum += weights[number] ?? 0
  }
  const isListed = (firstLower: number, secondLower: number): boolean => {
    const pair = pairOf(firstLower, secondLower)
    return ((listedPairs[pair >> 3] ?? 0) & (1 << (pair & 7))) !== 0
  }
  const addHash = (lower: number, upper: number): void => add(slots[slotOf(table, lower, upper)] ?? 0)
  /** Its letters behind other signs. */
  const addBehind = (startLower: number, startUpper: number, length: number): void => {
    let lower = startLower
    let upper = startUpper
    for (let i = 0; i < length; i++) {
      lower = lowerOn(lower, letters[i] ?? 0)
      upper = upperOn(upper, letters[i] ?? 0)
    }
    addHash(lower, upper)
  }
  /** A word whose small letters are the first `length` of `letters`; a name has no classes, and counts only beside others. */
  const addWord = (lower: number, upper: number, length: number, bits: number): void => {
    addHash(lower, upper)
    addPairs(lower, length, bits)
    lastLower = lower
    lastUpper = upper
  }
  const addPairs = (lower: number, length: number, bits: number): void => {
    if (wordCount > 0) {
      if (isListed(lastLower, lower)) addBehind(lowerOn(lastLower, SPACE), upperOn(lastUpper, SPACE), length)
      for (let rest = recent[(wordCount - 1) % REACH] ?? 0; rest !== 0; rest &= rest - 1) {
        const index = 31 - Math.clz32(rest & -rest)
        const before = BEFORE[index]
        if (before && isListed(OF_CLASS[index] ?? 0, lower)) addBehind(before.lower, before.upper, length)
      }
      for (let rest = bits; rest !== 0; rest &= rest - 1) {
        const index = 31 - Math.clz32(rest & -rest)
        if (!isListed(lastLower, OF_CLASS[index] ?? 0)) continue
        let behindLower = lastLower
        let behindUpper = lastUpper
        for (const code of BEHIND[index] ?? []) {
          behindLower = lowerOn(behindLower, code)
          behindUpper = upperOn(behindUpper, code)
        }
        addHash(behindLower, behindUpper)
      }
    }
    const reach = bits === 0 ? 0 : Math.min(REACH, wordCount)
    for (let distance = 1; distance <= reach; distance++) {
      const group = distance === 1 ? 0 : COUNT * COUNT
      for (let first = recent[(wordCount - distance) % REACH] ?? 0; first !== 0; first &= first - 1) {
        const row = group + (31 - Math.clz32(first & -first)) * COUNT
        for (let second = bits; second !== 0; second &= second - 1)
          add(pairs[row + 31 - Math.clz32(second & -second)] ?? 0)
      }
    }
    recent[wordCount % REACH] = bits
    wordCount++
  }
  const addString = (word: string): void => {
    for (let i = 0; i < word.length; i++) letters[i] = word.charCodeAt(i)
    const { lower, upper } = hashOf(word)
    if (word !== SOME_NAME) addHash(lower, upper)
    addPairs(lower, word.length, hasClasses(word) ? classes.entryOf(word).bits : 0)
    lastLower = lower
    lastUpper = upper
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
      const from = i
      let lower = LOWER_START
      let upper = 0
      let mayJoin = true
      for (;;) {
        lower = lowerOn(lower, code)
        upper = upperOn(upper, code)
        letters[i - from] = code
        if (++i >= end) break
        code = SMALL[codes[i] ?? 0] ?? 0
        if (isSmall(code)) continue
        // As in "don't".
        if (code !== 0x27 || !mayJoin || i + 1 >= end || !isSmall(SMALL[codes[i + 1] ?? 0] ?? 0)) break
        mayJoin = false
      }
      // A word's number has the same hash.
      const bits = classes.bitsOf(classes.numberOf(lower, codes, from, i - from), codes, from, i - from)
      addWord(lower, upper, i - from, bits)
    }
  }

  return {
    most,
    sumOf: (text, start = 0, end = text.length) => {
      if (++sentence > MOST_COUNTED) {
        metIn.fill(0)
        sentence = 1
      }
      wordCount = sum = 0
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
