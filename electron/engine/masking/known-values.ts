import type { Span } from './personal-data.ts'

export interface KnownValue {
  readonly type: string
  readonly value: string
}

/** Where a value begins and ends, seen from its first word. */
interface Shape {
  readonly offset: number
  readonly length: number
}

const WORD = /[\p{L}\p{N}]+/gu
const FIRST_WORD = /[\p{L}\p{N}]+/u
const CONTINUES = /[\p{L}\p{N}]/u

/** Finds given values wherever they stand as words of their own, in time linear in the text. */
export class KnownValues {
  readonly #types = new Map<string, string>()
  /** By the first word, the longest first. */
  readonly #shapes = new Map<string, Shape[]>()

  get size(): number {
    return this.#types.size
  }

  add({ type, value }: KnownValue): void {
    const first = FIRST_WORD.exec(value)
    if (!first || this.#types.has(value)) return
    this.#types.set(value, type)
    const shapes = this.#shapes.get(first[0]) ?? []
    this.#shapes.set(first[0], shapes)
    if (shapes.some(({ offset, length }) => offset === first.index && length === value.length)) return
    shapes.push({ offset: first.index, length: value.length })
    shapes.sort((a, b) => b.length - a.length)
  }

  find(text: string): Span[] {
    const found: Span[] = []
    if (this.size === 0) return found
    for (const word of text.matchAll(WORD)) {
      const end = found.at(-1)?.end ?? 0
      const hit = this.#at(text, word.index, word[0])
      if (hit && hit.start >= end) found.push(hit)
    }
    return found
  }

  #at(text: string, index: number, word: string): Span | undefined {
    for (const { offset, length } of this.#shapes.get(word) ?? []) {
      const start = index - offset
      if (start < 0) continue
      const value = text.slice(start, start + length)
      const type = this.#types.get(value)
      if (type !== undefined && endsThere(text, value, start))
        return { type, start, end: start + length, value }
    }
    return undefined
  }
}

const endsThere = (text: string, value: string, start: number): boolean =>
  !CONTINUES.test(text.charAt(start + value.length)) || !CONTINUES.test(value.at(-1) ?? '')
