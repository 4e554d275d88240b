import { CHUNK, UnitWindow } from '../code-units.ts'
import { decodeString, NODE } from './json-document.ts'
import type { JsonDocument } from './json-document.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const ZERO = 0x30
const NINE = 0x39
/** End of text. */
const NO_UNIT = 0x10000
const BYTE_ORDER_MARK = 0xfeff
/** Initial capacity in values. */
const FIRST_NODES = 1 << 18
/** Expected excess of values in the rest of a text. */
const FORESEEN = 1.1

/** An array is read several times faster than a string. */
const window = new UnitWindow()
const units = window.units

/**
 * One value, or several objects and arrays (JSON lines, concatenated values). As strict as JSON.parse; undefined for
 * other text. Iterative.
 */
export const parseJson = (text: string): JsonDocument | undefined => new Parser(text).parse()

class Parser {
  readonly #text: string
  #at = 0
  /** Offset of the window in the text, and its units. */
  #base = 0
  #size = 0
  #count = 0
  #kinds: Uint8Array
  #parents: Int32Array
  #ends: Int32Array
  #starts: Int32Array
  #stops: Int32Array
  #keys: Int32Array
  readonly #keyNames: string[] = []
  readonly #keyTexts: string[] = []
  readonly #keyIds = new Map<string, number>()
  /** The key last seen after each key: a mostly correct guess, because records repeat keys. */
  readonly #nextKeys: number[] = []

  constructor(text: string) {
    this.#text = text
    const guess = Math.max(16, Math.min(text.length >> 4, FIRST_NODES))
    this.#kinds = new Uint8Array(guess)
    this.#parents = new Int32Array(guess)
    this.#ends = new Int32Array(guess)
    this.#starts = new Int32Array(guess)
    this.#stops = new Int32Array(guess)
    this.#keys = new Int32Array(guess)
  }

