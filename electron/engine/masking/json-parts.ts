import { ArrayColumns, mayHaveRows } from './array-columns.ts'
import { asWords } from './as-words.ts'
import { numberKey } from './finders/number-keys.ts'
import { isNameKey, isValueKey, labelUnder, LONGEST_LABEL, nameOfPair } from './naming-keys.ts'

/** A string with its quotation marks, or a number. */
export interface JsonPart {
  readonly start: number
  readonly end: number
  readonly label: string | undefined
  readonly isNumber: boolean
}

/** An object or array that is open. */
interface Frame {
  readonly isArray: boolean
  readonly label: string | undefined
  key: string | undefined
  /** Under keys such as "name", and parts under keys such as "value". */
  names: string[] | undefined
  values: number[] | undefined
}

const frame = (isArray: boolean, label: string | undefined): Frame => ({
  isArray,
  label,
  key: undefined,
  names: undefined,
  values: undefined,
})

const QUOTE = 0x22
const COLON = 0x3a
const BACKSLASH = 0x5c
const MINUS = 0x2d
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39
/** Whole numbers; some programs write them as 4915112345678.0. */
const WHOLE_NUMBER = /\d+(?:\.0+)?(?![\d.eE])/y
const SHORTEST_IN_ROWS = 7

/** Strings and numbers of valid JSON in order, with what labels them: their key, their name beside them, their column. */
export class JsonLines {
  readonly #text: string
  readonly #label: string | undefined
  readonly #all: boolean
  readonly #parts: JsonPart[] = []
  readonly #columns: ArrayColumns | undefined
  #hasNumbers = false
  /** Labels, and whether they name numbers. */
  readonly #naming = new Map<string, boolean>()

  /** `all`: numbers under any key. */
  constructor(text: string, label: string | undefined, all: boolean) {
    this.#text = text
    this.#label = label
    this.#all = all
    this.#columns = mayHaveRows(text)
      ? new ArrayColumns((index, header) => {
          if (header.length <= LONGEST_LABEL) this.#relabel(index, header)
        })
      : undefined
  }

  parts(lines: readonly { start: number; end: number }[]): readonly JsonPart[] {
    for (const { start, end } of lines) this.#read(start, end)
    return this.#hasNumbers && !this.#all
      ? this.#parts.filter(({ isNumber, label }) => !isNumber || this.#namesNumber(label))
      : this.#parts
  }

  #read(start: number, end: number): void {
    const text = this.#text
    const open: Frame[] = []
    let top = frame(true, this.#label)
    let read = start
    for (let at = start; at < end;) {
      const code = text.charCodeAt(at)
      if (code === QUOTE) {
        const close = closingQuote(text, at)
        this.#columns?.read(text, read, at)
        read = close + 1
        if (isKey(text, read)) top.key = contentOf(text, at, close)
        else this.#string(top, at, close)
        at = read
      } else if (code === 0x7b || code === 0x5b) {
        open.push(top)
        top = frame(code === 0x5b, labelIn(top))
        at++
      } else if (code === 0x7d || code === 0x5d) {
        const outer = open.pop() ?? top
        this.#close(top, outer)
        top = outer
        at++
      } else if (isDigit(code) || code === MINUS) {
        const stop = numberEnd(text, at)
        if (this.#isWanted(top, at, stop)) {
          this.#columns?.read(text, read, at)
          this.#columns?.number(this.#parts.length)
          read = stop
          this.#hasNumbers = true
          this.#add(top, at, stop, true)
        }
        at = stop
      } else at++
    }
    this.#columns?.read(text, read, end)
  }

  #string(top: Frame, open: number, close: number): void {
    const isEmpty = close === open + 1
    if (this.#columns)
      this.#columns.string(this.#text.slice(open + 1, close), isEmpty ? undefined : this.#parts.length)
    if (isEmpty) return
    if (!top.isArray && top.key !== undefined && close - open <= LONGEST_LABEL && isNameKey(top.key))
      (top.names ??= []).push(contentOf(this.#text, open, close))
    this.#add(top, open, close + 1, false)
  }

  #add(top: Frame, start: number, end: number, isNumber: boolean): void {
    if (!top.isArray && top.key !== undefined && isValueKey(top.key))
      (top.values ??= []).push(this.#parts.length)
    this.#parts.push({ start, end, label: labelIn(top), isNumber })
  }

  #close({ names, values }: Frame, outer: Frame): void {
    if (values === undefined) return
    const name = names && nameOfPair(names)
    if (name !== undefined) for (const index of values) this.#relabel(index, name)
    else if (!outer.isArray && outer.key !== undefined && isValueKey(outer.key))
      (outer.values ??= []).push(...values)
  }

  #relabel(index: number, label: string): void {
    const part = this.#parts[index]
    if (part) this.#parts[index] = { ...part, label }
  }

  #isWanted(top: Frame, start: number, end: number): boolean {
    if (end - start < 3) return false
    WHOLE_NUMBER.lastIndex = start
    if (!WHOLE_NUMBER.test(this.#text) || WHOLE_NUMBER.lastIndex !== end) return false
    if (this.#all || (top.isArray && this.#columns !== undefined && end - start >= SHORTEST_IN_ROWS))
      return true
    return (!top.isArray && top.key !== undefined && isValueKey(top.key)) || this.#namesNumber(labelIn(top))
  }

  #namesNumber(label: string | undefined): boolean {
    if (label === undefined) return false
    let names = this.#naming.get(label)
    if (names === undefined) this.#naming.set(label, (names = numberKey(asWords(label)) !== undefined))
    return names
  }
}

const labelIn = ({ isArray, key, label }: Frame): string | undefined =>
  isArray || key === undefined ? label : labelUnder(key, label)

/** Python's JSON has escapes for letters outside of ASCII. */
function contentOf(text: string, open: number, close: number): string {
  const content = text.slice(open + 1, close)
  return content.includes('\\') ? String(JSON.parse(text.slice(open, close + 1))) : content
}

function numberEnd(text: string, start: number): number {
  let end = start + 1
  for (let code = text.charCodeAt(end); isDigit(code) || isInNumber(code);) code = text.charCodeAt(++end)
  return end
}

/** Full stop, e, E, plus and minus. */
const isInNumber = (code: number): boolean =>
  code === 0x2e || code === 0x65 || code === 0x45 || code === 0x2b || code === MINUS

function closingQuote(text: string, open: number): number {
  for (let close = text.indexOf('"', open + 1); ; close = text.indexOf('"', close + 1)) {
    let slashes = 0
    while (text.charCodeAt(close - 1 - slashes) === BACKSLASH) slashes++
    if (slashes % 2 === 0) return close
  }
}

function isKey(text: string, after: number): boolean {
  let index = after
  for (let code = text.charCodeAt(index); code === 32 || (code >= 9 && code <= 13);) {
    code = text.charCodeAt(++index)
  }
  return text.charCodeAt(index) === COLON
}
