import { isStringOneByteRepresentation } from 'node:v8'
import { threadId } from 'node:worker_threads'
import { carrySources } from '../protocol/exact-json.ts'
import { textsAsTheyCame, type JsonInside } from '../protocol/texts-as-they-came.ts'

export interface SharedText {
  readonly id: string
  readonly memory: SharedArrayBuffer
  /** One byte per character, else two (UTF-16LE). */
  readonly isLatin1: boolean
  /** In the original JSON. */
  readonly inside: JsonInside | undefined
}

export interface MovedText {
  readonly path: readonly (string | number)[]
  readonly text: SharedText
}

/** Cloning a longer text blocks a thread for a millisecond or more. */
const MOVED_FROM = 1_000_000
const PIECE = 1_000_000
/** Since the last use; jobs use a text within moments. */
const HELD_MS = 2_000
const MOST_HELD = 4
/** Beyond these texts are cloned. */
const DEEPEST = 5
const MOST_VALUES = 2000

interface Found {
  readonly path: readonly (string | number)[]
  readonly string: string
}

interface Held {
  readonly string: string
  readonly text: SharedText
  usedAt: number
}

/**
 * As shared memory, because a structured clone copies long texts twice without a pause. Holds recent texts: the next
 * job with one, in either thread, copies nothing.
 */
export class TextMover {
  readonly #piece: number
  readonly #held: Held[] = []
  #last = 0
  #isWaiting = false

  /** Characters before yielding; unneeded in a thread without other work. */
  constructor({ piece = PIECE }: { piece?: number } = {}) {
    this.#piece = piece
  }

  static isNeededFor(value: unknown): boolean {
    return withoutTexts(value).found.length > 0
  }

  /** Copies what it changes. */
  async takeOut(value: unknown): Promise<{ value: unknown; moved: MovedText[] }> {
    const { rest, found } = withoutTexts(value)
    const moved: MovedText[] = []
    for (const { path, string } of found) moved.push({ path, text: await this.#share(string) })
    return { value: rest, moved }
  }

  /** Changes the value in place. */
  async putBack(value: unknown, moved: readonly MovedText[]): Promise<unknown> {
    const holder: Record<string, unknown> = { value }
    for (const { path, text } of moved) {
      const string = await this.#stringOf(text)
      const places = ['value', ...path]
      const last = places.pop() ?? 'value'
      let inside: unknown = holder
      for (const place of places) inside = (inside as Record<string | number, unknown>)[place]
      ;(inside as Record<string | number, unknown>)[last] = string
    }
    return holder['value']
  }

  async #share(string: string): Promise<SharedText> {
    const known = this.#held.find((held) => held.string === string)
    if (known) return this.#hold(known).text
    const isLatin1 = isStringOneByteRepresentation(string)
    const memory = new SharedArrayBuffer(string.length * (isLatin1 ? 1 : 2))
    const bytes = Buffer.from(memory)
    for (let at = 0, place = 0; at < string.length; at += this.#piece) {
      place += bytes.write(string.slice(at, at + this.#piece), place, isLatin1 ? 'latin1' : 'utf16le')
      await othersTurn()
    }
    const inside = textsAsTheyCame.insideOf(string)
    const text = { id: `${threadId}-${++this.#last}`, memory, isLatin1, inside }
    return this.#hold({ string, text, usedAt: 0 }).text
  }

  async #stringOf(text: SharedText): Promise<string> {
    const known = this.#held.find((held) => held.text.id === text.id)
    if (known) return this.#hold(known).string
    const bytes = Buffer.from(text.memory)
    const step = this.#piece * (text.isLatin1 ? 1 : 2)
    // V8 joins the pieces on first read, which the main thread seldom does.
    let string = ''
    for (let at = 0; at < bytes.length; at += step) {
      string += bytes.toString(text.isLatin1 ? 'latin1' : 'utf16le', at, at + step)
      await othersTurn()
    }
    if (text.inside) textsAsTheyCame.hold(string, text.inside)
    return this.#hold({ string, text, usedAt: 0 }).string
  }

  #hold(held: Held): Held {
    held.usedAt = performance.now()
    const at = this.#held.indexOf(held)
    if (at >= 0) this.#held.splice(at, 1)
    this.#held.push(held)
    if (this.#held.length > MOST_HELD) this.#held.shift()
    if (!this.#isWaiting) this.#letGoLater()
    return held
  }

  #letGoLater(): void {
    this.#isWaiting = true
    setTimeout(() => {
      const now = performance.now()
      while (this.#held[0] && now - this.#held[0].usedAt >= HELD_MS) this.#held.shift()
      if (this.#held.length > 0) this.#letGoLater()
      else this.#isWaiting = false
    }, HELD_MS).unref()
  }
}

const othersTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Plain objects and arrays only. */
function withoutTexts(value: unknown): { rest: unknown; found: readonly Found[] } {
  const found: Found[] = []
  let left = MOST_VALUES
  const visit = (inside: unknown, path: readonly (string | number)[]): unknown => {
    if (typeof inside === 'string') {
      if (inside.length < MOVED_FROM) return inside
      found.push({ path, string: inside })
      return ''
    }
    const entries = path.length < DEEPEST ? entriesOf(inside, left) : []
    if (entries.length === 0) return inside
    left -= entries.length
    const before = found.length
    const changed = entries.map(([key, item]): [string | number, unknown] => [
      key,
      visit(item, [...path, key]),
    ])
    if (found.length === before) return inside
    const copy = Array.isArray(inside) ? changed.map(([, item]) => item) : Object.fromEntries(changed)
    return carrySources(inside as object, copy)
  }
  return { rest: visit(value, []), found }
}

function entriesOf(value: unknown, most: number): [string | number, unknown][] {
  if (Array.isArray(value)) return value.length <= most ? [...(value as unknown[]).entries()] : []
  if (typeof value !== 'object' || value === null || !isPlain(value)) return []
  const keys = Object.keys(value)
  return keys.length <= most ? keys.map((key) => [key, value[key]]) : []
}

const isPlain = (value: object): value is Record<string, unknown> => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
