import { JsonLines, type JsonPart } from './json-parts.ts'

export interface LabelledText {
  readonly text: string
  readonly label?: string | undefined
  /** The text is a number of JSON: all of it or nothing is replaced. */
  readonly isNumber?: true
}

export interface Leaf {
  readonly text: string
  readonly label: string | undefined
  /** JSON quoting levels: insertions need as many escapes. */
  readonly quoted: number
  /** Of a number of JSON: what is written around a string in its place. */
  readonly quotes?: string
  /** Offset in the whole text (UTF-16). */
  toSource(offset: number): number
  /** With the quotation marks, in the whole text; undefined for a text that isn't within JSON. */
  readonly token?: { readonly start: number; readonly end: number }
}

/** Deeper ones count as plain text. */
const DEEPEST_QUOTING = 3
/** A server may quote what it got once or twice more. */
export const DEEPEST_RESTORED = 6

interface LeafOptions {
  /** Numbers under any key. */
  readonly all?: boolean
  readonly deepest?: number
}

/** Strings of JSON, and numbers under keys that may name those of persons. No keys and no syntax. */
export function leavesOf(
  { text, label, isNumber }: LabelledText,
  { all = false, deepest = DEEPEST_QUOTING }: LeafOptions = {},
): Leaf[] {
  const whole: Leaf = { text, label, quoted: 0, toSource: (offset) => offset }
  return isNumber ? [{ ...whole, quotes: '' }] : split(whole, all, deepest)
}

function split(leaf: Leaf, all: boolean, deepest: number): Leaf[] {
  const lines = linesOf(leaf, deepest)
  if (!lines) return [leaf]
  const found: Leaf[] = []
  addParts(leaf, lines, { all, deepest, found })
  return found
}

interface Splitting {
  readonly all: boolean
  readonly deepest: number
  readonly found: Leaf[]
}

function addParts(leaf: Leaf, lines: readonly TextRange[], splitting: Splitting): void {
  for (const part of new JsonLines(leaf.text, leaf.label, splitting.all).parts(lines)) {
    const inner = new PartLeaf(leaf, part)
    const innerLines = linesOf(inner, splitting.deepest)
    if (innerLines) addParts(inner, innerLines, splitting)
    else splitting.found.push(inner)
  }
}

interface TextRange {
  readonly start: number
  readonly end: number
}

const BLANK = 0x20
const QUOTE = 0x22
const BRACE = 0x7b
const BRACKET = 0x5b

/** Of JSON or JSON lines; undefined for another text. */
function linesOf({ text, quoted, quotes }: Leaf, deepest: number): readonly TextRange[] | undefined {
  if (quoted >= deepest || quotes !== undefined) return undefined
  const code = text.charCodeAt(0)
  // Most texts begin with a letter.
  if (code > BLANK && code < 0x80 && code !== QUOTE && code !== BRACE && code !== BRACKET) return undefined
  const first = text.trimStart().charAt(0)
  // A text alone is JSON, too: "{\"phone\":1}".
  const isText = first === '"' && /^\s*"(?:\\+")*\s*[{[]/.test(text)
  if (first !== '{' && first !== '[' && !isText) return undefined
  return isJson(text) ? [{ start: 0, end: text.length }] : jsonLines(text)
}

/** Each line a JSON object or array. A number alone is plain text. */
function jsonLines(text: string): TextRange[] | undefined {
  const lines: TextRange[] = []
  for (let start = 0; start <= text.length;) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    const line = text.slice(start, end)
    if (line.trim() !== '') {
      if (!/^\s*[{[]/.test(line) || !isJson(line)) return undefined
      lines.push({ start, end })
    }
    start = end + 1
  }
  return lines
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** What a text of JSON holds: large ones have hundreds of thousands. */
class PartLeaf implements Leaf {
  readonly text: string
  readonly label: string | undefined
  readonly quoted: number
  readonly quotes?: string
  readonly #parent: Leaf
  readonly #start: number
  readonly #end: number
  readonly #isEscaped: boolean
  #offsets: number[] | undefined

  constructor(parent: Leaf, { start, end, label, isNumber }: JsonPart) {
    this.label = label
    this.#parent = parent
    this.#start = start
    this.#end = end
    const content = isNumber ? parent.text.slice(start, end) : parent.text.slice(start + 1, end - 1)
    this.#isEscaped = !isNumber && content.includes('\\')
    this.text = this.#isEscaped ? String(JSON.parse(parent.text.slice(start, end))) : content
    this.quoted = parent.quoted + (isNumber ? 0 : 1)
    if (isNumber) this.quotes = QUOTES[parent.quoted] ?? ''
  }

  get token(): { readonly start: number; readonly end: number } {
    return { start: this.#parent.toSource(this.#start), end: this.#parent.toSource(this.#end) }
  }

  toSource(offset: number): number {
    if (!this.#isEscaped)
      return this.#parent.toSource(this.#start + offset + (this.quotes === undefined ? 1 : 0))
    this.#offsets ??= offsetsOfUnits(this.#parent.text, this.#start + 1, this.#end - 1)
    return this.#parent.toSource(this.#offsets[offset] ?? this.#end - 1)
  }
}

/** A quotation mark by the quoting levels around it. */
const QUOTES: readonly string[] = ['"', String.raw`\"`, String.raw`\\\"`]

function offsetsOfUnits(source: string, start: number, end: number): number[] {
  const offsets: number[] = []
  for (let index = start; index < end;) {
    offsets.push(index)
    if (source.charAt(index) !== '\\') index += 1
    else index += source.charAt(index + 1) === 'u' ? 6 : 2
  }
  return offsets
}
