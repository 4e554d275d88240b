import { HASH_START, hashOn, WordTable } from './word-table.ts'

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

/** Of one sentence's words. A word is known by its number. */
export interface WordClasses {
  /** By number: bits of `IS_BEFORE`, `IS_GREETING` and `HAS_PHRASES`. */
  readonly traits: Uint8Array
  /** Of a word in letters from A to Z, by `hashOn` of its small letters. */
  numberOf(hash: number, codes: Uint16Array, start: number, length: number): number
  /** What such a word means. */
  bitsOf(number: number, codes: Uint16Array, start: number, length: number): number
  phrasesOf(number: number): Phrases
  /** Of any word in lower case, with its marks. */
  entryOf(word: string): WordEntry
  /** Of a run of Chinese characters and kana, which has no spaces. */
  ofRun(run: string): number
}

interface WordEntry {
  readonly number: number
  readonly bits: number
}

/** Those that a word begins: some words begin a hundred. */
interface Phrases {
  /** By the number of the next word. */
  readonly byNext: ReadonlyMap<number, readonly Phrase[]>
  /** The next word may be any that begins as theirs. */
  readonly open: readonly Phrase[]
}

export interface Phrase {
  readonly bits: number
  /** Numbers of the words that follow; 0 is none. */
  readonly rest: readonly number[]
  /** How the last word begins, if it may go on. */
  readonly open: string | undefined
}

/** Of a number, an identifier or another thing that isn't a word. */
export const NO_WORD = 0
/** Of a word that no list has. */
export const UNLISTED = 1

export const IS_BEFORE = 1
export const IS_GREETING = 2
export const HAS_PHRASES = 4
/** Its bits are those of the stems, too. */
const IS_COMPLETE = 8

/** Texts repeat their words. */
const MOST_KNOWN = 50_000
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

const SPACE = 0x20
const LINE_FEED = 0x0a
const SEMICOLON = 0x3b
const WORD = 0x3d
const STEM = 0x2a
const MARKED = 0x27
const MARKED_STEM = 0x22
const RUN = 0x7e
/** Bytes of a word beyond which it isn't compared. */
const LONGEST = 512
const SMALL = 32

/** The first three letters of a stem. */
const beginning = (codes: ArrayLike<number>, start: number): number =>
  (((codes[start] ?? 0) & 31) << 10) | (((codes[start + 1] ?? 0) & 31) << 5) | ((codes[start + 2] ?? 0) & 31)
const BEGINNING = 3

/**
 * Reads guard-words.txt (`test/train/word-lines.ts` writes it). A line is a sign, a spelling, its bits to the base of 36,
 * and what phrases it begins: `=` a word, `*` a stem, `'` and `"` the same by their spelling with marks, `~` a run. What
 * follows the empty line is in other scripts than Latin. Keeps the bytes, which are UTF-8: spellings and phrases are read in
 * them. Throws an Error if a line is of another kind.
 */
