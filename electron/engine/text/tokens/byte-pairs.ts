import { loadTokenRanks } from './load-token-ranks.ts'
import { NOT_ASCII } from './token-ranks.ts'
import type { TokenRanks } from './token-ranks.ts'

/** Bytes: a piece of n bytes has at least n / this many tokens. */
export const LONGEST_TOKEN = 128

/** On demand: processes that only pass messages never need them. */
let ranks: TokenRanks | undefined

/** Otherwise the first count reads the file. */
export const prepareCounting = (): void => {
  ranks ??= loadTokenRanks()
}

/** Pieces up to this length are cached in `recent`, up to MIDDLE in `recentLonger`, up to CACHED_LENGTH in `cache`. */
const SHORT = 8
const MIDDLE = 16
const CACHED_LENGTH = 64
const CACHE_SIZE = 100_000
/** V8 makes longer substrings views, which retain the whole text. */
const LONGEST_COPY = 12
const cache = new Map<string, number>()
/** From this many bytes, a heap is cheaper than repeated linear search. */
const HEAP_FROM = 96

/**
 * The last short ASCII pieces in four numbers each: two for characters, then length and count. Fits the processor
 * cache, unlike the table of all tokens. Longer pieces have four numbers for characters.
 */
const RECENT = 2 ** 14
const recent = new Int32Array(RECENT * 4)
const RECENT_LONGER = 2 ** 12
const recentLonger = new Int32Array(RECENT_LONGER * 8)
/** Holds a piece not copied yet. */
const scratch = new Uint16Array(CACHED_LENGTH)

/** Byte-pair tokens of one pre-tokenizer piece of a text. */
export function countPiece(text: string, start: number, end: number): number {
  const length = end - start
  if (length > scratch.length) return countBytes(bytesOf(text.slice(start, end)))
  for (let i = 0; i < length; i++) scratch[i] = text.charCodeAt(start + i)
  return countCopied(scratch, 0, length, text, start)
}

/** The same for a piece whose code units are already copied. */
export function countCopied(
  units: Uint16Array,
  start: number,
  end: number,
  text: string,
  at: number,
): number {
  const length = end - start
  if (length > SHORT) return countLonger(units, start, end, text, at)
  const known = (ranks ??= loadTokenRanks())
  const first = units[start] ?? 0
  if (length === 1 && first < 128) return 1
  if (length === 2) {
    const second = units[start + 1] ?? 0
    if ((first | second) < 128) return known.rankOfTwo(first, second) >= 0 ? 1 : 2
  }
  let head = 0
  let bits = 0
  let i = start
  for (const middle = length < 4 ? end : start + 4; i < middle; i++) {
    const code = units[i] ?? 0
    bits |= code
    head = (head << 8) | code
  }
  let tail = 0
  for (; i < end; i++) {
    const code = units[i] ?? 0
    bits |= code
    tail = (tail << 8) | code
  }
  if (bits > 127) return countKept(text.slice(at, at + length))
  const mixed = Math.imul(head, 0x9e3779b1) ^ Math.imul(tail, 0x85ebca6b)
  const place = ((mixed ^ (mixed >>> 15)) & (RECENT - 1)) << 2
  const found = recent[place + 2] ?? 0
  if (recent[place] === head && recent[place + 1] === tail && found >> 8 === length) return found & 255
  const count = known.rankOf(units, start, end) >= 0 ? 1 : mergeShort(units, start, end, known)
  recent[place] = head
  recent[place + 1] = tail
  recent[place + 2] = (length << 8) | count
  return count
}

function countLonger(units: Uint16Array, start: number, end: number, text: string, at: number): number {
  const known = (ranks ??= loadTokenRanks())
  const rank = known.rankOfAscii(units, start, end)
  if (rank >= 0) return 1
  const length = end - start
  if (rank === NOT_ASCII || length > MIDDLE) return countKept(text.slice(at, at + length))
  const first = fourUnits(units, start, end)
  const second = fourUnits(units, start + 4, end)
  const third = fourUnits(units, start + 8, end)
  const fourth = fourUnits(units, start + 12, end)
  const mixed =
    Math.imul(first, 0x9e3779b1) ^
    Math.imul(second, 0x85ebca6b) ^
    Math.imul(third, 0xc2b2ae35) ^
    Math.imul(fourth, 0x27d4eb2f)
  const place = ((mixed ^ (mixed >>> 15)) & (RECENT_LONGER - 1)) << 3
  const found = recentLonger[place + 4] ?? 0
  if (
    recentLonger[place] === first &&
    recentLonger[place + 1] === second &&
    recentLonger[place + 2] === third &&
    recentLonger[place + 3] === fourth &&
    found >> 8 === length
  )
    return found & 255
  const count = mergeShort(units, start, end, known)
  recentLonger[place] = first
  recentLonger[place + 1] = second
  recentLonger[place + 2] = third
  recentLonger[place + 3] = fourth
  recentLonger[place + 4] = (length << 8) | count
  return count
}

