import type { Take } from './shared-arrays.ts'

const PRIME = 0x01000193
export const HASH_START = 0x811c9dc5 | 0

/** The hash of a word that goes on with this byte. */
export const hashOn = (hash: number, code: number): number => Math.imul(hash ^ code, PRIME)

/** Bits of the first look for each word: a word that isn't listed passes it once in as many. */
const BITS_OF_EACH = 16
/** At least, since few words pass that look. */
const SLOTS_OF_EACH = 1.5

const powerFrom = (least: number): number => 2 ** Math.ceil(Math.log2(least))

interface WordArrays {
  /** A bit is set if a word may have a hash that begins so. */
  readonly looks: Uint8Array
  readonly slots: Int32Array
  readonly hashes: Int32Array
  readonly starts: Int32Array
  readonly lengths: Uint16Array
}

/** For numbers below `end`. */
export const takeWordArrays = (take: Take, end: number): WordArrays => ({
  looks: take(Uint8Array, powerFrom((end + 1) * BITS_OF_EACH) >> 3),
  slots: take(Int32Array, powerFrom((end + 1) * SLOTS_OF_EACH)),
  hashes: take(Int32Array, end),
  starts: take(Int32Array, end),
  lengths: take(Uint16Array, end),
})

/** Numbers of spellings, which lie in one text of UTF-8, by their hash: finding one makes no string. */
export class WordTable {
  readonly #bytes: Uint8Array
  readonly #looks: Uint8Array
  readonly #shift: number
  readonly #slots: Int32Array
  readonly #hashes: Int32Array
  readonly #starts: Int32Array
  readonly #lengths: Uint16Array
  #next: number

  /** `first` is the number of the first word. */
  constructor(bytes: Uint8Array, { looks, slots, hashes, starts, lengths }: WordArrays, first: number) {
    this.#bytes = bytes
    this.#looks = looks
    this.#shift = 32 - Math.log2(looks.length << 3)
    this.#slots = slots
    this.#hashes = hashes
    this.#starts = starts
    this.#lengths = lengths
    this.#next = first
  }

  /** Its number: a new one, or that of the same word. */
  add(hash: number, start: number, length: number): number {
    const known = this.find(hash, this.#bytes, start, length, 0)
    if (known !== 0) return known
    const number = this.#next++
    this.#hashes[number] = hash
    this.#starts[number] = start
    this.#lengths[number] = length
    const look = hash >>> this.#shift
    this.#looks[look >> 3] = (this.#looks[look >> 3] ?? 0) | (1 << (look & 7))
    let slot = this.#slotOf(hash)
    while (this.#slots[slot] !== 0) slot = (slot + 1) & (this.#slots.length - 1)
    this.#slots[slot] = number
    return number
  }

  /** 0 if there is none. `fold`: bits of each byte that are set before it is compared; 32 for small letters. */
  find(hash: number, codes: Uint16Array | Uint8Array, start: number, length: number, fold: number): number {
    const look = hash >>> this.#shift
    if (((this.#looks[look >> 3] ?? 0) & (1 << (look & 7))) === 0) return 0
    const most = this.#slots.length - 1
    for (let slot = this.#slotOf(hash); ; slot = (slot + 1) & most) {
      const number = this.#slots[slot] ?? 0
      if (number === 0) return 0
      if (this.#hashes[number] !== hash || this.#lengths[number] !== length) continue
      const own = this.#starts[number] ?? 0
      let i = 0
      while (i < length && this.#bytes[own + i] === ((codes[start + i] ?? 0) | fold)) i++
      if (i === length) return number
    }
  }

  startOf(number: number): number {
    return this.#starts[number] ?? 0
  }

  lengthOf(number: number): number {
    return this.#lengths[number] ?? 0
  }

  #slotOf(hash: number): number {
    return (hash ^ (hash >>> 15)) & (this.#slots.length - 1)
  }
}