export function createWordClasses(bytes: Buffer): WordClasses {
  const textAt = (start: number, end: number): string => bytes.toString('utf8', start, end)
  const endOfLine = (at: number): number => bytes.indexOf(LINE_FEED, at)
  const counts = countSigns(bytes)
  const words = new WordTable(bytes, counts.words, UNLISTED + 1)
  const stems = new WordTable(bytes, counts.stems, 1)
  const bits = new Int32Array(counts.words + UNLISTED + 1)
  const traits = new Uint8Array(bits.length)
  const stemBits = new Int32Array(counts.stems + 1)
  /** Which letters stems begin with. */
  const beginnings = new Uint8Array(1 << 15)
  /** Where the phrases of a word's second line begin. */
  const written = new Map<number, number>()
  const phrases = new Map<number, Phrases>()
  /** Short words, by their spelling with marks. */
  const marked = new Map<string, number>()
  const markedStems = new Map<string, number>()
  const runs = new Map<number, { text: string; bits: number }[]>()
  let longestStem = 0

  const addWord = (hash: number, start: number, length: number, of: number, after: number): void => {
    const number = words.add(hash, start, length)
    bits[number] = (bits[number] ?? 0) | of
    if (bytes[after] !== SEMICOLON) return
    traits[number] = (traits[number] ?? 0) | HAS_PHRASES
    if (words.endOf(number) !== start + length) written.set(number, after)
  }
  const addStem = (hash: number, start: number, length: number, of: number): void => {
    const number = stems.add(hash, start, length)
    stemBits[number] = (stemBits[number] ?? 0) | of
    if ((bytes[start] ?? 0) >= 0x80) return
    if (length >= BEGINNING) beginnings[beginning(bytes, start)] = 1
    else beginnings.fill(1)
  }
  const add = (from: number, to: number): void => {
    for (let start = from; start < to;) {
      let space = start + 1
      let hash = HASH_START
      for (let code = bytes[space] ?? 0; code !== SPACE && code !== LINE_FEED && space < to;) {
        hash = hashOn(hash, code)
        code = bytes[++space] ?? 0
      }
      let at = space + 1
      let of = 0
      for (; isBase36(bytes[at] ?? 0); at++) of = of * 36 + digitOf(bytes[at] ?? 0)
      const end = bytes[at] === LINE_FEED ? at : endOfLine(space)
      const sign = bytes[start]
      const length = space - start - 1
      if (bytes[space] !== SPACE) throw notALine(start, endOfLine(start))
      if (sign === WORD) addWord(hash, start + 1, length, of | 0, at)
      else if (sign === STEM) addStem(hash, start + 1, length, of | 0)
      else {
        const spelling = textAt(start + 1, space)
        if (sign === MARKED) marked.set(spelling, of | 0)
        else if (sign === MARKED_STEM) markedStems.set(spelling, of | 0)
        else if (sign === RUN) {
          const sameFirst = runs.get(spelling.charCodeAt(0)) ?? []
          runs.set(spelling.charCodeAt(0), sameFirst)
          sameFirst.push({ text: spelling, bits: of | 0 })
        } else throw notALine(start, end)
      }
      if (sign === STEM || sign === MARKED_STEM) longestStem = Math.max(longestStem, length)
      start = end + 1
    }
  }
  const notALine = (start: number, end: number): Error =>
    new Error(`"${textAt(start, end)}" isn't a line of the guard's words`)
  const empty = bytes.indexOf('\n\n')
  if (empty < 0) throw new Error("the guard's words lack the empty line after those in Latin letters")
  add(0, empty + 1)
  let isComplete = false
  /** At the first word in another script: most texts have none. */
  const addLater = (): void => {
    if (isComplete) return
    isComplete = true
    add(empty + 2, bytes.length)
  }

  const stemBitsOf = (of: Uint16Array | Uint8Array, start: number, length: number, fold: number): number => {
    let all = 0
    let hash = HASH_START
    const most = Math.min(length, longestStem)
    for (let i = 0; i < most; i++) {
      hash = hashOn(hash, (of[start + i] ?? 0) | fold)
      all |= stemBits[stems.find(hash, of, start, i + 1, fold)] ?? 0
    }
    return all
  }
  const markedStemBitsOf = (word: string): number => {
    let all = 0
    for (let length = Math.min(word.length, longestStem); length > 0 && markedStems.size > 0; length--)
      all |= markedStems.get(word.slice(0, length)) ?? 0
    return all
  }
  const spelled = Buffer.alloc(LONGEST)
  let spelledLength = 0
  /** As it is, without its stems. */
  const numberOfSpelled = (word: string): number => {
    let hash = HASH_START
    spelledLength = spelled.write(word)
    for (let i = 0; i < spelledLength; i++) hash = hashOn(hash, spelled[i] ?? 0)
    return words.find(hash, spelled, 0, spelledLength, 0) || UNLISTED
  }
  const phrasesAt = (semicolon: number): Phrase[] =>
    bytes[semicolon] === SEMICOLON
      ? textAt(semicolon + 1, endOfLine(semicolon))
          .split(';')
          .map(readPhrase)
      : []
  const readPhrases = (number: number): Phrases => {
    let at = words.endOf(number) + 1
    while (isBase36(bytes[at] ?? 0)) at++
    const second = written.get(number)
    return groupPhrases([...phrasesAt(at), ...(second === undefined ? [] : phrasesAt(second))])
  }
  for (const [group, trait] of [
    [BEFORE, IS_BEFORE],
    [GREETINGS, IS_GREETING],
  ] as const)
    for (const word of group) {
      const number = numberOfSpelled(word)
      if (number !== UNLISTED) traits[number] = (traits[number] ?? 0) | trait
    }
  const readPhrase = (text: string): Phrase => {
    const [of = '', ...rest] = text.split(' ')
    const last = rest.at(-1) ?? ''
    const open = last.endsWith('*') ? last.slice(0, -1) : undefined
    return {
      bits: Number.parseInt(of, 36) | 0,
      rest: rest.map((word, index) => {
        const number = numberOfSpelled(index === rest.length - 1 ? (open ?? word) : word)
        return number === UNLISTED ? 0 : number
      }),
      open,
    }
  }
  const known = new Map<string, WordEntry>()

  return {
    traits,
    numberOf: (hash, of, start, length) => words.find(hash, of, start, length, SMALL) || UNLISTED,
    bitsOf: (number, of, start, length) => {
      if (((traits[number] ?? 0) & IS_COMPLETE) !== 0) return bits[number] ?? 0
      const mayBeStem = length < BEGINNING || beginnings[beginning(of, start)] === 1
      const stem = mayBeStem ? stemBitsOf(of, start, length, SMALL) : 0
      if (number === UNLISTED) return stem
      traits[number] = (traits[number] ?? 0) | IS_COMPLETE
      return (bits[number] = (bits[number] ?? 0) | stem)
    },
    phrasesOf: (number) => {
      let found = phrases.get(number)
      if (!found) phrases.set(number, (found = readPhrases(number)))
      return found
    },
    entryOf: (word) => {
      let entry = known.get(word)
      if (entry) return entry
      if (OTHER_SCRIPT.test(word)) addLater()
      const plain = plainWord(word)
      const spelling = word.normalize('NFC')
      const number = numberOfSpelled(plain)
      entry = {
        number,
        bits:
          (bits[number] ?? 0) |
          stemBitsOf(spelled, 0, spelledLength, 0) |
          (marked.get(spelling) ?? 0) |
          markedStemBitsOf(spelling),
      }
      if (known.size >= MOST_KNOWN) known.clear()
      known.set(word, entry)
      return entry
    },
    ofRun: (run) => {
      addLater()
      let all = 0
      for (let i = 0; i < run.length; i++)
        for (const entry of runs.get(run.charCodeAt(i)) ?? [])
          if (run.startsWith(entry.text, i)) all |= entry.bits
      return all
    },
  }
}

function groupPhrases(list: readonly Phrase[]): Phrases {
  const byNext = new Map<number, Phrase[]>()
  for (const phrase of list) {
    const [next = 0] = phrase.rest
    const sameNext = byNext.get(next) ?? []
    byNext.set(next, sameNext)
    sameNext.push(phrase)
  }
  return { byNext, open: list.filter(({ rest, open }) => rest.length === 1 && open !== undefined) }
}

const isBase36 = (code: number): boolean => (code >= 48 && code <= 57) || (code >= 97 && code <= 122)
const digitOf = (code: number): number => (code <= 57 ? code - 48 : code - 87)

function countSigns(bytes: Uint8Array): { words: number; stems: number } {
  let words = 0
  let stems = 0
  for (let start = 0; start < bytes.length;) {
    if (bytes[start] === WORD) words++
    else if (bytes[start] === STEM) stems++
    const end = bytes.indexOf(LINE_FEED, start)
    start = end < 0 ? bytes.length : end + 1
  }
  return { words, stems }
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
