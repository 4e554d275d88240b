import { type Mark, markBit } from './marks.ts'
import { structureMarks } from './structure-marks.ts'
import {
  BEFORE,
  bitOf,
  goesOn,
  GREETINGS,
  NO_WORD,
  plainWord,
  type WordClass,
  type WordClasses,
  type WordEntry,
} from './word-classes.ts'
import { LETTERS } from './word-trie.ts'

export interface Sentence {
  readonly start: number
  readonly end: number
  /** Bits of word-classes.ts. */
  readonly classes: number
  readonly marks: number
  /** Which signs it holds (`SIGNS`), for closer-marks.ts. */
  readonly signs: number
}

const LETTER = 1
const DIGIT = 2
const UNSPACED = 3
const STOP = 4
const BREAK = 5
const KINDS = new Uint8Array(0x10000)
KINDS.fill(LETTER, 0xc0)
KINDS.fill(0, 0x2000, 0x2c00)
KINDS.fill(0, 0x2e00, 0x3040)
KINDS.fill(UNSPACED, 0x3040, 0x3100)
KINDS.fill(UNSPACED, 0x3400, 0xa000)
KINDS.fill(0, 0xd800, 0xf900)
KINDS.fill(0, 0xfe00, 0xfe70)
KINDS.fill(0, 0xff00, 0xffff)
for (let code = 0; code < 26; code++) KINDS[65 + code] = KINDS[97 + code] = LETTER
for (let code = 48; code < 58; code++) KINDS[code] = DIGIT
for (const stop of '.!?。！？؟।…') KINDS[stop.charCodeAt(0)] = STOP
for (const other of '،؛') KINDS[other.charCodeAt(0)] = 0
KINDS[10] = BREAK

