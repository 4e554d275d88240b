import { createWordTrie, type WordTrie } from './word-trie.ts'

/**
 * What a word means in an order to a model, as bits: for instance verbs that drop something, and names of rules. The
 * same classes in every language, so that what is learned in one is known in others.
 */
export const CLASSES = [
  'drop',
  'rules',
  'earlier',
  'instead',
  'void',
  'model',
  'you',
  'user',
  'tell',
  'not',
  'covert',
  'send',
  'run',
  'change',
  'read',
  'secret',
  'tool',
  'press',
  'authority',
  'oblige',
  'obey',
  'task',
  'persona',
  'reader',
  'approve',
  'memory',
  'money',
  'answer',
  'attack',
  'example',
  'person',
  'condition',
] as const
export type WordClass = (typeof CLASSES)[number]

export const bitOf = (name: WordClass): number => (1 << CLASSES.indexOf(name)) >>> 0

/** Of one sentence's words. */
export interface WordClasses {
  /** For words in a to z. */
  readonly trie: WordTrie<WordEntry>
  /** Of any word in lower case, with its marks. */
  entryOf(word: string): WordEntry
  /** Of a run of Chinese characters and kana, which has no spaces. */
  ofRun(run: string): number
}

export interface Phrase {
  readonly bits: number
  readonly rest: readonly string[]
  /** The last word may go on. */
  readonly isOpen: boolean
}

export interface WordEntry {
  /** As `plainWord` gives it; empty if the word lists don't have it. */
  readonly word: string
  readonly bits: number
  /** 0 if it neither means something nor begins a phrase. */
  readonly any: number
  /** That begin with it. */
  readonly phrases: readonly Phrase[]
}

/** Reads its phrases when a text has the word: most are never asked for. */
class ListedWord implements WordEntry {
  readonly word: string
  readonly bits: number
  readonly any: number
  /** Its phrases as in the file: `;BITS WORD WORD*` for each. */
  readonly written: string
  #phrases: readonly Phrase[] | undefined

  constructor(word: string, bits: number, written: string) {
    this.word = word
    this.bits = bits
    this.written = written
    this.any = bits !== 0 || written !== '' ? 1 : 0
  }

  get phrases(): readonly Phrase[] {
    this.#phrases ??= this.written.split(';').slice(1).map(readPhrase)
    return this.#phrases
  }

  with(bits: number): ListedWord {
    return (this.bits | bits) === this.bits ? this : new ListedWord(this.word, this.bits | bits, this.written)
  }
}

function readPhrase(written: string): Phrase {
  const [bits = '', ...rest] = written.split(' ')
  const last = rest.at(-1) ?? ''
  const isOpen = last.endsWith('*')
  return {
    bits: Number.parseInt(bits, 36),
    rest: isOpen ? [...rest.slice(0, -1), last.slice(0, -1)] : rest,
    isOpen,
  }
}

/** Texts repeat their words. */
const MOST_KNOWN = 50_000
/** Of a word that no list has. */
const NONE = new ListedWord('', 0, '')
/** Of a number, an identifier or another thing that isn't a word. */
export const NO_WORD: WordEntry = new ListedWord('', 0, '')
const SIGNS = `=*'"~`
/** Greek to Georgian and Indic scripts, kana to Hangul and Arabic forms: nothing Latin. */
export const OTHER_SCRIPT = /[\u0370-\u1dff\u3040-\ufdff]/
export const UNSPACED = /^[\u3040-\u30ff\u3400-\u9fff\uff0c\u3001]/

/** What follows is the first sentence. */
export const GREETINGS = new Set(
  'dear hi hello hey liebe lieber hallo bonjour cher chère hola estimado olá prezado ciao gentile merhaba sayın'.split(
    ' ',
  ),
)
/** Words before the verb of an order. */
export const BEFORE = new Set(
  'please then now first next also and so just kindly always never do not bitte'.split(' '),
)

/**
 * Reads guard-words.txt (`test/train/word-lines.ts` writes it). A line is a sign, a spelling, its bits to the base of 36,
 * and what phrases it begins: `=` a word, `*` a stem, `'` and `"` the same by their spelling with marks, `~` a run. What
 * follows the empty line is in other scripts than Latin. Throws an Error if a line is of another kind.
 */
