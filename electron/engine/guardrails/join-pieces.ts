import { isFunctionWord } from './function-words.ts'
import { HASH_START, hashOn } from './orders/word-table.ts'
import { codesOf } from './text-codes.ts'

/** Short pieces of a text that follow each other, as one line for each run of them. */
export interface JoinedPieces {
  readonly text: string
  /** Of an index of `text`: its place in the original. */
  originalIndex(index: number): number
}

/** Of a piece: more read as a sentence of their own. */
const MOST_WORDS = 4
const LONGEST_PIECE = 60
/** Of a run: fewer are a heading and what is below it. */
const FEWEST_PIECES = 4
const FEWEST_WORDS = 5
/** Share of words that join others: labels, names and keywords are no sentence. */
const LEAST_JOINING = 0.1
/** Pieces for each that ends a sentence; of more, each piece is written as one. */
const MOST_STOPS = 3
/** A word that one of the last pieces had, too, belongs to the layout: a level, a key, a speaker. */
const MEMORY = 8
const SLOTS = 1 << 12
/** Characters. */
const SHORTEST = 20

const LETTER = 1
const DIGIT = 2
const END = 4
const STOP = 8
/** Two of them count as a word. */
const UNSPACED = 16
const KINDS = new Uint8Array(0x10000)
KINDS.fill(LETTER, 0xc0)
KINDS.fill(0, 0x2000, 0x2c00)
KINDS.fill(0, 0x2e00, 0x3040)
KINDS.fill(UNSPACED, 0x3040, 0x3100)
KINDS.fill(UNSPACED, 0x3400, 0xa000)
KINDS.fill(0, 0xd800, 0xf900)
KINDS.fill(0, 0xfe00, 0xfe70)
KINDS.fill(0, 0xff00, 0xffff)
KINDS.fill(LETTER, 65, 91)
KINDS.fill(LETTER, 97, 123)
KINDS.fill(DIGIT, 48, 58)
for (const sign of '\n\r\t|"<>;{}[]\u2028') KINDS[sign.charCodeAt(0)] = END
for (const sign of '.!?。！？؟।') KINDS[sign.charCodeAt(0)] = STOP
const IN_WORD = LETTER | DIGIT
const CAPITAL = /\p{Lu}/u
const APOSTROPHE = 0x27
const SPACE = 0x20
const LONGEST_TAG = 200
const LONGEST_ADDRESS = 100

/** The piece in which a word was met last, by its hash. */
const lastPiece = new Int32Array(SLOTS).fill(-MEMORY)
/** Number of the current piece. Never reset between texts, so that `lastPiece` needs no clearing. */
let piece = 0
const MOST_PIECES = 1 << 29
let words = new Int32Array(512)

/**
 * Reads lines, cells, tags, list items and strings of a few words as what they say together. Marks, numbers and words
 * that each piece has are left out. Undefined without any. Linear time.
 */