  parse(): JsonDocument | undefined {
    const text = this.#text
    if (text.charCodeAt(0) === BYTE_ORDER_MARK) this.#at = 1
    // Node 0 represents several values; dropped when there is only one.
    this.#addNode(NODE.array, -1, -1)
    let values = 0
    for (this.#skipSpace(); this.#at < text.length; this.#skipSpace()) {
      if (values > 0 && this.#unitAt(this.#at) === COMMA) {
        this.#at++
        this.#skipSpace()
      }
      const node = this.#count
      if (!this.#readValue()) return undefined
      values++
      // Several bare scalars are prose or a table, not JSON.
      if (values > 1 && (this.#kinds[node]! > NODE.array || this.#kinds[1]! > NODE.array)) return undefined
    }
    if (values === 0) return undefined
    this.#ends[0] = this.#count
    this.#stops[0] = text.length
    if (values === 1) this.#parents[1] = -1
    return {
      text,
      count: this.#count,
      root: values === 1 ? 1 : 0,
      kinds: this.#kinds,
      parents: this.#parents,
      ends: this.#ends,
      starts: this.#starts,
      stops: this.#stops,
      keys: this.#keys,
      keyNames: this.#keyNames,
      keyTexts: this.#keyTexts,
    }
  }

  #readValue(): boolean {
    let parent = 0
    let key = -1
    for (;;) {
      // At a value's first character.
      const node = this.#addNode(NODE.null, parent, key)
      const opener = this.#unitAt(this.#at)
      if (opener === OPEN_OBJECT || opener === OPEN_ARRAY) {
        this.#kinds[node] = opener === OPEN_OBJECT ? NODE.object : NODE.array
        this.#at++
        this.#skipSpace()
        if (this.#unitAt(this.#at) !== (opener === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY)) {
          parent = node
          key = -1
          if (opener === OPEN_OBJECT) {
            key = this.#readKey(-1)
            if (key < 0) return false
          }
          continue
        }
        this.#at++
        this.#close(node)
      } else if (!this.#readScalar(node, opener)) return false

      // After a value: close what ends here, then continue.
      for (;;) {
        if (parent === 0) return true
        this.#skipSpace()
        const code = this.#unitAt(this.#at)
        const isObject = this.#kinds[parent] === NODE.object
        if (code === COMMA) {
          this.#at++
          this.#skipSpace()
          if (isObject) {
            key = this.#readKey(key)
            if (key < 0) return false
          }
          break
        }
        if (code !== (isObject ? CLOSE_OBJECT : CLOSE_ARRAY)) return false
        this.#at++
        this.#close(parent)
        key = this.#keys[parent]!
        parent = this.#parents[parent]!
      }
    }
  }

  #close(node: number): void {
    this.#ends[node] = this.#count
    this.#stops[node] = this.#at
  }

  #readScalar(node: number, first: number): boolean {
    const text = this.#text
    if (first === QUOTE) {
      if (!this.#skipString()) return false
      this.#kinds[node] = NODE.string
    } else if (first === 0x2d || (first >= ZERO && first <= NINE)) {
      if (!this.#skipNumber()) return false
      this.#kinds[node] = NODE.number
    } else if (text.startsWith('true', this.#at)) {
      this.#at += 4
      this.#kinds[node] = NODE.true
    } else if (text.startsWith('false', this.#at)) {
      this.#at += 5
      this.#kinds[node] = NODE.false
    } else if (text.startsWith('null', this.#at)) {
      this.#at += 4
    } else return false
    this.#close(node)
    return true
  }

  /** With following space; -1 when none. */
  #readKey(previous: number): number {
    const guess = this.#nextKeys[previous + 1] ?? -1
    const guessed = guess < 0 ? undefined : this.#keyTexts[guess]
    let key: number
    if (guessed !== undefined && this.#standsHere(guessed)) {
      key = guess
      this.#at += guessed.length
    } else {
      const start = this.#at
      if (this.#unitAt(start) !== QUOTE || !this.#skipString()) return -1
      key = this.#keyId(this.#text.slice(start, this.#at))
      this.#nextKeys[previous + 1] = key
    }
    this.#skipSpace()
    if (this.#unitAt(this.#at) !== COLON) return -1
    this.#at++
    this.#skipSpace()
    return key
  }

  #keyId(source: string): number {
    const known = this.#keyIds.get(source)
    if (known !== undefined) return known
    const name = decodeString(source)
    // Two spellings ("é" and "\u00e9") are one key.
    const text = source.includes('\\') ? JSON.stringify(name) : source
    let id = this.#keyIds.get(text)
    if (id === undefined) {
      id = this.#keyNames.length
      this.#keyNames.push(name)
      this.#keyTexts.push(text)
      this.#keyIds.set(text, id)
    }
    this.#keyIds.set(source, id)
    return id
  }

  #standsHere(part: string): boolean {
    if (this.#at + part.length > this.#base + this.#size) this.#load(this.#at)
    const start = this.#at - this.#base
    if (start + part.length > this.#size) return this.#text.startsWith(part, this.#at)
    for (let i = 0; i < part.length; i++) if (units[start + i] !== part.charCodeAt(i)) return false
    return true
  }

  #skipString(): boolean {
    const { length } = this.#text
    for (let at = this.#at + 1; at < length;) {
      if (at - this.#base >= this.#size) this.#load(at)
      let i = at - this.#base
      for (let code = 0; i < this.#size; i++) {
        code = units[i] ?? 0
        if (code === QUOTE) {
          this.#at = this.#base + i + 1
          return true
        }
        if (code < 0x20) return false
        if (code === BACKSLASH) break
      }
      at = this.#base + i
      if (i < this.#size) {
        const escape = this.#escapeLength(at + 1)
        if (escape === 0) return false
        at += 1 + escape
      }
    }
    return false
  }

  /** After the backslash; 0 when invalid. */
  #escapeLength(at: number): number {
    const text = this.#text
    if (text.charCodeAt(at) === 0x75) return /^[\da-f]{4}$/i.test(text.slice(at + 1, at + 5)) ? 5 : 0
    return at < text.length && '"\\/bfnrt'.includes(text.charAt(at)) ? 1 : 0
  }

  #skipNumber(): boolean {
    let at = this.#at
    if (this.#unitAt(at) === 0x2d) at++
    const startsWithZero = this.#unitAt(at) === ZERO
    const whole = this.#skipDigits(at)
    if (whole === at || (startsWithZero && whole > at + 1)) return false
    at = whole
    if (this.#unitAt(at) === 0x2e) {
      const fraction = this.#skipDigits(at + 1)
      if (fraction === at + 1) return false
      at = fraction
    }
    if ((this.#unitAt(at) | 0x20) === 0x65) {
      const sign = this.#unitAt(++at)
      if (sign === 0x2b || sign === 0x2d) at++
      const exponent = this.#skipDigits(at)
      if (exponent === at) return false
      at = exponent
    }
    this.#at = at
    return true
  }

  #skipDigits(from: number): number {
    let at = from
    for (let code = this.#unitAt(at); code >= ZERO && code <= NINE; code = this.#unitAt(at)) at++
    return at
  }

  #skipSpace(): void {
    let at = this.#at
    for (let code = this.#unitAt(at); code <= 0x20; code = this.#unitAt(++at))
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break
    this.#at = at
  }

  /** The code unit at a position not before the last one requested; none past the end. */
  #unitAt(at: number): number {
    if (at - this.#base >= this.#size) this.#load(at)
    const i = at - this.#base
    return i < this.#size ? (units[i] ?? 0) : NO_UNIT
  }

  #load(at: number): void {
    this.#base = at
    this.#size = Math.min(CHUNK, Math.max(0, this.#text.length - at))
    window.copy(this.#text, at, at + this.#size)
  }

  #addNode(kind: number, parent: number, key: number): number {
    const node = this.#count++
    if (node >= this.#kinds.length) this.#grow()
    this.#kinds[node] = kind
    this.#parents[node] = parent
    this.#starts[node] = this.#at
    this.#keys[node] = key
    return node
  }

  #grow(): void {
    // Capacity extrapolated from the text so far: mostly copies once. Unused capacity takes no memory.
    const foreseen = Math.ceil((this.#count / Math.max(1, this.#at)) * this.#text.length * FORESEEN)
    const size = Math.max(foreseen, Math.ceil(this.#kinds.length * 1.5))
    const longer = (old: Int32Array): Int32Array => {
      const array = new Int32Array(size)
      array.set(old)
      return array
    }
    const kinds = new Uint8Array(size)
    kinds.set(this.#kinds)
    this.#kinds = kinds
    this.#parents = longer(this.#parents)
    this.#ends = longer(this.#ends)
    this.#starts = longer(this.#starts)
    this.#stops = longer(this.#stops)
    this.#keys = longer(this.#keys)
  }
}
