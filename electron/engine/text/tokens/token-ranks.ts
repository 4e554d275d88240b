/**
 * The tokens of o200k_base by their bytes, in 4 MB of typed arrays: as a Map of 200,000 strings they take ten times as
 * much in every thread that counts. Looked up are lists of code units, or of bytes with a place for each.
 */
export class TokenRanks {
  /** The bytes of all tokens, one after the other in the order of their ranks … */
  readonly #bytes: Uint8Array
  /** … and where each begins; one more than there are tokens. */
  readonly #starts: Uint32Array
  /** A hash table with open addressing: rank + 1, or 0 for an empty place. */
  readonly #slots = new Uint32Array(SLOTS)
  /** The ranks of tokens of two bytes, where every merge begins: rank + 1 at 256 times the first byte plus the second. */
  readonly #twos = new Int32Array(65_536)

  constructor(bytes: Uint8Array, starts: Uint32Array) {
    this.#bytes = bytes
    this.#starts = starts
    for (let rank = 0; rank + 1 < starts.length; rank++) this.#add(rank)
  }

  /** The rank of the token that a part of a list of code units is, -1 where it is none, NOT_ASCII where it has others. */
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

  /** The rank of the token that two bytes are, -1 where they are none. */
  rankOfTwo(first: number, second: number): number {
    return (this.#twos[(first << 8) | second] ?? 0) - 1
  }

  /** The rank of the token that a part of a list of bytes is, -1 where it is none. */
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

  #add(rank: number): void {
    const [start = 0, end = 0] = this.#starts.subarray(rank, rank + 2)
    // gpt-tokenizer never finds tokens that begin with a byte order mark. Counted its way, budgets hold for those who check
    // with it and for the true encoding, which needs fewer.
    if (BYTE_ORDER_MARK.every((byte, i) => this.#bytes[start + i] === byte && start + i < end)) return
    let hash = HASH_START
    for (let i = start; i < end; i++) hash = Math.imul(hash ^ (this.#bytes[i] ?? 0), HASH_FACTOR)
    let slot = slotOf(hash)
    while (this.#slots[slot] !== 0) slot = (slot + 1) % SLOTS
    this.#slots[slot] = rank + 1
    if (end - start === 2)
      this.#twos[((this.#bytes[start] ?? 0) << 8) | (this.#bytes[start + 1] ?? 0)] = rank + 1
  }
}

/** No rank: the text has characters beyond ASCII. */
export const NOT_ASCII = -2
/** A power of two, so large that most places are empty. */
const SLOTS = 2 ** 19
const HASH_START = 0x811c9dc5
const HASH_FACTOR = 0x01000193
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

const slotOf = (hash: number): number => (hash ^ (hash >>> 15)) & (SLOTS - 1)

const SPACE = 0x20
const LINE_FEED = 0x0a

/** Throws for a file whose ranks don't count up from 0. */
export function parseTokenRanks(file: Uint8Array): TokenRanks {
  // Four characters of base64 are at most three bytes, and no line is shorter than six characters and its end.
  const bytes = new Uint8Array(Math.ceil((file.length * 3) / 4))
  const starts = new Uint32Array(Math.ceil(file.length / 7) + 1)
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
    let said = 0
    for (let digit = file[at++] ?? LINE_FEED; digit !== LINE_FEED; digit = file[at++] ?? LINE_FEED) {
      said = said * 10 + digit - 0x30
    }
    if (said !== rank)
      throw new Error(`The token of rank ${rank} has the rank ${said} in the encoding's file.`)
    starts[rank + 1] = used
  }
  return new TokenRanks(bytes.slice(0, used), starts.slice(0, rank + 1))
}

const PADDING = 64
/** Value of each sign of base64 by its char code. */
const BASE64 = new Uint8Array(256).fill(PADDING)
const SIGNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
for (let i = 0; i < SIGNS.length; i++) BASE64[SIGNS.charCodeAt(i)] = i