export function joinPieces(text: string): JoinedPieces | undefined {
  const codes = codesOf(text)
  const { length } = text
  if (length < SHORTEST) return undefined
  const lines: string[] = []
  /** Of each word: where it begins in the joined text, and in the original. */
  const places: number[] = []
  let joinedLength = 0
  piece = piece > MOST_PIECES ? restart() : piece + MEMORY
  /** Of the run: pieces with words, and words as starts and ends in `words`. */
  let pieces = 0
  let count = 0
  let stops = 0
  /** Of the piece: where its words begin, how many words it has, and characters between the first and the end. */
  let first = 0
  let own = 0
  let from = 0
  let hasWords = false
  /** Words of the piece before. */
  let before = 0

  const endRun = (): void => {
    const end = first
    if (pieces >= FEWEST_PIECES && end >= FEWEST_WORDS * 2) {
      const least = (end / 2) * LEAST_JOINING
      let joining = 0
      for (let at = 0; at < end && joining < least; at += 2)
        if (isFunctionWord(text.slice(words[at], Math.abs(words[at + 1] ?? 0)))) joining++
      if (joining < least) return void (pieces = stops = 0)
      const joinedWords: string[] = []
      const keepsStops = stops * MOST_STOPS < pieces
      for (let at = 0; at < end; at += 2) {
        const stop = words[at + 1] ?? 0
        joinedWords.push(text.slice(words[at], Math.abs(stop)) + (stop < 0 && keepsStops ? '.' : ''))
      }
      for (const [i, word] of joinedWords.entries()) {
        places.push(joinedLength, words[2 * i] ?? 0)
        joinedLength += word.length + 1
      }
      lines.push(joinedWords.join(' '))
      joinedLength++
    }
    pieces = stops = 0
  }
  const endPiece = (end: number): void => {
    if (own > MOST_WORDS || (own > 0 && end - from > LONGEST_PIECE)) {
      endRun()
      count = first = 0
    } else if (own > 0) {
      const isCapital = CAPITAL.test(text.charAt(words[first] ?? 0))
      if (isCapital && (own > 1 || before > 1)) {
        endRun()
        words.copyWithin(0, first, count)
        count -= first
      }
      pieces++
      first = count
      before = own
    }
    own = 0
    if (hasWords) piece++
    hasWords = false
  }

  for (let i = 0; i < length;) {
    const code = codes[i] ?? 0
    const kind = KINDS[code] ?? 0
    if ((kind & IN_WORD) !== 0) {
      const start = i
      let all = 0
      let hash = HASH_START
      for (let of = kind; (of & IN_WORD) !== 0; of = KINDS[codes[i] ?? 0] ?? 0) {
        all |= of
        hash = hashOn(hash, (codes[i] ?? 0) | 32)
        i++
        if (codes[i] === APOSTROPHE && ((KINDS[codes[i + 1] ?? 0] ?? 0) & LETTER) !== 0) i++
      }
      const address = endOfAddress(codes, i)
      if (address > i) i = address
      else if ((all & DIGIT) !== 0) continue
      hasWords = true
      const slot = hash >>> 20
      const isRepeated = piece - (lastPiece[slot] ?? 0) < MEMORY && lastPiece[slot] !== piece
      lastPiece[slot] = piece
      if (isRepeated && address === 0) continue
      if (own++ === 0) from = start
      if (own <= MOST_WORDS) count = add(count, start, i)
      continue
    }
    if (kind === UNSPACED) {
      const start = i
      while (KINDS[codes[i] ?? 0] === UNSPACED) i++
      hasWords = true
      if (own === 0) from = start
      own += (i - start) >> 1 || 1
      if (own <= MOST_WORDS) count = add(count, start, i)
      continue
    }
    i++
    if (kind === 0) {
      // A line break as an escape.
      if (code === 0x5c && codes[i] === 0x6e) endPiece(i++ - 1)
    } else if (kind === STOP) {
      const next = codes[i] ?? 0
      if (code <= 0x7f && next > SPACE && KINDS[next] !== END) continue
      if (own > 0 && own <= MOST_WORDS && count > 0) {
        words[count - 1] = -Math.abs(words[count - 1] ?? 0)
        stops++
      }
      endPiece(i - 1)
    } else {
      endPiece(i - 1)
      if (code === 0x3c) i = afterTag(codes, i)
    }
  }
  endPiece(length)
  endRun()
  return lines.length === 0
    ? undefined
    : { text: lines.join('\n\n'), originalIndex: (index) => placeOf(places, index) }
}

function restart(): number {
  lastPiece.fill(-MEMORY)
  return 0
}

function add(count: number, start: number, end: number): number {
  if (count === words.length) {
    const longer = new Int32Array(words.length * 2)
    longer.set(words)
    words = longer
  }
  words[count] = start
  words[count + 1] = end
  return count + 2
}

/** Behind an address, `eve@example.org` or `https://example.org/a`, whose first word ends at `from`; 0 where none is. */
function endOfAddress(codes: Uint16Array, from: number): number {
  const isLink = codes[from] === 0x3a && codes[from + 1] === 0x2f && codes[from + 2] === 0x2f
  if (codes[from] !== 0x40 && !isLink) return 0
  let end = from + 1
  while (end - from < LONGEST_ADDRESS && (codes[end] ?? 0) > SPACE && KINDS[codes[end] ?? 0] !== END) end++
  while (((KINDS[codes[end - 1] ?? 0] ?? 0) & IN_WORD) === 0) end--
  return end > from + 1 ? end : 0
}

/** Behind a tag that begins before `from`; `from` where none does. */
function afterTag(codes: Uint16Array, from: number): number {
  const letter = codes[from] === 0x2f ? from + 1 : from
  if (((KINDS[codes[letter] ?? 0] ?? 0) & LETTER) === 0) return from
  const most = from + LONGEST_TAG
  for (let i = letter; i < most; i++) {
    const code = codes[i]
    if (code === 0x3e) return i + 1
    if (code === 0x3c || code === 0) return from
  }
  return from
}

/** By binary search among pairs of places. */
function placeOf(places: readonly number[], index: number): number {
  let [low, high] = [0, places.length / 2 - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((places[middle * 2] ?? 0) <= index) low = middle
    else high = middle - 1
  }
  return (places[low * 2 + 1] ?? 0) + index - (places[low * 2] ?? 0)
}
