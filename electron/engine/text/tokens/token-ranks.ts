/** The table's parts in their order, from its first byte. */
interface TableParts {
  /** Open addressing: rank + 1, or 0. */
  readonly slots: Uint32Array
  /** Ranks of two-byte tokens, where every merge begins: rank + 1 at 256 × first byte + second. */
  readonly twos: Int32Array
  /** Where each token starts, plus the end, and zeros. */
  readonly starts: Uint32Array
  /** Bytes of all tokens, concatenated by rank. */
  readonly bytes: Uint8Array
}

/** A power of two that leaves most slots empty. */
const SLOTS = 2 ** 19
const TWOS = 2 ** 16
const MOST_TOKENS = 200_000
const UINT32 = 4
const STARTS_AT = (SLOTS + TWOS) * UINT32
const BYTES_AT = STARTS_AT + (MOST_TOKENS + 1) * UINT32

const partsOf = (table: ArrayBufferLike): TableParts => ({
  slots: new Uint32Array(table, 0, SLOTS),
  twos: new Int32Array(table, SLOTS * UINT32, TWOS),
  starts: new Uint32Array(table, STARTS_AT, MOST_TOKENS + 1),
  bytes: new Uint8Array(table, BYTES_AT),
})

/**
 * 4 MB of typed arrays, which threads share: a Map of 200,000 strings takes ten times as much per thread. Keys are code
 * units, or bytes with an element each.
 */
export class TokenRanks {
  readonly #slots: Uint32Array
  readonly #twos: Int32Array
  readonly #starts: Uint32Array
  readonly #bytes: Uint8Array

  /** `table` is from `createTokenTable`. */
  constructor(table: ArrayBufferLike) {
    const { slots, twos, starts, bytes } = partsOf(table)
    this.#slots = slots
    this.#twos = twos
    this.#starts = starts
    this.#bytes = bytes
  }

  /** Rank of the token in part of a list of code units; -1 when unknown, NOT_ASCII for other characters. */
  rankOfAscii(units: Uint16Array, start: number, end: number): number {
    let hash = HASH_START
    let bits = 0
    for (let i = start; i < end; i++) {
      const code = units[i] ?? 0
      bits |= code
      hash = Math.imul(hash ^ code, HASH_FACTOR)
    }
    return bits > 127 ? NOT_ASCII : this.#find(hash, units, start, end)
  }

  /** -1 when unknown. */
  rankOfTwo(first: number, second: number): number {
    return (this.#twos[(first << 8) | second] ?? 0) - 1
  }

  /** -1 when unknown. */
  rankOf(bytes: Uint16Array, start: number, end: number): number {
    let hash = HASH_START
    for (let i = start; i < end; i++) hash = Math.imul(hash ^ (bytes[i] ?? 0), HASH_FACTOR)
    return this.#find(hash, bytes, start, end)
  }

  #find(hash: number, wanted: Uint16Array, start: number, end: number): number {
    const slots = this.#slots
    const starts = this.#starts
    const bytes = this.#bytes
    for (let slot = slotOf(hash); ; slot = (slot + 1) % SLOTS) {
      const rank = (slots[slot] ?? 0) - 1
      if (rank < 0) return -1
      const at = starts[rank] ?? 0
      if ((starts[rank + 1] ?? 0) - at !== end - start) continue
      let i = start
      while (i < end && bytes[at + i - start] === wanted[i]) i++
      if (i === end) return rank
    }
  }
}

/** Not a rank. */
export const NOT_ASCII = -2
const HASH_START = 0x811c9dc5
const HASH_FACTOR = 0x01000193
const slotOf = (hash: number): number => (hash ^ (hash >>> 15)) & (SLOTS - 1)

/** On local names, because a call of a function for each of 200,000 tokens takes longer. */
function fillSlots({ bytes, starts, slots, twos }: TableParts, count: number): void {
  for (let rank = 0; rank < count; rank++) {
    const start = starts[rank] ?? 0
    const end = starts[rank + 1] ?? 0
    // gpt-tokenizer never finds tokens that begin with a byte order mark. Counting like it satisfies budgets for its
    // users, and for the true encoding, which needs fewer.
    if (end - start > 2 && bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf)
      continue
    let hash = HASH_START
    for (let i = start; i < end; i++) hash = Math.imul(hash ^ (bytes[i] ?? 0), HASH_FACTOR)
    let slot = slotOf(hash)
    while (slots[slot] !== 0) slot = (slot + 1) % SLOTS
    slots[slot] = rank + 1
    if (end - start === 2) twos[((bytes[start] ?? 0) << 8) | (bytes[start + 1] ?? 0)] = rank + 1
  }
}

const SPACE = 0x20
const LINE_FEED = 0x0a

/** Of a `.tiktoken` file: per line a base64 token, a space, its rank. Throws when ranks don't count up from 0. */
export function createTokenTable(file: Uint8Array): ArrayBuffer {
  // Four characters are at most three bytes; lines have at least six, and an end.
  const bytes = new Uint8Array(Math.ceil((file.length * 3) / 4))
  const starts = new Uint32Array(MOST_TOKENS + 1)
  let used = 0
  let rank = 0
  for (let at = 0; at < file.length; rank++) {
    let bits = 0
    let count = 0
    for (let sign = file[at++] ?? SPACE; sign !== SPACE; sign = file[at++] ?? SPACE) {
      const value = BASE64[sign] ?? PADDING
      if (value === PADDING) continue
      bits = (bits << 6) | value
      count += 6
      if (count >= 8) {
        count -= 8
        bytes[used++] = bits >> count
      }
    }
    let stated = 0
    for (let digit = file[at++] ?? LINE_FEED; digit !== LINE_FEED; digit = file[at++] ?? LINE_FEED) {
      stated = stated * 10 + digit - 0x30
    }
    if (stated !== rank)
      throw new Error(`The token of rank ${rank} has the rank ${stated} in the encoding's file.`)
    if (rank >= MOST_TOKENS) throw new Error(`The encoding's file has more than ${MOST_TOKENS} tokens.`)
    starts[rank + 1] = used
  }
  const table = new ArrayBuffer(BYTES_AT + used)
  const parts = partsOf(table)
  parts.starts.set(starts)
  parts.bytes.set(bytes.subarray(0, used))
  fillSlots(parts, rank)
  return table
}

const PADDING = 64
const BASE64 = new Uint8Array(256).fill(PADDING)
const SIGNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
for (let i = 0; i < SIGNS.length; i++) BASE64[SIGNS.charCodeAt(i)] = i
