import type { Span } from './personal-data.ts'

export interface KnownValue {
  readonly type: string
  readonly value: string
}

/** Shorter values are too likely to be something else where no word announces them. */
const SHORTEST = 6
const WORD = /[\p{L}\p{N}]+/gu

/**
 * Finds values again that were recognised only by a word next to them, such as a date of birth: masked once, they are
 * masked everywhere.
 */
export class KnownValues {
  readonly #byFirstWord = new Map<string, { type: string; value: string; offset: number }[]>()

  constructor(values: Iterable<KnownValue>, shortest = SHORTEST) {
    const seen = new Set<string>()
    for (const { type, value } of values) {
      if (value.length < shortest || seen.has(value)) continue
      seen.add(value)
      WORD.lastIndex = 0
      const first = WORD.exec(value)
      if (!first) continue
      const alike = this.#byFirstWord.get(first[0])
      const entry = { type, value, offset: first.index }
      if (alike) alike.push(entry)
      else this.#byFirstWord.set(first[0], [entry])
    }
    for (const alike of this.#byFirstWord.values()) alike.sort((a, b) => b.value.length - a.value.length)
  }

  get size(): number {
    return this.#byFirstWord.size
  }

  find(text: string): Span[] {
    const found: Span[] = []
    if (this.size === 0) return found
    for (const word of text.matchAll(WORD)) {
      const hit = this.#byFirstWord
        .get(word[0])
        ?.find(({ value, offset }) => isAt(text, value, word.index - offset))
      const start = hit ? word.index - hit.offset : -1
      if (hit && start >= (found.at(-1)?.end ?? 0)) {
        found.push({ type: hit.type, start, end: start + hit.value.length, value: hit.value })
      }
    }
    return found
  }
}

const CONTINUES = /[\p{L}\p{N}]/u

function isAt(text: string, value: string, start: number): boolean {
  if (start < 0 || !text.startsWith(value, start)) return false
  return !CONTINUES.test(text.charAt(start + value.length)) || !CONTINUES.test(value.at(-1) ?? '')
}
