import { isRecord } from '../../../../shared/is-record.ts'
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

/** Texts repeat their words. */
const MOST_KNOWN = 50_000
const IS_PLAIN = /^[a-z]+$/
/** Of a word that no list has. */
const NONE: WordEntry = { word: '', bits: 0, any: 0, phrases: [] }
/** Of a number, an identifier or another thing that isn't a word. */
export const NO_WORD: WordEntry = { ...NONE }
/** Greek to Georgian and Indic scripts, kana to Hangul and Arabic forms: nothing Latin. */
const OTHER_SCRIPT = /[\u0370-\u1dff\u3040-\ufdff]/
const UNSPACED = /^[\u3040-\u30ff\u3400-\u9fff\uff0c\u3001]/

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

/** Word lists by class and language: `stem*` means all words that begin so. */
export function createWordClasses(lists: unknown): WordClasses {
  const words = new Map<string, { bits: number; phrases: Phrase[] }>()
  const stems = new Map<string, number>()
  /** Short words, by their spelling with marks. */
  const marked = new Map<string, number>()
  const markedStems = new Map<string, number>()
  const runs = new Map<string, { text: string; bits: number }[]>()
  const named = new Set<string>([...GREETINGS, ...BEFORE])
  let longestStem = 0

  const add = (entry: string, bits: number): void => {
    if (UNSPACED.test(entry)) {
      const sameFirst = runs.get(entry.charAt(0)) ?? []
      runs.set(entry.charAt(0), sameFirst)
      sameFirst.push({ text: entry, bits })
      return
    }
    const isOpen = entry.endsWith('*')
    const spelling = (isOpen ? entry.slice(0, -1) : entry).toLowerCase().normalize('NFC')
    const isPlain = IS_PLAIN.test(spelling)
    if (!isPlain && needsMarks(spelling)) {
      const kept = isOpen ? markedStems : marked
      kept.set(spelling, (kept.get(spelling) ?? 0) | bits)
      longestStem = Math.max(longestStem, isOpen ? spelling.length : 0)
      return
    }
    const [first = '', ...rest] = isPlain ? [spelling] : wordsIn(spelling)
    if (isOpen && rest.length === 0) {
      stems.set(first, (stems.get(first) ?? 0) | bits)
      longestStem = Math.max(longestStem, first.length)
      return
    }
    const known = words.get(first) ?? { bits: 0, phrases: [] }
    words.set(first, known)
    if (rest.length === 0) known.bits |= bits
    else known.phrases.push({ bits, rest, isOpen })
    for (const word of [first, ...rest]) named.add(word)
  }
  /** Entries in other scripts, added at the first word in one: most texts have none. */
  const later: { entry: string; bits: number }[] = []
  const addLater = (): void => {
    for (const { entry, bits } of later.splice(0)) add(entry, bits)
  }
  for (const name of CLASSES) {
    const byLanguage = isRecord(lists) ? lists[name] : undefined
    if (!isRecord(byLanguage)) throw new Error(`The guard's word lists have none for "${name}".`)
    for (const list of Object.values(byLanguage))
      for (const entry of list as string[])
        if (OTHER_SCRIPT.test(entry.charAt(0))) later.push({ entry, bits: bitOf(name) })
        else add(entry, bitOf(name))
  }

  const entryWith = (word: string, stemBits: number): WordEntry => {
    const exact = words.get(word)
    const bits = stemBits | (exact?.bits ?? 0)
    const name = named.has(word) ? word : ''
    if (bits === 0 && !exact) return name === '' ? NONE : { ...NONE, word: name }
    return { word: name, bits, any: 1, phrases: exact?.phrases ?? [] }
  }
  const stemBitsOf = (word: string, kept: ReadonlyMap<string, number>): number => {
    let bits = 0
    for (let length = Math.min(word.length, longestStem); length > 0 && kept.size > 0; length--)
      bits |= kept.get(word.slice(0, length)) ?? 0
    return bits
  }
  const withMarked = (entry: WordEntry, word: string): WordEntry => {
    const bits = (marked.get(word) ?? 0) | stemBitsOf(word, markedStems)
    return bits === 0 ? entry : { ...entry, bits: entry.bits | bits, any: 1 }
  }
  const known = new Map<string, WordEntry>()

  return {
    trie: createWordTrie(named, stems, entryWith),
    entryOf: (word) => {
      let entry = known.get(word)
      if (entry) return entry
      if (later.length > 0 && OTHER_SCRIPT.test(word)) addLater()
      const plain = plainWord(word)
      entry = withMarked(entryWith(plain, stemBitsOf(plain, stems)), word.normalize('NFC'))
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

/** Characters. */
const SHORT_WORD = 6
const LATIN_WORD = /^[a-z\u00c0-\u024f\u1e00-\u1eff]+$/

/** Whether a word is too short to be known without its marks: thêm isn't "them", cần isn't "can". */
const needsMarks = (word: string): boolean =>
  word.length <= SHORT_WORD && LATIN_WORD.test(word) && plainWord(word) !== word

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

const wordsIn = (entry: string): string[] =>
  plainWord(entry)
    .split(/[\s_'’.:()/-]+/)
    .filter(Boolean)