const LOWER_CASE = 1
const UPPER_CASE = 2
const OTHER = 4
const NUMBER = 8
const LONGEST_WORD = 40
const JOINING = new Set([0x3001, 0xff0c, 0x3000])
export const AT = 1
export const SLASH = 2
export const UNDERSCORE = 4
const QUOTES = 8
const CLAUSE = 16
const BORDER = 32
const SIGNS = new Uint8Array(0x10000)
SIGNS[0x40] = AT
SIGNS[0x2f] = SLASH
SIGNS[0x5f] = UNDERSCORE
for (const sign of '"\'`“”‘’«»') SIGNS[sign.charCodeAt(0)] = QUOTES
for (const sign of ',:-(–—،、,') SIGNS[sign.charCodeAt(0)] = CLAUSE
for (const sign of '"\\<>|;') SIGNS[sign.charCodeAt(0)] = (SIGNS[sign.charCodeAt(0)] ?? 0) | BORDER
const LONGEST = 400
/** Of a path or an address: "and/or" and "read/write" are words. */
const PATH_SLASHES = 2
const SECRET = bitOf('secret')
/** Of a part of a path, `.ssh` or `credentials.json`. */
const SECRET_NAME: WordEntry = { word: '', bits: SECRET, any: 1, phrases: [] }
const SOFT_LINE = 60
const SPACE = /[\s"'”’)\]*_`]/
const LOWER = /^\s*\p{Ll}/u

/** In order, without those that hold no word of a class. Linear time. */
export function sentencesOf(text: string, classes: WordClasses): Sentence[] {
  const sentences: { -readonly [Key in keyof Sentence]: Sentence[Key] }[] = []
  const { root, next: nodes, ends, passes } = classes.trie
  // Kept from sentence to sentence, each with a count, and no function shares the counts: they stay in registers.
  const words: WordEntry[] = []
  let wordCount = 0
  /** Where each word begins and ends. */
  const places: number[] = []
  const clauses: number[] = []
  let clauseCount = 0
  /** Not 0 if any word may belong to a class. */
  let bits = 0
  let runs = 0
  let runOpening = 0
  let start = 0
  let lineAt = 0
  let isFenced = false
  let space = 0
  let signs = 0
  let shouts = 0
  let isForeign = false
  /** Of the run of characters without a space: its first word, and its slashes. */
  let runFirst = 0
  let slashes = 0

  let i = 0
  // Once more at the end, where the last sentence ends.
  while (i <= text.length) {
    /** Where the sentence ends. */
    let end = -1
    const isInFence = isFenced
    const code = text.charCodeAt(i)
    const kind = KINDS[code] ?? 0
    if (kind === LETTER || kind === DIGIT) {
      const from = i
      let letters = 0
      let node = root
      let last = root
      for (; i < text.length; i++) {
        const next = text.charCodeAt(i)
        if (next >= 97 && next <= 122) {
          letters |= LOWER_CASE
          node = nodes[node * LETTERS + next - 97] ?? 0
        } else if (next >= 65 && next <= 90) {
          letters |= UPPER_CASE
          node = nodes[node * LETTERS + next - 65] ?? 0
        } else {
          const of = KINDS[next] ?? 0
          if (of === LETTER) letters |= OTHER
          else if (of === DIGIT) letters |= NUMBER
          else break
        }
        if (node !== 0) last = node
      }
      // Numbers and what holds digits mean nothing here.
      let entry = NO_WORD
      // EMAIL_1 is a placeholder, no verb.
      const isNumbered = text.charCodeAt(i) === 0x5f && KINDS[text.charCodeAt(i + 1)] === DIGIT
      if ((letters & NUMBER) === 0 && !isNumbered && i - from <= LONGEST_WORD) {
        if ((letters & OTHER) !== 0) {
          isForeign = true
          entry = classes.entryOf(text.slice(from, i).toLowerCase())
        } else entry = (node === 0 ? passes[last] : ends[node]) ?? NO_WORD
        bits |= entry.any
      }
      if (letters === UPPER_CASE && i - from >= SHOUTED) shouts++
      places[wordCount * 2] = from
      places[wordCount * 2 + 1] = i
      words[wordCount++] = entry
      continue
    }
    if (kind === UNSPACED) {
      const from = i
      while (i < text.length && (KINDS[text.charCodeAt(i)] === UNSPACED || JOINING.has(text.charCodeAt(i))))
        i++
      const run = text.slice(from, i)
      if (wordCount === 0) runOpening = classes.ofRun(run.slice(0, RUN_OPENING))
      runs |= classes.ofRun(run)
      isForeign = true
      bits |= runs
      for (let word = 0; word < run.length; word += RUN_WORD) {
        places[wordCount * 2] = i
        places[wordCount * 2 + 1] = i
        words[wordCount++] = NO_WORD
      }
      continue
    }
    // What the parts of a path are called says nothing of an order, but for secrets.
    if (kind === BREAK || code === 32 || i === text.length) {
      if (slashes >= PATH_SLASHES)
        for (let word = runFirst; word < wordCount; word++) {
          const entry = words[word] ?? NO_WORD
          if (entry !== NO_WORD) words[word] = (entry.bits & SECRET) === 0 ? NO_WORD : SECRET_NAME
        }
      runFirst = wordCount
      slashes = 0
    }
    if (kind === BREAK) {
      // A line that was wrapped goes on.
      const isWrapped = i - lineAt >= SOFT_LINE && !isFenced && LOWER.test(text.slice(i + 1, i + 8))
      if (!isWrapped) end = i + 1
      lineAt = i + 1
      if (text.startsWith('```', i + 1) || text.startsWith('~~~', i + 1)) isFenced = !isFenced
    } else if (kind === STOP) {
      if (code > 0x7f || i + 1 === text.length || SPACE.test(text.charAt(i + 1))) end = i + 1
    } else if (i === text.length) end = i
    else if (code === 32) {
      space = i
      if (i - start >= LONGEST) end = i
    } else {
      const sign = SIGNS[code] ?? 0
      signs |= sign
      if ((sign & SLASH) !== 0) slashes++
      if ((sign & CLAUSE) !== 0) clauses[clauseCount++] = wordCount
      const isGreeting = code === 0x2c && wordCount <= OPENING && GREETINGS.has(words[0]?.word ?? '')
      // The letter of an escape isn't part of the next word.
      if (code === 0x5c && text.charCodeAt(i + 1) === 0x6e) end = ++i + 1
      else if (isGreeting || ((sign & BORDER) !== 0 && isBorder(code, text.charCodeAt(i + 1)))) end = i + 1
      else if (i - start >= LONGEST) end = space > start ? space : i
    }
    i++
    if (end === -1) continue
    // Most pieces of structured text say nothing.
    if (bits !== 0) {
      const reading = {
        words,
        wordCount,
        places,
        clauses,
        clauseCount,
        runs,
        runOpening,
        isFenced: isInFence,
        signs,
        shouts,
        isForeign,
      }
      const sentence = read(text, start, end, reading)
      if (sentence) sentences.push(sentence)
    }
    wordCount = clauseCount = bits = runs = runOpening = space = signs = shouts = runFirst = slashes = 0
    isForeign = false
    start = end
  }
  return withStructure(sentences, text)
}

/** From a mark to the sentence that it introduces. */
const REACH = 12

/** A mark belongs to the sentences that it touches. */
function withStructure(
  sentences: { -readonly [Key in keyof Sentence]: Sentence[Key] }[],
  text: string,
): Sentence[] {
  for (const { mark, start, end } of structureMarks(text)) {
    let index = firstAfter(sentences, start - 2)
    for (; (sentences[index]?.start ?? Infinity) <= end + REACH; index++) {
      const sentence = sentences[index]
      if (sentence) sentence.marks = (sentence.marks | markBit(mark)) >>> 0
    }
  }
  return sentences
}

/** The first sentence that ends at this place or later. */
function firstAfter(sentences: readonly Sentence[], place: number): number {
  let low = 0
  let high = sentences.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sentences[middle]?.end ?? 0) < place) low = middle + 1
    else high = middle
  }
  return low
}