export function createWordClasses(lines: string): WordClasses {
  const words = new Map<string, ListedWord>()
  const stems = new Map<string, number>()
  /** Short words, by their spelling with marks. */
  const marked = new Map<string, number>()
  const markedStems = new Map<string, number>()
  const runs = new Map<string, { text: string; bits: number }[]>()
  let longestStem = 0

  const add = (from: number, to: number): void => {
    for (let start = from, end; start < to; start = end + 1) {
      end = lines.indexOf('\n', start)
      const space = lines.indexOf(' ', start)
      const sign = lines.charAt(start)
      if (space < 0 || space > end || !SIGNS.includes(sign))
        throw new Error(`"${lines.slice(start, end)}" isn't a line of the guard's words`)
      const spelling = lines.slice(start + 1, space)
      const bits = Number.parseInt(lines.slice(space + 1, end), 36)
      if (sign === '=') {
        const phrases = lines.indexOf(';', space)
        const written = phrases >= 0 && phrases < end ? lines.slice(phrases, end) : ''
        const known = words.get(spelling)
        words.set(
          spelling,
          new ListedWord(spelling, bits | (known?.bits ?? 0), (known?.written ?? '') + written),
        )
      } else if (sign === '*') stems.set(spelling, (stems.get(spelling) ?? 0) | bits)
      else if (sign === "'") marked.set(spelling, bits)
      else if (sign === '"') markedStems.set(spelling, bits)
      else {
        const sameFirst = runs.get(spelling.charAt(0)) ?? []
        runs.set(spelling.charAt(0), sameFirst)
        sameFirst.push({ text: spelling, bits })
      }
      if (sign === '*' || sign === '"') longestStem = Math.max(longestStem, spelling.length)
    }
  }
  const empty = lines.indexOf('\n\n')
  if (empty < 0) throw new Error("the guard's words lack the empty line after those in Latin letters")
  add(0, empty + 1)
  let isComplete = false
  /** At the first word in another script: most texts have none. */
  const addLater = (): void => {
    if (isComplete) return
    isComplete = true
    add(empty + 2, lines.length)
  }

  const entryWith = (word: string, stemBits: number): ListedWord => {
    const listed = words.get(word)
    if (listed) return listed.with(stemBits)
    return stemBits === 0 ? NONE : new ListedWord('', stemBits, '')
  }
  const stemBitsOf = (word: string, kept: ReadonlyMap<string, number>): number => {
    let bits = 0
    for (let length = Math.min(word.length, longestStem); length > 0 && kept.size > 0; length--)
      bits |= kept.get(word.slice(0, length)) ?? 0
    return bits
  }
  const known = new Map<string, WordEntry>()

  return {
    trie: createWordTrie(words.keys(), stems, entryWith),
    entryOf: (word) => {
      let entry = known.get(word)
      if (entry) return entry
      if (OTHER_SCRIPT.test(word)) addLater()
      const plain = plainWord(word)
      const spelling = word.normalize('NFC')
      entry = entryWith(plain, stemBitsOf(plain, stems)).with(
        (marked.get(spelling) ?? 0) | stemBitsOf(spelling, markedStems),
      )
      if (known.size >= MOST_KNOWN) known.clear()
      known.set(word, entry)
      return entry
    },
    ofRun: (run) => {
      addLater()
      let bits = 0
      for (let i = 0; i < run.length; i++)
        for (const entry of runs.get(run.charAt(i)) ?? [])
          if (run.startsWith(entry.text, i)) bits |= entry.bits
      return bits
    },
  }
}

/** Whether the words from `from` on, before `end`, are the rest of the phrase. `spelled` gives a word that no list has. */
export function goesOn(
  { rest, isOpen }: Phrase,
  words: readonly WordEntry[],
  from: number,
  end: number,
  spelled: (index: number) => string,
): boolean {
  return rest.every((part, index) => {
    const entry = from + index < end ? words[from + index] : undefined
    if (entry === undefined || entry === NO_WORD) return false
    if (entry.word === part) return true
    return isOpen && index === rest.length - 1 && spelled(from + index).startsWith(part)
  })
}

// oxlint-disable-next-line no-control-regex -- everything that is not ASCII
const NOT_ASCII = /[^\0-\x7f]/

/** In lower case, Latin and Cyrillic letters without their marks. */
export function plainWord(word: string): string {
  const lower = word.toLowerCase()
  if (!NOT_ASCII.test(lower)) return lower
  return lower
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replaceAll('đ', 'd')
    .replaceAll('ı', 'i')
}
