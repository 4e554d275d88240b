import { NODE } from '../../tree/json-document.ts'
import { isSpace, trimEnd } from '../source-lines.ts'
import { kindOfPlain, type TreeBuilder } from '../tree-builder.ts'
import { quotedStop, setQuoted } from './quoted.ts'

const DEEPEST = 2000
const LONGEST_KEY = 400
const MOST_WASTED = 10_000

export interface FlowStyle {
  /** Between key and value: `=` in TOML. */
  readonly colon?: '=' | ':'
  /** Only what JSON has. */
  readonly isJson?: boolean
}

/** Adds a collection in brackets (`{a: 1, b: [2]}`) to a tree. What the end of the text cuts is kept. */
export class FlowReader {
  readonly #tree: TreeBuilder
  readonly #text: string
  readonly #colon: number
  readonly #isJson: boolean
  #at = 0
  #depth = 0
  #key = -1
  #head = 0
  #isKeyNext = false
  #isCut = false
  /** Characters read in vain. */
  #wasted = 0

  constructor(tree: TreeBuilder, { colon = ':', isJson = false }: FlowStyle = {}) {
    this.#tree = tree
    this.#text = tree.text
    this.#colon = colon.charCodeAt(0)
    this.#isJson = isJson
  }

  /** Where the last collection failed. */
  get at(): number {
    return this.#at
  }

  /** The position behind the collection at `start`; -1, with nothing added, when it is none. */
  read(start: number, key: number, head: number): number {
    if (this.#wasted > MOST_WASTED + this.#text.length) return -1
    const { count, container } = this.#tree
    this.#at = start
    this.#depth = 0
    this.#key = key
    this.#head = head
    this.#isKeyNext = false
    this.#isCut = false
    for (;;) {
      const code = this.#text.charCodeAt(this.#at)
      if (Number.isNaN(code)) this.#isCut = true
      if (this.#isCut || this.#depth > DEEPEST) break
      if (!this.#step(code)) break
      if (this.#depth === 0) return this.#at
    }
    if (!this.#isCut) {
      this.#tree.rollback(count, container)
      this.#wasted += this.#at - start
      return -1
    }
    while (this.#depth-- > 0) this.#tree.end(this.#text.length)
    return this.#text.length
  }

  #step(code: number): boolean {
    const text = this.#text
    if (isSpace(code)) this.#at++
    else if (code === COMMA) {
      this.#isKeyNext = this.#isInMap()
      this.#at++
    } else if (code === HASH && !this.#isJson) {
      const end = text.indexOf('\n', this.#at)
      this.#at = end < 0 ? text.length : end
    } else if (code === CLOSE_LIST || code === CLOSE_MAP) {
      if ((code === CLOSE_MAP) !== this.#isInMap()) return false
      this.#tree.end(++this.#at)
      this.#depth--
      this.#isKeyNext = false
    } else return this.#isKeyNext ? this.#readKey(code) : this.#readValue(code)
    return true
  }

  #isInMap(): boolean {
    return this.#tree.kindOf(this.#tree.container) === NODE.object
  }

  #readKey(code: number): boolean {
    const text = this.#text
    const from = this.#at
    const isQuoted = code === QUOTE || (code === APOSTROPHE && !this.#isJson)
    if (this.#isJson && !isQuoted) return false
    const stop = isQuoted ? quotedStop(text, from) : this.#keyStop(from)
    if (stop < 0) {
      this.#isCut = isQuoted
      return false
    }
    const name = isQuoted ? text.slice(from + 1, stop - 1) : text.slice(from, trimEnd(text, from, stop))
    this.#head = from
    this.#key = this.#tree.keyId(name)
    this.#isKeyNext = false
    this.#at = stop
    while (isSpace(text.charCodeAt(this.#at))) this.#at++
    if (text.charCodeAt(this.#at) === this.#colon) this.#at++
    else if (this.#isJson) {
      this.#isCut = this.#at >= text.length
      return false
    }
    return true
  }

  #readValue(code: number): boolean {
    const text = this.#text
    const tree = this.#tree
    const from = this.#at
    const isItem = this.#depth > 0 && !this.#isInMap()
    const key = isItem ? -1 : this.#key
    const head = isItem ? from : this.#head
    if (code === OPEN_LIST || code === OPEN_MAP) {
      const node = tree.begin(code === OPEN_MAP ? NODE.object : NODE.array, key, from, head)
      if (this.#depth++ === 0) tree.flows.add(node)
      this.#isKeyNext = code === OPEN_MAP
      this.#at++
      return true
    }
    if (code === QUOTE || (code === APOSTROPHE && !this.#isJson)) {
      const stop = quotedStop(text, from)
      this.#isCut = stop < 0
      const node = tree.leaf(NODE.text, key, from + 1, stop < 0 ? text.length : stop - 1, head)
      if (stop < 0) return false
      setQuoted(tree, node)
      this.#at = stop
      return true
    }
    const stop = plainStop(text, from)
    const end = trimEnd(text, from, stop)
    const kind = kindOfPlain(text.slice(from, end))
    if (end === from || (this.#isJson && kind === NODE.text)) {
      this.#isCut = stop === text.length && end - from < SHORT
      return false
    }
    tree.leaf(kind, key, from, end, head)
    this.#at = stop
    return true
  }

  #keyStop(from: number): number {
    const text = this.#text
    for (let at = from; at < Math.min(text.length, from + LONGEST_KEY); at++) {
      const code = text.charCodeAt(at)
      const isColon = code === this.#colon && (code !== COLON || isSpace(text.charCodeAt(at + 1)))
      if (isColon || code === COMMA || code === CLOSE_MAP) return at
    }
    return -1
  }
}

/** What may be left of a cut scalar. */
const SHORT = 40
const COMMA = 0x2c
const COLON = 0x3a
const HASH = 0x23
const QUOTE = 0x22
const APOSTROPHE = 0x27
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_MAP = 0x7b
const CLOSE_MAP = 0x7d

function plainStop(text: string, from: number): number {
  let at = from
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === COMMA || code === 0x0a || (code & ~0x20) === 0x5b || (code & ~0x20) === 0x5d) break
  }
  return at
}
