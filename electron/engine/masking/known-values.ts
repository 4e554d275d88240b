import type { PersonalDataType } from '../../../shared/masking-policy.ts'
import { isInWord } from './finders/boundaries.ts'
import type { Span } from './personal-data.ts'

export interface KnownValue {
  readonly type: string
  readonly value: string
}

/** At least in some spellings. */
const TOLD_BY_CONTEXT: ReadonlySet<string> = new Set<PersonalDataType>([
  'api_key',
  'credit_card',
  'date_of_birth',
  'driver_license',
  'passport',
  'phone',
  'ssn',
])

/** Shorter values are too ambiguous without a label. */
const SHORTEST_KNOWN = 6
/** Of which every text may be full. */
const PLAIN_WORD = /^\p{L}+$/u

/** Whether later occurrences of this value are masked without a label. */
export const isSoughtAgain = ({ type, value }: KnownValue): boolean =>
  TOLD_BY_CONTEXT.has(type) && value.length >= SHORTEST_KNOWN && !PLAIN_WORD.test(value)

/** Relative to a value's first word. */
interface Shape {
  readonly offset: number
  readonly length: number
}

const WORD = /[\p{L}\p{N}]+/uy
const FIRST_WORD = /[\p{L}\p{N}]+/u
const ENDS_IN_WORD = /[\p{L}\p{N}]$/u
/** Up to this many, one search per value is faster. */
const FEW = 8

export class KnownValues {
  readonly #types = new Map<string, string>()
  /** By the first word, longest first. */
  readonly #shapes = new Map<string, Shape[]>()
  /** The low bytes of the code units with which first words begin. */
  readonly #first = new Uint8Array(0x100)
  /** Shape not needed yet. */
  #unshaped: string[] = []

  get size(): number {
    return this.#types.size
  }

  add({ type, value }: KnownValue): void {
    if (value === '' || this.#types.has(value)) return
    this.#types.set(value, type)
    this.#unshaped.push(value)
  }

  find(text: string): Span[] {
    return this.size <= FEW ? this.#findEach(text) : this.#findByWord(text)
  }

  #findEach(text: string): Span[] {
    const found: Span[] = []
    this.#types.forEach((type, value) => {
      for (let start = text.indexOf(value); start >= 0; start = text.indexOf(value, start + 1)) {
        if (standsAlone(text, value, start) && FIRST_WORD.test(value))
          found.push({ type, start, end: start + value.length, value })
      }
    })
    if (found.length <= 1) return found
    found.sort((a, b) => a.start - b.start || b.end - a.end)
    let end = 0
    return found.filter((span) => span.start >= end && (end = span.end) > 0)
  }

  #findByWord(text: string): Span[] {
    for (const value of this.#unshaped) this.#addShape(value)
    this.#unshaped = []
    const found: Span[] = []
    for (let start = 0; start < text.length; start++) {
      const unit = text.charCodeAt(start)
      if (this.#first[unit & 0xff] !== 1 || isSecondOfPair(unit) || isWithinWord(text, start)) continue
      WORD.lastIndex = start
      const word = WORD.exec(text)?.[0]
      if (word === undefined) continue
      const end = found.at(-1)?.end ?? 0
      const hit = this.#at(text, start, word)
      if (hit && hit.start >= end) found.push(hit)
      start += word.length - 1
    }
    return found
  }

  #addShape(value: string): void {
    const first = FIRST_WORD.exec(value)
    if (!first) return
    this.#first[first[0].charCodeAt(0) & 0xff] = 1
    const shapes = this.#shapes.get(first[0]) ?? []
    this.#shapes.set(first[0], shapes)
    if (shapes.some(({ offset, length }) => offset === first.index && length === value.length)) return
    shapes.push({ offset: first.index, length: value.length })
    shapes.sort((a, b) => b.length - a.length)
  }

  #at(text: string, index: number, word: string): Span | undefined {
    for (const { offset, length } of this.#shapes.get(word) ?? []) {
      const start = index - offset
      if (start < 0) continue
      const value = text.slice(start, start + length)
      const type = this.#types.get(value)
      if (type !== undefined && standsAlone(text, value, start))
        return { type, start, end: start + value.length, value }
    }
    return undefined
  }
}

const isSecondOfPair = (unit: number): boolean => (unit & 0xfc00) === 0xdc00

/** Whether the letter or digit before, of one unit or two, is of the same word. */
function isWithinWord(text: string, index: number): boolean {
  if (index === 0) return false
  return index > 1 && isSecondOfPair(text.charCodeAt(index - 1))
    ? ENDS_IN_WORD.test(text.slice(index - 2, index))
    : isInWord(text, index - 1)
}

/** No word spans the bounds. */
const standsAlone = (text: string, value: string, start: number): boolean =>
  !(isInWord(text, start - 1) && isInWord(value, 0)) &&
  !(isInWord(text, start + value.length) && isInWord(value, value.length - 1))
