import { setSources } from './json-sources.ts'

interface Frame {
  readonly container: object | undefined
  readonly isList: boolean
  written: Map<string, readonly [value: unknown, text: string]> | undefined
  readonly keys: string[]
  key: string
  index: number
  isKeyNext: boolean
  hasIndexKey: boolean
  isNoted: boolean
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Iterative. */
const INDEX = /^(?:0|[1-9]\d{0,9})$/
/** In characters: longer sources would be in memory twice. */
const LONGEST_STRING = 100_000
/** Beyond it only numbers that would change are noted: not `1.0`. */
const MOST_SPELLINGS = 20_000
const NONE = new Map<string, never>()
/** A double represents every decimal number of this many digits. */
const SAFE_DIGITS = 15

export const readSources = (text: string, value: object): void => new SourceReader(text, value).read()

class SourceReader {
  readonly #text: string
  readonly #open: Frame[] = []
  #at = 0
  #notes = 0

  constructor(text: string, root: object) {
    this.#text = text
    this.#at = text.search(/[[{]/)
    this.#push(root)
  }

  read(): void {
    const text = this.#text
    for (let frame = this.#open.at(-1); frame; frame = this.#open.at(-1)) {
      const code = text.charCodeAt(this.#at)
      if (code === QUOTE) this.#string(frame)
      else if (code === 0x7b || code === 0x5b) this.#push(this.#memberOf(frame))
      else if (code === 0x7d || code === 0x5d) this.#pop(frame)
      else if (code === 0x2c) this.#next(frame)
      else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) this.#number(frame)
      else this.#at++
    }
  }

  #memberOf({ container, isList, key, index }: Frame): object | undefined {
    const member = (container as Record<string, unknown> | undefined)?.[isList ? String(index) : key]
    return typeof member === 'object' && member !== null ? member : undefined
  }

  #push(container: object | undefined): void {
    const isList = this.#text.charCodeAt(this.#at) === 0x5b
    const isKeyNext = !isList
    const same = Array.isArray(container) === isList ? container : undefined
    const rest = { key: '', index: 0, isKeyNext, hasIndexKey: false, isNoted: false }
    this.#open.push({ container: same, isList, written: undefined, keys: [], ...rest })
    this.#at++
  }

  #pop(frame: Frame): void {
    this.#at++
    this.#open.pop()
    const { container, written = NONE } = frame
    const order = frame.hasIndexKey && container ? orderOf(frame.keys, container) : undefined
    if (!container || (written.size === 0 && !order && !frame.isNoted)) return
    setSources(container, { written, order })
    const parent = this.#open.at(-1)
    if (parent) parent.isNoted = true
  }

  #next(frame: Frame): void {
    this.#at++
    frame.index++
    frame.isKeyNext = !frame.isList
  }

  #string(frame: Frame): void {
    const text = this.#text
    const start = this.#at
    let end = text.indexOf('"', start + 1)
    while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
    this.#at = end + 1
    if (frame.isKeyNext) {
      const inside = text.slice(start + 1, end)
      frame.key = inside.includes('\\') ? (JSON.parse(`"${inside}"`) as string) : inside
      frame.isKeyNext = false
      frame.hasIndexKey ||= INDEX.test(frame.key)
      frame.keys.push(frame.key)
      frame.written?.delete(frame.key)
    } else if (end - start < LONGEST_STRING) {
      const source = text.slice(start, end + 1)
      const value: unknown = /\\[u/]/.test(source) ? JSON.parse(source) : undefined
      if (value !== undefined && JSON.stringify(value) !== source) this.#note(frame, value, source)
    }
  }

  #number(frame: Frame): void {
    const start = this.#at
    let end = start + 1
    while (isOfNumber(this.#text.charCodeAt(end))) end++
    this.#at = end
    const source = this.#text.slice(start, end)
    const number = Number(source)
    if (String(number) !== source) this.#note(frame, number, source)
  }

  #note(frame: Frame, value: unknown, source: string): void {
    const { container, isList, key, index } = frame
    if (!container || (this.#notes >= MOST_SPELLINGS && !isLossy(source, value))) return
    this.#notes++
    frame.written ??= new Map()
    frame.written.set(isList ? String(index) : key, [value, source])
  }
}

function isLossy(source: string, value: unknown): boolean {
  if (typeof value !== 'number') return false
  if (value === 0 || !Number.isFinite(value)) return true
  const [digits = ''] = source.split(/[eE]/)
  return digits.replace(/^-?[0.]+|[-.]/g, '').length > SAFE_DIGITS
}

function orderOf(keys: readonly string[], container: object): readonly string[] | undefined {
  const order = [...new Set(keys)]
  return Object.keys(container).every((key, index) => key === order[index]) ? undefined : order
}

/** Follows an odd number of backslashes. */
function isEscaped(text: string, quote: number): boolean {
  let at = quote
  while (text.charCodeAt(at - 1) === BACKSLASH) at--
  return (quote - at) % 2 === 1
}

/** 0-9 + - . E e */
const isOfNumber = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) ||
  code === 0x2e ||
  code === 0x2b ||
  code === 0x2d ||
  code === 0x45 ||
  code === 0x65
