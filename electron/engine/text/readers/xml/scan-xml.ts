import { isSpace, trimEnd, trimStart } from '../source-lines.ts'

/** Elements, attributes and texts in source order, as flat lists. */
export const EVENT = { open: 0, attribute: 1, text: 2, comment: 3, close: 4 } as const

export interface XmlEvents {
  readonly count: number
  readonly types: Uint8Array
  /** Of a name in `names`, where there is one; of a closing, its element's event. */
  readonly ids: Int32Array
  /** Where an element's tag or an attribute begins. */
  readonly heads: Int32Array
  readonly starts: Int32Array
  readonly stops: Int32Array
  readonly names: readonly string[]
  /** By opening event: parent's event, child elements, other children. */
  readonly parents: Int32Array
  readonly elements: Int32Array
  readonly others: Int32Array
  /** Children of an event with a name: key `parent * names.length + name`. */
  readonly siblings: ReadonlyMap<number, number>
  /** Characters that are no part of an element. */
  readonly odd: number
}

const MOST_NAMES = 1 << 16
const BANG = 0x21
const QUESTION = 0x3f
const SLASH = 0x2f
const GREATER = 0x3e
const EQUALS = 0x3d

/** Undefined for text that isn't tags. */
export function scanXml(text: string): XmlEvents | undefined {
  return new Scanner(text).scan()
}

class Scanner {
  readonly #text: string
  #count = 0
  #types = new Uint8Array(1024)
  #ids = new Int32Array(1024)
  #heads = new Int32Array(1024)
  #starts = new Int32Array(1024)
  #stops = new Int32Array(1024)
  #parents = new Int32Array(1024)
  #elements = new Int32Array(1024)
  #others = new Int32Array(1024)
  readonly #names: string[] = []
  readonly #known = new Map<string, number>()
  readonly #siblings = new Map<number, number>()
  readonly #open: number[] = []
  #odd = 0
  #opened = 0

  constructor(text: string) {
    this.#text = text
  }

  scan(): XmlEvents | undefined {
    const text = this.#text
    let at = 0
    while (at < text.length && this.#names.length < MOST_NAMES) {
      const next = text.indexOf('<', at)
      const end = next < 0 ? text.length : next
      if (end > at) this.#readText(at, end)
      if (next < 0) break
      at = this.#readTag(next)
    }
    // A text that is cut off leaves its last elements open; `<stdin>:5:` isn't a tag.
    if (this.#names.length === 0 || this.#open.length > this.#opened / 2 + 1) return undefined
    while (this.#open.length > 0) this.#close(text.length, text.length)
    return {
      count: this.#count,
      types: this.#types,
      ids: this.#ids,
      heads: this.#heads,
      starts: this.#starts,
      stops: this.#stops,
      names: this.#names,
      parents: this.#parents,
      elements: this.#elements,
      others: this.#others,
      siblings: this.#siblings,
      odd: this.#odd,
    }
  }

  #readText(from: number, to: number): void {
    const start = trimStart(this.#text, from, to)
    if (start === to) return
    const stop = trimEnd(this.#text, start, to)
    const parent = this.#open.at(-1)
    if (parent === undefined) this.#odd += stop - start
    else this.#others[parent]!++
    this.#add(EVENT.text, -1, start, start, stop)
  }

  /** Returns the position behind a tag, comment, section or instruction. */
  #readTag(at: number): number {
    const text = this.#text
    const code = text.charCodeAt(at + 1)
    if (code === BANG) return this.#readBang(at)
    if (code === QUESTION) return behind(text, '?>', at)
    if (code === SLASH) {
      const end = behind(text, '>', at)
      const name = text.slice(at + 2, trimEnd(text, at + 2, end - 1))
      const id = this.#known.get(name) ?? -1
      let depth = this.#open.length - 1
      const lowest = Math.max(0, depth - DEEPEST_MISMATCH)
      while (depth >= lowest && this.#ids[this.#open[depth] ?? 0] !== id) depth--
      if (depth < lowest) this.#odd += end - at
      else while (this.#open.length > depth) this.#close(at, end)
      return end
    }
    return isNameStart(code) ? this.#readElement(at) : this.#readLess(at)
  }

  /** A `<` that begins no tag is text. */
  #readLess(at: number): number {
    const next = this.#text.indexOf('<', at + 1)
    const end = next < 0 ? this.#text.length : next
    this.#odd += end - at
    this.#readText(at, end)
    return end
  }

  #readBang(at: number): number {
    const text = this.#text
    if (text.startsWith('<!--', at)) {
      const end = behind(text, '-->', at)
      const start = trimStart(text, at + 4, end)
      this.#add(EVENT.comment, -1, at, start, Math.max(start, trimEnd(text, start, end - 3)))
      return end
    }
    if (text.startsWith('<![CDATA[', at)) {
      const end = behind(text, ']]>', at)
      const parent = this.#open.at(-1)
      if (parent !== undefined) this.#others[parent]!++
      this.#add(EVENT.text, 0, at, at + 9, Math.max(at + 9, end - 3))
      return end
    }
    const bracket = text.indexOf('[', at)
    const end = behind(text, '>', at)
    return bracket >= 0 && bracket < end ? behind(text, ']>', at) : end
  }

  #readElement(head: number): number {
    const text = this.#text
    let at = head + 1
    while (at < text.length && isNameUnit(text.charCodeAt(at))) at++
    const id = this.#nameId(text.slice(head + 1, at))
    const parent = this.#open.at(-1) ?? -1
    const event = this.#add(EVENT.open, id, head, head, head)
    this.#parents[event] = parent
    if (parent >= 0) this.#elements[parent]!++
    const key = (parent + 1) * MOST_NAMES + id
    this.#siblings.set(key, (this.#siblings.get(key) ?? 0) + 1)
    this.#open.push(event)
    this.#opened++
    for (;;) {
      while (isSpace(text.charCodeAt(at))) at++
      const code = text.charCodeAt(at)
      if (code === GREATER || Number.isNaN(code)) {
        this.#starts[event] = Math.min(at + 1, text.length)
        return this.#starts[event]
      }
      if (code === SLASH && text.charCodeAt(at + 1) === GREATER) {
        this.#starts[event] = at + 2
        this.#close(at + 2, at + 2)
        return at + 2
      }
      at = this.#readAttribute(event, at)
    }
  }

  #readAttribute(element: number, head: number): number {
    const text = this.#text
    let at = head
    while (at < text.length && isNameUnit(text.charCodeAt(at))) at++
    if (at === head) return at + 1
    const nameStop = at
    while (isSpace(text.charCodeAt(at))) at++
    if (text.charCodeAt(at) !== EQUALS) return at
    at++
    while (isSpace(text.charCodeAt(at))) at++
    const quote = text.charAt(at)
    if (quote !== '"' && quote !== "'") return at
    const end = text.indexOf(quote, at + 1)
    const stop = end < 0 ? text.length : end
    this.#add(EVENT.attribute, this.#nameId(text.slice(head, nameStop)), head, at + 1, stop)
    this.#others[element]!++
    return end < 0 ? text.length : end + 1
  }

