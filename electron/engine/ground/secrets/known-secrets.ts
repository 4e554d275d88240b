import { atOnce, type Steps } from '../steps.ts'
import { nextReading, placesIn, readings, type Place } from './written-forms.ts'

export const SHORTEST_KNOWN = 8
/** Of a cut secret; at least half of it. */
const SHORTEST_PREFIX = 12
const BLOCKS = 1 << 16

interface Pattern {
  readonly form: string
  readonly needle: string
}

/**
 * Finds known secrets: verbatim, in upper or lower case, URL-encoded, in base64 at any alignment, in hex, reversed,
 * cut after a long beginning, across lines, with invisible characters or colours between, and escaped in any mixture
 * and depth (written-forms.ts). Time depends on the text, not the number of secrets: Wu and Manber, "A fast algorithm
 * for multi-pattern searching" (1994), with blocks of two characters.
 */
export class KnownSecrets {
  readonly #values = new Set<string>()
  #hasNumber = false
  #search: Search | undefined
  #isStale = false

  /** Skips values under 8 characters. */
  add(values: Iterable<string>): void {
    for (const value of values) {
      const secret = value.trim()
      if (secret.length < SHORTEST_KNOWN || this.#values.has(secret)) continue
      this.#values.add(secret)
      this.#hasNumber ||= /^-?\d[\d.]*$/.test(secret)
      this.#isStale = true
    }
  }

  get size(): number {
    return this.#values.size
  }

  /** A number, which a message may hold without quotes. */
  get hasNumber(): boolean {
    return this.#hasNumber
  }

  /** In any form. */
  isIn(text: string): boolean {
    return atOnce(this.looking(text))
  }

  /** In steps, for long texts. */
  *looking(text: string): Steps<boolean> {
    const search = this.#ready()
    if (!search) return false
    let read: string | undefined = text
    for (const before: string[] = []; read !== undefined; read = yield* nextReading(before)) {
      if (search.next(read, 0)) return true
      before.push(read)
    }
    return false
  }

  clean(text: string, mark: string): string {
    return atOnce(this.cleaning(text, mark))
  }

  /** In steps, for long texts. */
  *cleaning(text: string, mark: string): Steps<string> {
    const search = this.#ready()
    if (!search) return text
    const found: Place[] = []
    let read: string | undefined = text
    for (const before: string[] = []; read !== undefined; read = yield* nextReading(before)) {
      let places: readonly Place[] = spansIn(search, read)
      for (const written of before.toReversed()) places = yield* placesIn(written, places)
      for (const place of places) found.push(place)
      before.push(read)
      yield
    }
    return replaced(text, united(found), mark)
  }

  #ready(): Search | undefined {
    if (this.#isStale) {
      this.#isStale = false
      this.#search = new Search([...this.#values].flatMap(patternsOf))
    }
    return this.#search
  }
}

function spansIn(search: Search, text: string): Place[] {
  const spans: Place[] = []
  for (let found = search.next(text, 0); found; found = search.next(text, found.end)) spans.push(found)
  return spans
}

function replaced(text: string, spans: readonly Place[], mark: string): string {
  const parts: string[] = []
  let at = 0
  for (const { start, end } of spans) {
    parts.push(text.slice(at, start), mark)
    at = end
  }
  return spans.length === 0 ? text : parts.join('') + text.slice(at)
}

/** Merges overlaps: a secret may be cut in one reading and whole in the next. */
function united(places: Place[]): Place[] {
  const all: Place[] = []
  for (const place of places.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = all.at(-1)
    if (last && place.start < last.end)
      all[all.length - 1] = { start: last.start, end: Math.max(last.end, place.end) }
    else all.push(place)
  }
  return all
}

class Search {
  /** Shortest needle. */
  readonly #width: number
  readonly #shifts: Uint8Array
  readonly #endingWith = new Map<number, Pattern[]>()

  constructor(patterns: readonly Pattern[]) {
    this.#width = Math.min(255, ...patterns.map(({ needle }) => needle.length))
    this.#shifts = new Uint8Array(BLOCKS).fill(this.#width - 1)
    for (const pattern of patterns) {
      for (let end = 1; end < this.#width; end++) {
        const block = blockAt(pattern.needle, end)
        this.#shifts[block] = Math.min(this.#shifts[block] ?? 0, this.#width - 1 - end)
        if (end < this.#width - 1) continue
        const others = this.#endingWith.get(block)
        if (others) others.push(pattern)
        else this.#endingWith.set(block, [pattern])
      }
    }
  }

  /** At or after `from`, in full. */
  next(text: string, from: number): { readonly start: number; readonly end: number } | undefined {
    const shifts = this.#shifts
    let end = from + this.#width - 1
    while (end < text.length) {
      const block = blockAt(text, end)
      const shift = shifts[block] ?? 1
      if (shift > 0) {
        end += shift
        continue
      }
      const start = end - this.#width + 1
      const length = this.#longestAt(text, start, block)
      if (length > 0) return { start, end: start + length }
      end++
    }
    return undefined
  }

  #longestAt(text: string, start: number, block: number): number {
    let longest = 0
    for (const { form, needle } of this.#endingWith.get(block) ?? []) {
      if (!text.startsWith(needle, start)) continue
      let length = needle.length
      while (length < form.length && text.charCodeAt(start + length) === form.charCodeAt(length)) length++
      longest = Math.max(longest, length)
    }
    return longest
  }
}

const blockAt = (text: string, end: number): number =>
  (text.charCodeAt(end - 1) * 251 + text.charCodeAt(end)) & (BLOCKS - 1)

function patternsOf(value: string): Pattern[] {
  // An address's beginning isn't a secret; its password is a separate value.
  const isAddress = /^[a-z][\w+.-]*:\/\//i.test(value)
  // Texts are searched unescaped, so forms with escapes are needed unescaped, too.
  return [...new Set(formsOf(value).flatMap((form) => [form, ...readings(form)]))]
    .filter((form) => form.length >= SHORTEST_KNOWN)
    .map((form) => {
      const long = Math.max(SHORTEST_PREFIX, Math.ceil(form.length / 2))
      return { form, needle: isAddress ? form : form.slice(0, long) }
    })
}

function formsOf(value: string): string[] {
  const bytes = Buffer.from(value)
  const hex = bytes.toString('hex')
  const encoded = percentEncoded(value)
  const base64 = [0, 1, 2].map((before) => base64At(bytes, before))
  return [
    value,
    encoded,
    encoded.replaceAll(/%[\dA-F]{2}/g, (each) => each.toLowerCase()),
    encoded.replaceAll('%20', '+'),
    hex,
    hex.toUpperCase(),
    value.toUpperCase(),
    value.toLowerCase(),
    Array.from(value).toReversed().join(''),
    ...base64,
    ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
  ]
}

/** Accepts lone surrogates. */
const percentEncoded = (value: string): string => encodeURIComponent(value.toWellFormed())

/** The base64 characters that these bytes alone determine, after `before` bytes (modulo 3). */
function base64At(bytes: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes])
    .toString('base64')
    .replace(/=+$/, '')
  const first = before === 0 ? 0 : before + 1
  const rest = (before + bytes.length) % 3
  return text.slice(first, rest === 0 ? undefined : -1)
}
