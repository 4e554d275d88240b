import { codesOf } from '../text-codes.ts'
import { markBit } from './marks.ts'
import { addStructureMarks } from './add-structure-marks.ts'
import {
  BORDER,
  BREAK,
  CAPITAL,
  CLAUSE,
  CLOSING,
  COMMAND,
  COMMANDS,
  DIGIT,
  endsCall,
  IN_WORD,
  KINDS,
  OTHER,
  SIGNS,
  SLASH,
  STOP,
  UNSPACED,
} from './sentence-signs.ts'
import { bitOf, NO_WORD, plainWord, type Phrase, type WordClass, type WordClasses } from './word-classes.ts'
import { HAS_PHRASES, IS_BEFORE, IS_GREETING, UNLISTED } from './word-tables.ts'
import { HASH_START, hashOn } from './word-table.ts'

export interface Sentence {
  readonly start: number
  readonly end: number
  /** Bits of word-classes.ts. */
  readonly classes: number
  marks: number
  /** Which signs it holds (`SIGNS`), for closer-marks.ts. */
  readonly signs: number
}

const LONGEST_WORD = 40
const JOINING = new Set([0x3001, 0xff0c, 0x3000])
const LONGEST = 400
/** Of a path or an address: "and/or" and "read/write" are words. */
const PATH_SLASHES = 2
/** Of a part of a path, `.ssh` or `credentials.json`. */
const SECRET = bitOf('secret')
const SOFT_LINE = 60
const SPACE = 32
const LOWER = /^\s*\p{Ll}/u

/** The words of the sentence, one after the other: its number, its bits, start, end, and 1 if a clause begins there. */
let words = new Int32Array(5 * 512)
const WORD_SIZE = 5

/** In order, without those that hold no word of a class. Linear time. */
export function sentencesOf(text: string, classes: WordClasses): Sentence[] {
  const sentences = cutSentences(text, classes)
  addStructureMarks(sentences, text)
  return sentences
}

/** The way along the sentences of a text that is nearly the same. */
interface Trail {
  /** Where the next sentence begins, and how far that is from the line's beginning. */
  readonly place: number
  readonly sinceLine: number
  readonly isFenced: boolean
  /** A sentence ends at `place`. Adds those that follow in both texts. */
  reach(place: number, sentences: Sentence[], sinceLine: number, isFenced: boolean): void
}

