import { loadTokenRanks, NOT_ASCII } from './token-ranks.ts'
import type { TokenRanks } from './token-ranks.ts'

/** No token of o200k_base has more bytes, so a piece of n bytes has at least n / this many tokens. */
export const LONGEST_TOKEN = 128

/** Loaded at the first count, or before: processes that only pass messages on never need them. */
let ranks: TokenRanks | undefined

/** Reads the encoding's file, which the first count would do otherwise. */
export const prepareCounting = (): void => {
  ranks ??= loadTokenRanks()
}

const CACHED_LENGTH = 64
const CACHE_SIZE = 100_000
/** V8 makes longer parts of a text views of it: one piece that is kept would keep the whole text. */
const LONGEST_COPY = 12
const cache = new Map<string, number>()
/** Above this many bytes, looking for the best pair again after each merge costs more than keeping a heap. */
const HEAP_FROM = 96

/** How many tokens byte-pair encoding makes of one piece of the pre-tokenizer, which is a part of a text. */
export function countPiece(text: string, start = 0, end = text.length): number {
  if (end - start === 1 && text.charCodeAt(start) < 128) return 1
  const known = (ranks ??= loadTokenRanks())
  // Most pieces are one token of ASCII: these are looked up where they stand.
  const rank = known.rankOfAscii(text, start, end)
  if (rank >= 0) return 1
  const piece = text.slice(start, end)
  const cached = cache.get(piece)
  if (cached !== undefined) return cached
  const count = countBytes(rank === NOT_ASCII ? utf8Of(piece) : piece, known)
  if (piece.length <= CACHED_LENGTH) {
    if (cache.size >= CACHE_SIZE) cache.clear()
    cache.set(piece.length > LONGEST_COPY ? copyOf(piece) : piece, count)
  }
  return count
}

function countBytes(bytes: string, known: TokenRanks): number {
  if (known.rankOf(bytes) >= 0) return 1
  return bytes.length < HEAP_FROM ? mergeShort(bytes, known) : mergeLong(bytes, known)
}

const copyOf = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le')

/** UTF-8 as one character a byte; lone surrogates become the replacement character, as in every encoder. */
const utf8Of = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

/** Merges the best pair again and again, looking through all of them each time. */
function mergeShort(bytes: string, known: TokenRanks): number {
  const starts = Array.from({ length: bytes.length + 1 }, (_, i) => i)
  const pairRank = (i: number) => {
    const rank = known.rankOf(bytes, starts[i], starts[i + 2])
    return rank < 0 ? Number.POSITIVE_INFINITY : rank
  }
  const pairs = starts.slice(0, -2).map((_, i) => pairRank(i))
  while (pairs.length > 0) {
    let best = 0
    for (let i = 1; i < pairs.length; i++) if ((pairs[i] ?? 0) < (pairs[best] ?? 0)) best = i
    if (pairs[best] === Number.POSITIVE_INFINITY) break
    starts.splice(best + 1, 1)
    pairs.splice(best, 1)
    if (best < pairs.length) pairs[best] = pairRank(best)
    if (best > 0) pairs[best - 1] = pairRank(best - 1)
  }
  return starts.length - 1
}

/** The same with a heap of pairs and a linked list of parts: megabytes without a blank must not take quadratic time. */
function mergeLong(bytes: string, known: TokenRanks): number {
  const length = bytes.length
  const next = Int32Array.from({ length: length + 1 }, (_, i) => i + 1)
  const previous = Int32Array.from({ length: length + 1 }, (_, i) => i - 1)
  // The rank of the pair that begins at a part; a heap entry whose rank differs is out of date.
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

/** Rank and place in one number, so that equal ranks merge from left to right. */
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
