import { readText } from '../../text/readers/registry.ts'
import { valuesOf } from '../../text/readers/reading-values.ts'
import type { JsonDocument } from '../../text/tree/json-document.ts'
import { buildValue } from '../../text/tree/json-values.ts'
import { parseJson } from '../../text/tree/parse-json.ts'
import { wholeCharacters } from './token-counter.ts'
import type { TokenCounter } from './token-counter.ts'

const CHUNK = 65_536
const TOKEN_CHUNK = 8192

export interface ExploredPart {
  readonly id: string | undefined
  readonly source: ExploredText
}

const DATA_KINDS = new Set(['data', 'table'])

/** A JSON value, JSON values as a list, table rows as objects of strings, or what a reader finds. */
export interface ParsedData {
  /** `json`, `json lines`, or the name of a reader. */
  readonly format: string
  readonly value: unknown
}

export class ExploredText {
  readonly text: string
  readonly #detectKind: () => string
  #kind: string | undefined
  #json: { readonly document: JsonDocument | undefined } | undefined
  #data: { parsed: ParsedData | undefined } | undefined
  #lineStarts: Uint32Array | undefined
  #byteMarks: { characters: number[]; bytes: number[] } | undefined
  readonly #tokenMarks = { characters: [0], tokens: [0] }

  /** `kind` is lazy, because a result may have thousands of texts. */
  constructor(text: string, kind: string | (() => string)) {
    this.text = text
    this.#detectKind = typeof kind === 'string' ? () => kind : kind
  }

  get kind(): string {
    return (this.#kind ??= this.#detectKind())
  }

  /** Undefined if not JSON. */
  get json(): JsonDocument | undefined {
    this.#json ??= { document: parseJson(this.text) }
    return this.#json.document
  }

  /** Don't change it: the next call reuses it. */
  get data(): ParsedData | undefined {
    this.#data ??= { parsed: this.#parseData() }
    return this.#data.parsed
  }

  #parseData(): ParsedData | undefined {
    const { json } = this
    if (json) return { format: json.root === 0 ? 'json lines' : 'json', value: buildValue(json) }
    if (!DATA_KINDS.has(this.kind)) return undefined
    const reading = readText(this.text)
    return reading && { format: reading.format, value: valuesOf(reading) }
  }

  /** A line ends with its line feed; a non-empty rest is a line. */
  get lineCount(): number {
    return this.#starts().length
  }

  /** From 0; the text's end beyond the last. */
  lineStart(line: number): number {
    return this.#starts()[line] ?? this.text.length
  }

  lineAt(offset: number): number {
    const starts = this.#starts()
    return lastAtMost(starts, offset)
  }

  line(line: number): string {
    return this.text.slice(this.lineStart(line), this.lineStart(line + 1)).replace(/\r?\n$/, '')
  }

  *lines(): Iterable<string> {
    for (let line = 0; line < this.lineCount; line++) yield this.line(line)
  }

  get byteCount(): number {
    return this.byteAt(this.text.length)
  }

  byteAt(offset: number): number {
    const { characters, bytes } = this.#bytes()
    const mark = lastAtMost(characters, offset)
    return (bytes[mark] ?? 0) + Buffer.byteLength(this.text.slice(characters[mark] ?? 0, offset))
  }

  /** A split character counts from its start. */
  characterAtByte(byte: number): number {
    const { characters, bytes } = this.#bytes()
    const mark = lastAtMost(bytes, byte)
    let at = characters[mark] ?? 0
    let passed = bytes[mark] ?? 0
    while (at < this.text.length) {
      const code = this.text.codePointAt(at) ?? 0
      const size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
      if (passed + size > byte) return at
      passed += size
      at += code > 0xffff ? 2 : 1
    }
    return at
  }

  /** Exact, over the whole text: only for numbers from the end. */
  tokenCount(tokens: TokenCounter): number {
    this.#markTokens(Infinity, tokens)
    return this.#tokenMarks.tokens.at(-1) ?? 0
  }

  /** Monotonic and stable. */
  characterAtToken(token: number, tokens: TokenCounter): number {
    this.#markTokens(token, tokens)
    const marks = this.#tokenMarks
    const mark = lastAtMost(marks.tokens, token)
    const start = marks.characters[mark] ?? 0
    const rest = token - (marks.tokens[mark] ?? 0)
    let low = start
    let high = marks.characters[mark + 1] ?? start
    if (rest <= 0 || high <= start) return start
    while (low < high - 1) {
      const middle = (low + high) >> 1
      if (tokens.count(this.text.slice(start, middle)) <= rest) low = middle
      else high = middle
    }
    return wholeCharacters(this.text, low)
  }

  #markTokens(upTo: number, tokens: TokenCounter): void {
    const { characters, tokens: counts } = this.#tokenMarks
    for (;;) {
      const from = characters.at(-1) ?? 0
      const before = counts.at(-1) ?? 0
      if (before > upTo || from >= this.text.length) return
      const end = wordEnd(this.text, from + TOKEN_CHUNK)
      characters.push(end)
      counts.push(before + tokens.count(this.text.slice(from, end)))
    }
  }

  #starts(): Uint32Array {
    if (this.#lineStarts) return this.#lineStarts
    let count = 0
    for (let at = this.text.indexOf('\n'); at >= 0; at = this.text.indexOf('\n', at + 1)) count++
    const starts = new Uint32Array(count + (this.text !== '' && !this.text.endsWith('\n') ? 1 : 0))
    let line = 0
    for (let at = 0; at < this.text.length; line++) {
      starts[line] = at
      const end = this.text.indexOf('\n', at)
      at = end < 0 ? this.text.length : end + 1
    }
    this.#lineStarts = starts
    return starts
  }

  #bytes(): { characters: number[]; bytes: number[] } {
    if (this.#byteMarks) return this.#byteMarks
    const marks = { characters: [0], bytes: [0] }
    let bytes = 0
    for (let at = 0; at < this.text.length;) {
      const end = wholeCharacters(this.text, Math.min(this.text.length, at + CHUNK))
      bytes += Buffer.byteLength(this.text.slice(at, end))
      marks.characters.push(end)
      marks.bytes.push(bytes)
      at = end
    }
    this.#byteMarks = marks
    return marks
  }
}

function lastAtMost(ascending: ArrayLike<number>, value: number): number {
  let low = 0
  let high = ascending.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((ascending[middle] ?? Infinity) <= value) low = middle
    else high = middle - 1
  }
  return low
}

/** A blank, where separate token counts add up; at most one chunk on. */
function wordEnd(text: string, from: number): number {
  const limit = Math.min(text.length, from + TOKEN_CHUNK)
  for (let at = from; at < limit; at++) {
    const code = text.charCodeAt(at)
    if (code === 10 || code === 32) return at
  }
  return wholeCharacters(text, limit)
}