/** Between the strings, keys and tags of structured text, the cells of a row, and lines written as an escape. */
function isBorder(code: number, next: number): boolean {
  if (code === 0x22) return next === 0x2c || next === 0x3a || next === 0x7d || next === 0x5d
  if (code === 0x5c) return false
  if (code === 0x3c)
    return (
      (next >= 97 && next <= 122) ||
      (next >= 65 && next <= 90) ||
      next === 0x2f ||
      next === 0x21 ||
      next === 0x7c
    )
  return true
}

interface Reading {
  /** The first `wordCount` are of the sentence. */
  readonly words: readonly WordEntry[]
  readonly wordCount: number
  readonly places: readonly number[]
  /** Where clauses begin, as indices of words. */
  readonly clauses: readonly number[]
  readonly clauseCount: number
  readonly runs: number
  readonly runOpening: number
  readonly isFenced: boolean
  readonly signs: number
  readonly shouts: number
  readonly isForeign: boolean
}

const VERB = ['drop', 'send', 'run', 'change', 'read', 'obey', 'tell', 'answer', 'memory', 'persona']
  .map((name) => bitOf(name as WordClass))
  .reduce((bits, bit) => bits | bit)
const OPENING = 3
/** Characters of a Chinese or Japanese word, and of a verb and what leads to it. */
const RUN_WORD = 2
const RUN_OPENING = 6
/** Letters of a word in capitals that is no abbreviation. */
const SHOUTED = 4
const FEW = 5
const MANY = 35

function read(text: string, start: number, end: number, reading: Reading): Sentence | undefined {
  const { words, wordCount, places, clauses, clauseCount, runs, runOpening, isFenced, signs, shouts } =
    reading
  let all = runs
  let opening = runOpening
  let first = 0
  let isInner = false
  const spelled = (index: number): string => plainWord(text.slice(places[index * 2], places[index * 2 + 1]))
  let clause = 0
  for (let i = 0; i < wordCount; i++) {
    const entry = words[i] ?? NO_WORD
    let { bits } = entry
    for (const phrase of entry.phrases)
      if (goesOn(phrase, words, i + 1, wordCount, spelled)) bits |= phrase.bits
    all |= bits
    while (clause < clauseCount && (clauses[clause] ?? 0) < i) clause++
    if ((bits & VERB) !== 0 && clause < clauseCount && clauses[clause] === i) isInner = true
    if (i !== first) continue
    if (first < OPENING && BEFORE.has(entry.word)) first++
    else if (entry !== NO_WORD) opening = bits
  }
  if (all === 0) return undefined
  let from = start
  while (from < end && text.charCodeAt(from) <= 32) from++
  let to = end
  while (to > from && text.charCodeAt(to - 1) <= 32) to--
  const head = text.charCodeAt(from)
  const last = text.charAt(to - 1)
  let marks = 0
  const mark = (name: Mark, holds: boolean): void => {
    if (holds) marks |= markBit(name)
  }
  mark('imperative', (opening & VERB) !== 0)
  mark('inner', isInner)
  mark('question', last === '?' || last === '？')
  mark('fenced', isFenced)
  mark('heading', head === 0x23 && /^#{1,6} /.test(text.slice(from, from + 7)))
  mark(
    'item',
    (head === 0x2d || head === 0x2a || head === 0x2b || head === 0x2022) && text.charCodeAt(from + 1) === 32,
  )
  mark('cell', last === '|')
  mark('code', last === '{' || last === '}' || last === ';' || last === '(' || last === ')')
  mark('short', wordCount < FEW)
  mark('long', wordCount > MANY)
  mark('shout', shouts > 1)
  mark('label', last === ':')
  mark('foreign', reading.isForeign)
  return { start: from, end, classes: all >>> 0, marks: marks >>> 0, signs }
}