  #close(stop: number, end: number): void {
    const element = this.#open.pop() ?? 0
    this.#add(EVENT.close, element, stop, stop, end)
    this.#stops[element] = end
  }

  #nameId(name: string): number {
    let id = this.#known.get(name)
    if (id === undefined) {
      id = this.#names.length
      this.#names.push(name)
      this.#known.set(name, id)
    }
    return id
  }

  #add(type: number, id: number, head: number, start: number, stop: number): number {
    const event = this.#count++
    if (event >= this.#types.length) this.#grow()
    this.#types[event] = type
    this.#ids[event] = id
    this.#heads[event] = head
    this.#starts[event] = start
    this.#stops[event] = stop
    return event
  }

  #grow(): void {
    const longer = (old: Int32Array): Int32Array<ArrayBuffer> => {
      const array = new Int32Array(old.length * 2)
      array.set(old)
      return array
    }
    const types = new Uint8Array(this.#types.length * 2)
    types.set(this.#types)
    this.#types = types
    this.#ids = longer(this.#ids)
    this.#heads = longer(this.#heads)
    this.#starts = longer(this.#starts)
    this.#stops = longer(this.#stops)
    this.#parents = longer(this.#parents)
    this.#elements = longer(this.#elements)
    this.#others = longer(this.#others)
  }
}

/** A closing tag ends at most this many unclosed elements. */
const DEEPEST_MISMATCH = 50

export const siblingsOf = (events: XmlEvents, event: number): number =>
  events.siblings.get(((events.parents[event] ?? -1) + 1) * MOST_NAMES + (events.ids[event] ?? 0)) ?? 0

function behind(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from)
  return at < 0 ? text.length : at + mark.length
}

const isNameStart = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f || code > 0x7f

/** Anything up to a blank, `=`, `/` or a bracket. */
const isNameUnit = (code: number): boolean =>
  code > 32 &&
  code !== EQUALS &&
  code !== SLASH &&
  code !== GREATER &&
  code !== 0x3c &&
  code !== 0x22 &&
  code !== 0x27

const ENTITY = /&(?:#x([\da-fA-F]+)|#(\d+)|(lt|gt|amp|quot|apos));/g
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
const LAST_POINT = 0x10ffff

export const decodeEntities = (source: string): string =>
  source.replace(ENTITY, (whole: string, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return ENTITIES[name] ?? whole
    const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return point <= LAST_POINT ? String.fromCodePoint(point) : whole
  })