/** Without the marks of the text's structure. `trail` may know the next sentences from a text that is nearly the same. */
export function cutSentences(text: string, classes: WordClasses, trail?: Trail): Sentence[] {
  const codes = codesOf(text)
  const { length } = text
  const { traits } = classes
  const sentences: Sentence[] = []
  const reading: Reading = {
    text,
    codes,
    classes,
    wordCount: 0,
    runs: 0,
    runOpening: 0,
    isFenced: false,
    signs: 0,
    shouts: 0,
    isForeign: false,
  }
  // No function shares the counts: they stay in registers.
  let wordCount = 0
  /** The next word that begins a clause. */
  let clause = -1
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
  // Includes `length`, where the last sentence ends.
  while (i <= length) {
    /** Where the sentence ends. */
    let end = -1
    const isInFence = isFenced
    const code = codes[i] ?? 0
    const kind = KINDS[code] ?? 0
    if ((kind & IN_WORD) !== 0) {
      const from = i
      let letters = 0
      let hash = HASH_START
      // The text ends with a 0.
      for (let next = code, of = kind; (of & IN_WORD) !== 0; of = KINDS[next] ?? 0) {
        letters |= of
        hash = hashOn(hash, next | 32)
        next = codes[++i] ?? 0
      }
      // Numbers and what holds digits mean nothing here.
      let number = NO_WORD
      let of = 0
      // EMAIL_1 is a placeholder, no verb.
      const isNumbered = codes[i] === 0x5f && KINDS[codes[i + 1] ?? 0] === DIGIT
      if ((letters & DIGIT) === 0 && !isNumbered && i - from <= LONGEST_WORD) {
        if ((letters & OTHER) !== 0) {
          isForeign = true
          signs |= COMMAND
          const entry = classes.entryOf(text.slice(from, i).toLowerCase())
          number = entry.number
          of = entry.bits
        } else {
          signs |= COMMANDS[hash >>> 22] ?? 0
          number = classes.numberOf(hash, codes, from, i - from)
          of = classes.bitsOf(number, codes, from, i - from)
        }
        bits |= of | ((traits[number] ?? 0) & HAS_PHRASES)
      } else if ((letters & OTHER) !== 0) signs |= COMMAND
      if (letters === CAPITAL && i - from >= SHOUTED) shouts++
      const at = wordCount * WORD_SIZE
      if (at === words.length) words = longer(words)
      words[at] = number
      words[at + 1] = of
      words[at + 2] = from
      words[at + 3] = i
      words[at + 4] = clause === wordCount ? 1 : 0
      wordCount++
      continue
    }
    if (kind === UNSPACED) {
      const from = i
      while (i < length && (KINDS[codes[i] ?? 0] === UNSPACED || JOINING.has(codes[i] ?? 0))) i++
      const run = text.slice(from, i)
      if (wordCount === 0) runOpening = classes.ofRun(run.slice(0, RUN_OPENING))
      runs |= classes.ofRun(run)
      isForeign = true
      bits |= runs
      for (let word = 0; word < run.length; word += RUN_WORD) {
        const at = wordCount * WORD_SIZE
        if (at === words.length) words = longer(words)
        words[at] = NO_WORD
        words[at + 1] = 0
        words[at + 2] = words[at + 3] = i
        words[at + 4] = 0
        wordCount++
      }
      continue
    }
    // What the parts of a path are called says nothing of an order, but for secrets.
    if (kind === BREAK || code === SPACE || i === length) {
      if (slashes >= PATH_SLASHES) forgetNames(runFirst, wordCount)
      runFirst = wordCount
      slashes = 0
    }
    if (code === SPACE) {
      space = i
      if (i - start >= LONGEST) end = i
    } else if (kind === BREAK) {
      // A wrapped line doesn't end the sentence.
      const isWrapped = i - lineAt >= SOFT_LINE && !isFenced && LOWER.test(text.slice(i + 1, i + 8))
      if (!isWrapped) end = i + 1
      lineAt = i + 1
      if (isFence(codes, i + 1)) isFenced = !isFenced
    } else if (kind === STOP) {
      if (code > 0x7f || i + 1 === length || CLOSING[codes[i + 1] ?? 0] === 1) end = i + 1
    } else if (i === length) end = i
    else {
      const sign = SIGNS[code] ?? 0
      signs |= sign
      if ((sign & SLASH) !== 0) slashes++
      if ((sign & CLAUSE) !== 0) clause = wordCount
      const isShort = code === 0x2c && wordCount > 0 && wordCount <= OPENING
      const isGreeting = isShort && ((traits[words[0] ?? 0] ?? 0) & IS_GREETING) !== 0
      // The letter of an escape isn't part of the next word.
      if (code === 0x5c && codes[i + 1] === 0x6e) end = ++i + 1
      else if (isGreeting || ((sign & BORDER) !== 0 && isBorder(code, codes[i + 1] ?? 0))) end = i + 1
      else if (i - start >= LONGEST) end = space > start ? space : i
    }
    i++
    if (end === -1) continue
    // Most pieces of structured text say nothing.
    if (bits !== 0) {
      reading.wordCount = wordCount
      reading.runs = runs
      reading.runOpening = runOpening
      reading.isFenced = isInFence
      reading.signs = signs
      reading.shouts = shouts
      reading.isForeign = isForeign
      const sentence = read(start, end, reading)
      if (sentence) sentences.push(sentence)
    }
    wordCount = bits = runs = runOpening = space = signs = shouts = runFirst = slashes = 0
    clause = -1
    isForeign = false
    start = end
    if (trail === undefined || start !== i) continue
    trail.reach(i, sentences, i - lineAt, isFenced)
    if (trail.place === i) continue
    i = start = trail.place
    lineAt = i - trail.sinceLine
    isFenced = trail.isFenced
  }
  return sentences
}

function longer(list: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(list.length * 2)
  copy.set(list)
  return copy
}

function forgetNames(from: number, to: number): void {
  for (let at = from * WORD_SIZE; at < to * WORD_SIZE; at += WORD_SIZE) {
    if (words[at] === NO_WORD) continue
    const isSecret = ((words[at + 1] ?? 0) & SECRET) !== 0
    words[at] = isSecret ? UNLISTED : NO_WORD
    words[at + 1] = isSecret ? SECRET : 0
  }
}

/** ``` or ~~~. */
function isFence(codes: Uint16Array, at: number): boolean {
  const code = codes[at]
  return (code === 0x60 || code === 0x7e) && codes[at + 1] === code && codes[at + 2] === code
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
  readonly text: string
  readonly codes: Uint16Array
  readonly classes: WordClasses
  /** The first of `words` are of the sentence. */
  wordCount: number
  runs: number
  runOpening: number
  isFenced: boolean
  signs: number
  shouts: number
  isForeign: boolean
}

const VERB = ['drop', 'send', 'run', 'change', 'read', 'obey', 'tell', 'answer', 'memory', 'persona']
  .map((name) => bitOf(name as WordClass))
  .reduce((bits, bit) => bits | bit)
