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
  /** Which signs it holds (`SIGNS`), for a closer look. */
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
const AT = 1
const SLASH = 2
const UNDERSCORE = 4
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
const SOFT_LINE = 60
const SPACE = /[\s"'”’)\]*_`]/
const LOWER = /^\s*\p{Ll}/u

/** In order, without those that hold no word of a class. Linear time. */
export function sentencesOf(text: string, classes: WordClasses): Sentence[] {
  const sentences: Sentence[] = []
  const { root, next: nodes, ends, passes } = classes.trie
  const words: WordEntry[] = []
  /** Where each word begins and ends. */
  const places: number[] = []
  const clauses: number[] = []
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

  const endSentence = (at: number): void => {
    // Most pieces of structured text say nothing.
    if (bits !== 0) {
      const sentence = read(text, start, at, {
        words,
        places,
        clauses,
        runs,
        runOpening,
        isFenced,
        signs,
        shouts,
      })
      if (sentence) sentences.push(sentence)
    }
    words.length = 0
    places.length = 0
    clauses.length = 0
    bits = 0
    runs = 0
    runOpening = 0
    start = at
    space = 0
    signs = 0
    shouts = 0
  }

  let i = 0
  while (i < text.length) {
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
        if ((letters & OTHER) !== 0) entry = classes.entryOf(text.slice(from, i).toLowerCase())
        else entry = (node === 0 ? passes[last] : ends[node]) ?? NO_WORD
        bits |= entry.any
      }
      if (letters === UPPER_CASE && i - from >= SHOUTED) shouts++
      words.push(entry)
      places.push(from, i)
      continue
    }
    if (kind === UNSPACED) {
      const from = i
      while (i < text.length && (KINDS[text.charCodeAt(i)] === UNSPACED || JOINING.has(text.charCodeAt(i))))
        i++
      const run = text.slice(from, i)
      if (words.length === 0) runOpening = classes.ofRun(run.slice(0, RUN_OPENING))
      runs |= classes.ofRun(run)
      bits |= runs
      for (let word = 0; word < run.length; word += RUN_WORD) {
        words.push(NO_WORD)
        places.push(i, i)
      }
      continue
    }
    if (kind === BREAK) {
      // A line that was wrapped goes on.
      const isWrapped = i - lineAt >= SOFT_LINE && !isFenced && LOWER.test(text.slice(i + 1, i + 8))
      if (!isWrapped) endSentence(i + 1)
      lineAt = i + 1
      if (text.startsWith('```', i + 1) || text.startsWith('~~~', i + 1)) isFenced = !isFenced
    } else if (kind === STOP) {
      if (code > 0x7f || i + 1 === text.length || SPACE.test(text.charAt(i + 1))) endSentence(i + 1)
    } else if (code === 32) {
      space = i
      if (i - start >= LONGEST) endSentence(i)
    } else {
      const sign = SIGNS[code] ?? 0
      signs |= sign
      if ((sign & CLAUSE) !== 0) clauses.push(words.length)
      const isGreeting = code === 0x2c && words.length <= OPENING && GREETINGS.has(words[0]?.word ?? '')
      // The letter of an escape isn't part of the next word.
      if (code === 0x5c && text.charCodeAt(i + 1) === 0x6e) endSentence(++i + 1)
      else if (isGreeting || ((sign & BORDER) !== 0 && isBorder(code, text.charCodeAt(i + 1))))
        endSentence(i + 1)
      else if (i - start >= LONGEST) endSentence(space > start ? space : i)
    }
    i++
  }
  endSentence(text.length)
  return withStructure(sentences, text)
}

/** From a mark to the sentence that it introduces. */
const REACH = 12

/** A mark belongs to the sentences that it touches. */
function withStructure(sentences: Sentence[], text: string): Sentence[] {
  for (const { mark, start, end } of structureMarks(text)) {
    let index = firstAfter(sentences, start - 2)
    for (; (sentences[index]?.start ?? Infinity) <= end + REACH; index++) {
      const sentence = sentences[index]
      if (sentence) sentences[index] = { ...sentence, marks: (sentence.marks | markBit(mark)) >>> 0 }
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
  readonly words: readonly WordEntry[]
  readonly places: readonly number[]
  /** Where clauses begin, as indices of words. */
  readonly clauses: readonly number[]
  readonly runs: number
  readonly runOpening: number
  readonly isFenced: boolean
  readonly signs: number
  readonly shouts: number
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
  const { words, places, clauses, runs, runOpening, isFenced, signs, shouts } = reading
  let all = runs
  let opening = runOpening
  let first = 0
  let isInner = false
  const spelled = (index: number): string => plainWord(text.slice(places[index * 2], places[index * 2 + 1]))
  for (let i = 0; i < words.length; i++) {
    const entry = words[i] ?? NO_WORD
    let { bits } = entry
    for (const phrase of entry.phrases) if (goesOn(phrase, words, i + 1, spelled)) bits |= phrase.bits
    all |= bits
    if ((bits & VERB) !== 0 && clauses.includes(i)) isInner = true
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
  mark('short', words.length < FEW)
  mark('long', words.length > MANY)
  mark('shout', shouts > 1)
  mark('label', last === ':')
  return { start: from, end, classes: all >>> 0, marks: marks >>> 0, signs }
}

/** Each with the signs of which its texts hold one; 0: any text may. */
const PATTERNS: readonly (readonly [Mark, number, RegExp])[] = [
  ['url', SLASH, /\bhttps?:\/\//i],
  ['url', 0, /\bwww\.|\b(?:\d{1,3}\.){3}\d{1,3}\b/],
  ['email', AT, /[\w.+-]@[\w-]+\.\w/],
  ['path', SLASH, /~\/\.|\/etc\//],
  ['path', 0, /\.env\b|\.ssh\b|id_rsa|id_ed25519|\.aws\b|\.netrc|\.npmrc|passwd/],
  ['placeholder', 0, /[?&=/][\w-]*[{<[$#(]|\{\{|!\[[^\]]{0,80}\]\(/],
  [
    'shell',
    0,
    /\bcurl\b|\bwget\b|\|\s{0,4}(?:ba)?sh\b|\brm -rf\b|\bsudo\b|\bnc -|\bchmod\b|\bpip install\b|\bgit push\b|\bpowershell\b/,
  ],
  ['snake', UNDERSCORE, /[a-z]_[a-z]/],
]
const QUOTE = /["'“‘`«]\s*$/
const QUOTED = /^\s*["'“‘`«]|["'”’`»]\s*$/
const COMMENT = /(?:^|\s)(?:\/\/|#|\/\*|<!--|\*|--|;|%|REM)\s*$/
const COMMENTED = /^\s*(?:\/\/|#|\/\*|<!--|\*|--)/
const AHEAD = 30

/** The marks that take a closer look, for sentences that may give an order. */
export function closerMarks(text: string, { start, end, signs }: Sentence): number {
  const raw = text.slice(start, end)
  const ahead = text.slice(Math.max(0, start - AHEAD), start)
  const before = ahead.slice(ahead.lastIndexOf('\n') + 1)
  let marks = 0
  for (const [mark, needed, pattern] of PATTERNS)
    if ((needed === 0 || (signs & needed) !== 0) && pattern.test(raw)) marks |= markBit(mark)
  if (QUOTED.test(raw) || QUOTE.test(before)) marks |= markBit('quoted')
  if (COMMENTED.test(raw) || COMMENT.test(before)) marks |= markBit('comment')
  return marks >>> 0
}
