import {
  endOfLine,
  lineAt,
  MARKED,
  MARKED_STEM,
  numberOfSpelled,
  packWords,
  RUN,
  SEMICOLON,
  SMALL,
  stemBitsOf,
  stemLengthsOf,
  UNLISTED,
  wordTablesIn,
} from './word-tables.ts'

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
  /** By number: bits of word-tables.ts. */
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
/** Texts repeat their words. */
const MOST_KNOWN = 50_000
/** Greek to Georgian and Indic scripts, kana to Hangul and Arabic forms: nothing Latin. */
export const OTHER_SCRIPT = /[\u0370-\u1dff\u3040-\ufdff]/
export const UNSPACED = /^[\u3040-\u30ff\u3400-\u9fff\uff0c\u3001]/

/** Bytes of a word beyond which it isn't compared. */
const LONGEST = 512

/** Of guard-words.txt. */
export const createWordClasses = (lines: Buffer): WordClasses => wordClassesIn(packWords(lines))

/** `table` is from `packWords`. */
export function wordClassesIn(table: ArrayBufferLike): WordClasses {
  const tables = wordTablesIn(table)
  const { bytes, words, bits, traits, longestStem, otherLines, secondLines } = tables
  const textAt = (start: number, end: number): string => bytes.toString('utf8', start, end)
  /** Short words, by their spelling with marks. */
  const marked = new Map<string, number>()
  const markedStems = new Map<string, number>()
  const runs = new Map<number, { text: string; bits: number }[]>()
  const phrases = new Map<number, Phrases>()
  let hasOthers = false
  /** At the first word that isn't in letters from A to Z: most texts have none. */
  const addOthers = (): void => {
    if (hasOthers) return
    hasOthers = true
    for (const at of otherLines) {
      const { sign, start, end, bits: of } = lineAt(bytes, at)
      const spelling = textAt(start, end)
      if (sign === MARKED) marked.set(spelling, of)
      else if (sign === MARKED_STEM) markedStems.set(spelling, of)
      else if (sign === RUN) {
        const sameFirst = runs.get(spelling.charCodeAt(0)) ?? []
        runs.set(spelling.charCodeAt(0), sameFirst)
        sameFirst.push({ text: spelling, bits: of })
      }
    }
  }
  const markedStemBitsOf = (word: string): number => {
    let all = 0
    for (let length = Math.min(word.length, longestStem); length > 0 && markedStems.size > 0; length--)
      all |= markedStems.get(word.slice(0, length)) ?? 0
    return all
  }
  const spelled = Buffer.alloc(LONGEST)
  const numberOfWord = (word: string): number => numberOfSpelled(tables, spelled, spelled.write(word))
  const readPhrase = (text: string): Phrase => {
    const [of = '', ...rest] = text.split(' ')
    const last = rest.at(-1) ?? ''
    const open = last.endsWith('*') ? last.slice(0, -1) : undefined
    return {
      bits: Number.parseInt(of, 36) | 0,
      rest: rest.map((word, index) => {
        const number = numberOfWord(index === rest.length - 1 ? (open ?? word) : word)
        return number === UNLISTED ? 0 : number
      }),
      open,
    }
  }
  const phrasesAt = (semicolon: number): Phrase[] =>
    bytes[semicolon] === SEMICOLON
      ? textAt(semicolon + 1, endOfLine(bytes, semicolon))
          .split(';')
          .map(readPhrase)
      : []
  const readPhrases = (number: number): Phrases => {
    const all = phrasesAt(lineAt(bytes, words.startOf(number) - 1).after)
    for (let i = 0; i < secondLines.length; i += 2)
      if (secondLines[i] === number) all.push(...phrasesAt(secondLines[i + 1] ?? 0))
    return groupPhrases(all)
  }
  const known = new Map<string, WordEntry>()

  return {
    traits,
    numberOf: (hash, of, start, length) => words.find(hash, of, start, length, SMALL) || UNLISTED,
    bitsOf: (number, of, start, length) => {
      if (number !== UNLISTED) return bits[number] ?? 0
      const lengths = stemLengthsOf(tables, of, start, length)
      return lengths === 0 ? 0 : stemBitsOf(tables, of, start, length, SMALL, lengths)
    },
    phrasesOf: (number) => {
      let found = phrases.get(number)
      if (!found) phrases.set(number, (found = readPhrases(number)))
      return found
    },
    entryOf: (word) => {
      let entry = known.get(word)
      if (entry) return entry
      addOthers()
      const plain = plainWord(word)
      const spelling = word.normalize('NFC')
      const length = spelled.write(plain)
      const number = numberOfSpelled(tables, spelled, length)
      entry = {
        number,
        bits:
          (bits[number] ?? 0) |
          stemBitsOf(tables, spelled, 0, length, 0) |
          (marked.get(spelling) ?? 0) |
          markedStemBitsOf(spelling),
      }
      if (known.size >= MOST_KNOWN) known.clear()
      known.set(word, entry)
      return entry
    },
    ofRun: (run) => {
      addOthers()
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