function fourUnits(units: Uint16Array, from: number, end: number): number {
  let packed = 0
  for (let i = from; i < Math.min(from + 4, end); i++) packed = (packed << 8) | (units[i] ?? 0)
  return packed
}

/** Caches pieces that recur. */
function countKept(piece: string): number {
  if (piece.length > CACHED_LENGTH) return countBytes(bytesOf(piece))
  const cached = cache.get(piece)
  if (cached !== undefined) return cached
  const count = countBytes(bytesOf(piece))
  if (cache.size >= CACHE_SIZE) cache.clear()
  cache.set(piece.length > LONGEST_COPY ? copyOf(piece) : piece, count)
  return count
}

function countBytes(bytes: Uint16Array): number {
  const known = (ranks ??= loadTokenRanks())
  if (known.rankOf(bytes, 0, bytes.length) >= 0) return 1
  return bytes.length < HEAP_FROM ? mergeShort(bytes, 0, bytes.length, known) : mergeLong(bytes, known)
}

const copyOf = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le')

/** UTF-8; lone surrogates become the replacement character, as in every encoder. */
const bytesOf = (text: string): Uint16Array => Uint16Array.from(Buffer.from(text, 'utf8'))

/** For mergeShort: part starts, and the pair's rank at each. */
const starts = new Uint8Array(HEAP_FROM + 1)
const pairs = new Int32Array(HEAP_FROM)
const NO_PAIR = 0x7fffffff

/** Merges the best pair by linear search. */
function mergeShort(bytes: Uint16Array, from: number, to: number, known: TokenRanks): number {
  let count = to - from
  for (let i = 0; i <= count; i++) starts[i] = i
  for (let i = 0; i + 1 < count; i++)
    pairs[i] = orNoPair(known.rankOfTwo(bytes[from + i] ?? 0, bytes[from + i + 1] ?? 0))
  while (count > 1) {
    let best = 0
    let rank = pairs[0] ?? NO_PAIR
    for (let i = 1; i < count - 1; i++) {
      const other = pairs[i] ?? NO_PAIR
      if (other < rank) {
        best = i
        rank = other
      }
    }
    if (rank === NO_PAIR) break
    count--
    for (let i = best + 1; i <= count; i++) starts[i] = starts[i + 1] ?? 0
    for (let i = best; i < count - 1; i++) pairs[i] = pairs[i + 1] ?? NO_PAIR
    if (best < count - 1) pairs[best] = rankOfPair(bytes, from, best, known)
    if (best > 0) pairs[best - 1] = rankOfPair(bytes, from, best - 1, known)
  }
  return count
}

const rankOfPair = (bytes: Uint16Array, from: number, part: number, known: TokenRanks): number =>
  orNoPair(known.rankOf(bytes, from + (starts[part] ?? 0), from + (starts[part + 2] ?? 0)))

const orNoPair = (rank: number): number => (rank < 0 ? NO_PAIR : rank)

/** The same with a heap of pairs and a linked list: megabytes without a blank must not take quadratic time. */
function mergeLong(bytes: Uint16Array, known: TokenRanks): number {
  const length = bytes.length
  const next = Int32Array.from({ length: length + 1 }, (_, i) => i + 1)
  const previous = Int32Array.from({ length: length + 1 }, (_, i) => i - 1)
  // Heap entries with another rank are stale.
  const current = new Float64Array(length + 1).fill(-1)
  const heap = new MinHeap()
  const offer = (start: number) => {
    const middle = next[start] ?? length
    const end = middle < length ? (next[middle] ?? length) : -1
    const rank = end < 0 ? -1 : known.rankOf(bytes, start, end)
    current[start] = rank
    if (rank >= 0) heap.push(rank * POSITIONS + start)
  }
  for (let i = 0; i < length - 1; i++) offer(i)
  let parts = length
  for (let entry = heap.pop(); entry !== undefined; entry = heap.pop()) {
    const start = entry % POSITIONS
    if (current[start] !== Math.floor(entry / POSITIONS)) continue
    const middle = next[start] ?? length
    const end = next[middle] ?? length
    next[start] = end
    previous[end] = start
    current[middle] = -1
    parts--
    offer(start)
    const before = previous[start] ?? -1
    if (before >= 0) offer(before)
  }
  return parts
}

/** In one number, so that equal ranks merge left to right. */
const POSITIONS = 2 ** 32

class MinHeap {
  readonly #items: number[] = []

  push(item: number): void {
    const items = this.#items
    let i = items.length
    items.push(item)
    while (i > 0) {
      const parent = (i - 1) >> 1
      const above = items[parent] ?? 0
      if (above <= item) break
      items[i] = above
      i = parent
    }
    items[i] = item
  }

  pop(): number | undefined {
    const items = this.#items
    const top = items[0]
    const last = items.pop()
    if (items.length === 0 || last === undefined) return top
    let i = 0
    for (;;) {
      let child = 2 * i + 1
      if (child >= items.length) break
      if (child + 1 < items.length && (items[child + 1] ?? 0) < (items[child] ?? 0)) child++
      const below = items[child] ?? 0
      if (below >= last) break
      items[i] = below
      i = child
    }
    items[i] = last
    return top
  }
}
