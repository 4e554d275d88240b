import { Parser } from 'htmlparser2'
import { stripVTControlCharacters } from 'node:util'

const WORD = /[\p{L}\p{N}_]+/gu

/** A text as what was printed of it is looked up in it. */
export class Source {
  readonly text: string
  /** Its value, if it is JSON (an object or an array). */
  readonly json: unknown
  /** Also without escapes and entities, as a printer may write it. */
  readonly #all: string
  readonly #lines: readonly (readonly string[])[]
  readonly #isIndented: readonly boolean[]
  #chunks: Set<string> | undefined
  #words: Map<string, number[]> | undefined

  constructor(text: string) {
    this.text = text
    const value = /^\s*[[{]/.test(text) ? parsed(text) : undefined
    this.json = typeof value === 'object' && value !== null ? value : undefined
    const plain = stripVTControlCharacters(text)
    this.#all = [
      plain,
      plain.includes('\\') ? unescaped(plain) : '',
      /&\w|<\//.test(plain) ? marked(plain) : '',
    ].join('\n')
    const lines = this.#all.split('\n')
    this.#lines = lines.map((line) => line.match(WORD) ?? [])
    this.#isIndented = lines.map((line) => /^\s+\S/.test(line))
  }

  get lines(): readonly string[] {
    return this.text.split('\n')
  }

  get chunks(): ReadonlySet<string> {
    this.#chunks ??= new Set(
      [...new Set(this.#all.match(/[\p{L}\p{N}_./:@~+%-]+/gu))].map((chunk) =>
        chunk.replace(/^[.:+%-]+|[./:+%-]+$/g, ''),
      ),
    )
    return this.#chunks
  }

  /** Whether it stands somewhere without a longer name or number around it. */
  hasWhole(chunk: string, { startCut, endCut }: { startCut: boolean; endCut: boolean }): boolean {
    for (let i = this.#all.indexOf(chunk); i >= 0; i = this.#all.indexOf(chunk, i + 1)) {
      const [before, after] = [
        this.#all.slice(Math.max(0, i - 2), i),
        this.#all.slice(i + chunk.length, i + chunk.length + 2),
      ]
      if ((startCut || !continuesBefore(chunk, before)) && (endCut || !continuesAfter(chunk, after)))
        return true
    }
    return false
  }

  /** Whether the words follow each other in one line, in lines next to it, or in what is indented around it. */
  hasInOrder(printed: readonly string[]): boolean {
    // A table's row may say the names of its columns.
    const head = new Set(
      this.#lines
        .slice(0, 3)
        .flat()
        .filter((word) => !/^\d/.test(word)),
    )
    const own = printed.filter((word) => !head.has(word))
    const words = own.length === 0 ? printed : own
    const places = words.map((word) => this.#placesOf(word))
    const reach = 12 + words.length
    let rarest: readonly number[] | undefined
    for (const lines of places) if (rarest === undefined || lines.length < rarest.length) rarest = lines
    for (const i of (rarest ?? []).slice(0, 400)) {
      if (isSubsequence(words, this.#lines[i] ?? [])) return true
    }
    for (const i of (rarest ?? []).slice(0, 100)) {
      const [first, end] = this.#indentedAround(i)
      const [from, to] = [Math.min(first, i - reach), Math.max(end, i + reach + 1)]
      if (isSubsequence(words, this.#lines.slice(Math.max(0, from), to).flat())) return true
    }
    return false
  }

  /** Whether the words follow each other in the text, however far apart. */
  hasInSequence(printed: readonly string[]): boolean {
    return isSubsequence(printed, this.#lines.flat())
  }

  /** How many different words of its own a text has. */
  wordsKept(text: string): number {
    let kept = 0
    for (const word of new Set(text.match(WORD))) if (this.#placesOf(word).length > 0) kept++
    return kept
  }

  /** Of a value over several lines, printed in one: the lines around `line` that are indented, end exclusive. */
  #indentedAround(line: number): readonly [number, number] {
    let [first, end] = [line, line + 1]
    while (this.#isIndented[first - 1] === true) first--
    while (this.#isIndented[end] === true) end++
    return this.#isIndented[line] === true ? [first, end] : [line, line + 1]
  }

  #placesOf(word: string): readonly number[] {
    this.#words ??= indexOf(this.#lines)
    return this.#words.get(word) ?? []
  }
}

function indexOf(lines: readonly (readonly string[])[]): Map<string, number[]> {
  const places = new Map<string, number[]>()
  for (const [i, words] of lines.entries()) {
    for (const word of words) {
      const known = places.get(word)
      if (known === undefined) places.set(word, [i])
      else if (known.at(-1) !== i) known.push(i)
    }
  }
  return places
}

function isSubsequence(words: readonly string[], line: readonly string[]): boolean {
  let at = 0
  for (const word of line) if (word === words[at]) at++
  return at === words.length
}

const isWord = (char: string | undefined) => char !== undefined && /[\p{L}\p{N}_]/u.test(char)

/** A path goes on at a slash, a dotted name at a dot, a number at a digit. */
function continuesBefore(chunk: string, before: string): boolean {
  const [far, near] = before.length === 2 ? [before[0], before[1]] : [undefined, before[0]]
  if (isWord(near)) return true
  // The roots of a diff's paths.
  if (near === '/' && (far === 'a' || far === 'b')) return false
  if (near === undefined || !isWord(far)) return chunk.includes('/') && near === '/'
  return joins(chunk, near)
}

function continuesAfter(chunk: string, after: string): boolean {
  const [near, far] = [after[0], after[1]]
  if (isWord(near)) return true
  return near !== undefined && isWord(far) && joins(chunk, near)
}

function joins(chunk: string, sign: string): boolean {
  if (chunk.includes('/')) return /[/.@-]/.test(sign)
  return /^\d/.test(chunk) ? /\./.test(sign) : /[.@]/.test(sign)
}

export const unescaped = (text: string): string =>
  text
    .replace(/\\u([0-9a-fA-F]{4})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    .replace(/\\([ntr"'/\\])/g, (_, char: string) => (/[ntr]/.test(char) ? '\n' : char))

/** The text of markup, entities read, and what its attributes say. */
function marked(text: string): string {
  let [read, said] = ['', '']
  const parser = new Parser({
    ontext: (piece) => (read += piece),
    onattribute: (_, value) => (said += `\n${value}`),
  })
  parser.end(text)
  return read + said
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