const OPENING = 3
/** Characters of a Chinese or Japanese word, and of a verb and what leads to it. */
const RUN_WORD = 2
const RUN_OPENING = 6
/** Letters of a word in capitals that isn't an abbreviation. */
const SHOUTED = 4
const FEW = 5
const MANY = 35
const IMPERATIVE = markBit('imperative')
const INNER = markBit('inner')
const QUESTION = markBit('question')
const FENCED = markBit('fenced')
const HEADING = markBit('heading')
const ITEM = markBit('item')
const CELL = markBit('cell')
const CODE = markBit('code')
const SHORT = markBit('short')
const LONG = markBit('long')
const SHOUT = markBit('shout')
const LABEL = markBit('label')
const FOREIGN = markBit('foreign')
const CALLED = markBit('called')
const MODEL = bitOf('model')
/** Words of which a model's name that is called may be the last. */
const CALL = 5

function read(start: number, end: number, reading: Reading): Sentence | undefined {
  const { codes, classes, wordCount, runs, runOpening } = reading
  const { traits } = classes
  let all = runs
  let opening = runOpening
  let first = 0
  let marks = 0
  let isCalled = false
  for (let i = 0, at = 0; i < wordCount; i++, at += WORD_SIZE) {
    const number = words[at] ?? NO_WORD
    const trait = traits[number] ?? 0
    let bits = words[at + 1] ?? 0
    if ((trait & HAS_PHRASES) !== 0 && i + 1 < wordCount) {
      const { byNext, open } = classes.phrasesOf(number)
      const list = byNext.get(words[at + WORD_SIZE] ?? NO_WORD)
      if (list) bits |= bitsOfPhrases(list, i + 1, wordCount, reading.text)
      if (open.length > 0) bits |= bitsOfPhrases(open, i + 1, wordCount, reading.text)
    }
    all |= bits
    if ((bits & MODEL) !== 0 && i < CALL && !isCalled) isCalled = endsCall(codes, words[at + 3] ?? 0)
    if ((bits & VERB) !== 0 && words[at + 4] === 1) marks |= INNER
    if (i !== first) continue
    if (first < OPENING && (trait & IS_BEFORE) !== 0) first++
    else if (number !== NO_WORD) opening = bits
  }
  if (all === 0) return undefined
  let from = start
  while (from < end && (codes[from] ?? 0) <= SPACE) from++
  let to = end
  while (to > from && (codes[to - 1] ?? 0) <= SPACE) to--
  const head = codes[from] ?? 0
  const last = to > 0 ? (codes[to - 1] ?? 0) : 0
  if ((opening & VERB) !== 0) marks |= IMPERATIVE
  if (reading.isFenced) marks |= FENCED
  if (head === 0x23 && isHeading(codes, from)) marks |= HEADING
  if ((head === 0x2d || head === 0x2a || head === 0x2b || head === 0x2022) && codes[from + 1] === SPACE)
    marks |= ITEM
  marks |= LAST[last < 0x80 ? last : 0] ?? 0
  if (last === 0xff1f) marks |= QUESTION
  if (wordCount < FEW) marks |= SHORT
  if (wordCount > MANY) marks |= LONG
  if (reading.shouts > 1) marks |= SHOUT
  if (reading.isForeign) marks |= FOREIGN
  if (isCalled) marks |= CALLED
  return { start: from, end, classes: all >>> 0, marks: marks >>> 0, signs: reading.signs }
}

/** What the last sign of a sentence says. */
const LAST = new Int32Array(0x80)
LAST[0x3f] = QUESTION
LAST[0x7c] = CELL
LAST[0x3a] = LABEL
for (const sign of '{};()') LAST[sign.charCodeAt(0)] = CODE

const MOST_SIGNS = 6

function isHeading(codes: Uint16Array, from: number): boolean {
  let at = from
  while (at - from < MOST_SIGNS && codes[at] === 0x23) at++
  return codes[at] === SPACE
}

function bitsOfPhrases(list: readonly Phrase[], from: number, end: number, text: string): number {
  let bits = 0
  for (const phrase of list) if (goesOn(phrase, from, end, text)) bits |= phrase.bits
  return bits
}

/** Whether the words from `from` on, before `end`, are the rest of the phrase. */
function goesOn({ rest, open }: Phrase, from: number, end: number, text: string): boolean {
  if (from + rest.length > end) return false
  for (let i = 0; i < rest.length; i++) {
    const at = (from + i) * WORD_SIZE
    const number = words[at] ?? NO_WORD
    if (number === NO_WORD) return false
    if (number === rest[i]) continue
    if (open === undefined || i < rest.length - 1) return false
    if (!plainWord(text.slice(words[at + 2], words[at + 3])).startsWith(open)) return false
  }
  return true
}
