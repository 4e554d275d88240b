import { fromBase64, textOf } from './decode-codes.ts'
import { codesOf } from './text-codes.ts'

/** Parts of one encoded text: with commas, as strings of an array, as items of a list. */
export interface EncodedPieces {
  readonly start: number
  readonly end: number
  /** The first `most` of them. */
  readonly pieces: (most?: number) => string[]
}

const FEWEST_PIECES = 3
const SHORTEST_PIECE = 3
const FEWEST_SIGNS = 24
const MOST_SIGNS = 65_536
/** Blanks, quotes and an item's number between two of them. */
const LONGEST_GAP = 24
/** Share of pieces with letters that no list of words has. */
const LEAST_ODD = 0.5

const LOWER = 1
const UPPER = 2
const DIGIT = 3
const SIGN = 4
const KINDS = new Uint8Array(0x10000)
KINDS.fill(LOWER, 97, 123)
KINDS.fill(UPPER, 65, 91)
KINDS.fill(DIGIT, 48, 58)
for (const sign of '+/-_') KINDS[sign.charCodeAt(0)] = SIGN
const SPACE = 0x20
const EQUALS = 0x3d
const NEWLINE = 0x0a
const IS_PAUSE = new Uint8Array(0x10000)
for (const sign of ',;|"\'`\n\r') IS_PAUSE[sign.charCodeAt(0)] = 1
/** What alone separates, so that words of a sentence are none. */
const SEPARATES = new Uint8Array(0x10000)
for (const sign of ',;|\n') SEPARATES[sign.charCodeAt(0)] = 1

/** By hand: a pattern would begin again at each word. Linear time. */
export function encodedPieces(text: string): EncodedPieces[] {
  const codes = codesOf(text)
  const found: EncodedPieces[] = []
  let bounds: number[] = []
  let odd = 0
  let numbers = 0
  let size = 0
  const end = (): void => {
    const count = bounds.length / 2
    if (count >= FEWEST_PIECES && size >= FEWEST_SIGNS && odd > 0 && odd >= (count - numbers) * LEAST_ODD)
      found.push(piecesOf(text, bounds))
    bounds = []
    odd = numbers = size = 0
  }
  const { length } = text
  for (let i = 0; i < length;) {
    let before = KINDS[codes[i] ?? 0] ?? 0
    if (before === 0) {
      i++
      continue
    }
    const start = i
    let isOdd = false
    let isNumber = before === DIGIT
    for (let kind = before; kind !== 0; kind = KINDS[codes[++i] ?? 0] ?? 0) {
      if (kind !== before && (kind === DIGIT || before === DIGIT || (kind === UPPER && before === LOWER)))
        isOdd = true
      if (kind !== DIGIT) isNumber = false
      before = kind
    }
    const stop = i
    while (codes[i] === EQUALS && i < stop + 2) i++
    const isPause = IS_PAUSE[codes[i] ?? 0] === 1 || i === length
    const isFirst = bounds.length === 0
    // The last may be of any length.
    if (isFirst && (stop - start < SHORTEST_PIECE || !isPause)) continue
    bounds.push(start, i)
    size += stop - start
    if (isOdd) odd++
    if (isNumber) numbers++
    const next = isPause && stop - start >= SHORTEST_PIECE && size < MOST_SIGNS ? nextPiece(codes, i) : 0
    if (next === 0) end()
    else i = next
  }
  if (bounds.length > 0) end()
  return found
}

/** Where the next one begins; 0 where none follows. */
function nextPiece(codes: Uint16Array, from: number): number {
  let separators = 0
  let isLine = false
  let at = from
  for (; at - from < LONGEST_GAP; at++) {
    const code = codes[at] ?? 0
    if (SEPARATES[code] === 1) {
      separators++
      if (code !== NEWLINE) continue
      if (isLine) return 0
      isLine = true
    } else if (code !== SPACE && code !== 9 && IS_PAUSE[code] !== 1) break
  }
  if (separators === 0) return 0
  const next = isLine ? afterMarker(codes, at) : at
  return (KINDS[codes[next] ?? 0] ?? 0) === 0 ? 0 : next
}

/** "12. ", "3) ", "- " */
function afterMarker(codes: Uint16Array, from: number): number {
  let at = from
  while (at < from + 3 && KINDS[codes[at] ?? 0] === DIGIT) at++
  const isMarked =
    at > from
      ? '.):'.includes(String.fromCharCode(codes[at] ?? 0))
      : '-*•'.includes(String.fromCharCode(codes[at] ?? 0))
  if (!isMarked || codes[at + 1] !== SPACE) return from
  at++
  while (codes[at] === SPACE) at++
  return IS_PAUSE[codes[at] ?? 0] === 1 && codes[at] !== NEWLINE ? at + 1 : at
}

const piecesOf = (text: string, bounds: readonly number[]): EncodedPieces => ({
  start: bounds[0] ?? 0,
  end: bounds.at(-1) ?? 0,
  pieces: (most = Infinity) =>
    Array.from({ length: Math.min(most, bounds.length / 2) }, (_, i) =>
      text.slice(bounds[2 * i], bounds[2 * i + 1]),
    ),
})

const HEXADECIMAL = /^(?:[0-9a-f]{2})+$/i

/** Padding ends a text, or each piece has its own. */
export function fromPieces(pieces: readonly string[]): string {
  const joined = pieces.join('')
  if (HEXADECIMAL.test(joined)) return textOf(Buffer.from(joined, 'hex'))
  const padded = pieces.findIndex((piece) => piece.endsWith('='))
  const whole = fromBase64(padded < 0 ? joined : pieces.slice(0, padded + 1).join(''))
  return padded < 0 || (padded > 1 && !whole.includes('\ufffd'))
    ? whole
    : pieces.map((piece) => textOf(Buffer.from(piece, 'base64'))).join('')
}
