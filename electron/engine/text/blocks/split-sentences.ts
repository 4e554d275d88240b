import { densityOf } from './density.ts'

/** Shorter pieces are uninformative alone and join a neighbour. */
const MIN_LENGTH = 40
const MIN_LAST = 25
/** Longer ones are cut at a blank. */
const MAX_LENGTH = 1500
const CUT_AT = 600

const ABBREVIATIONS = new Set(
  'mr mrs ms dr prof st sr jr vs etc e.g i.e no vol fig al inc ltd co corp gen col lt sgt rev hon gov sen rep u.s u.k d.c approx ca cf pp jan feb mar apr jun jul aug sep sept oct nov dec bzw usw ggf evtl inkl bspw sog nr ej pág'.split(
    ' ',
  ),
)

/** Commas of scripts without blanks, at which longer sentences are cut. */
const CLAUSES = /[\uff0c\uff1b\u3001]/g
const LONGEST_DENSE = 120

/** One pass; abbreviations and initials end no sentence, and in wrapped text a line break neither. */
export function splitSentences(text: string, isWrapped = false): string[] {
  const sentences: string[] = []
  const density = densityOf(text)
  let start = 0
  let lastStart = 0
  const add = (end: number) => {
    const piece = text.slice(start, end).trim()
    const from = start
    start = end
    if (piece === '') return
    const last = sentences.at(-1)
    if (
      last !== undefined &&
      (last.length < MIN_LENGTH / density || piece.length < MIN_LAST / density) &&
      last.length < MAX_LENGTH
    )
      // As in the source: a line break stays one.
      sentences[sentences.length - 1] = text.slice(lastStart, end).trim()
    else {
      sentences.push(piece)
      lastStart = from
    }
  }
  for (let i = 0; ;) {
    ENDS.lastIndex = i
    if (!ENDS.test(text)) break
    i = ENDS.lastIndex
    const code = text.charCodeAt(i - 1)
    if (code !== 46 && code !== 33 && code !== 63) {
      if (code !== 10 || !isWrapped) add(i)
      continue
    }
    const end = afterClosers(text, i)
    if (startsSentence(text, end) && !(code === 46 && endsAbbreviation(text, start, i - 1))) {
      add(end)
      i = end
    }
  }
  add(text.length)
  if (density > 1) return sentences.flatMap(cutAtClauses)
  return sentences.some((sentence) => sentence.length > MAX_LENGTH) ? sentences.flatMap(cutLong) : sentences
}

/** Several times faster than a loop. */
const ENDS = /[.!?\n\u3002\uff01\uff1f]/g

const CLOSERS = `"'”’)]`

/** Closing quotes, brackets, footnote marks. */
function afterClosers(text: string, from: number): number {
  let i = from
  while (i < text.length && i < from + 6 && CLOSERS.includes(text.charAt(i))) i++
  return i
}

function startsSentence(text: string, at: number): boolean {
  if (!isBlankAt(text, at)) return false
  let i = at + 1
  while (i < at + 8 && isBlankAt(text, i)) i++
  if (i >= text.length) return false
  const code = text.charCodeAt(i)
  if (code >= 128) return OPENERS.test(text.charAt(i))
  return (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || PLAIN_OPENERS.includes(text.charAt(i))
}

const OPENERS = /[\p{Lu}\p{Lo}\p{N}“‘«]/u
const PLAIN_OPENERS = `"'([*_-`

function isBlankAt(text: string, at: number): boolean {
  if (at >= text.length) return false
  const code = text.charCodeAt(at)
  return code < 128 ? code === 32 || (code >= 9 && code <= 13) : /\s/.test(text.charAt(at))
}

function endsAbbreviation(text: string, start: number, stop: number): boolean {
  let i = stop
  while (i > start && i > stop - 12 && isLetterOrStop(text, i - 1)) i--
  const word = text.slice(i, stop)
  // Also "z. B.", "d. h."
  return (word.length === 1 && /\p{L}/u.test(word)) || ABBREVIATIONS.has(word.toLowerCase())
}

function isLetterOrStop(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code >= 128) return /\p{L}/u.test(text.charAt(at))
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 46
}

/** Pieces of a long sentence, each as long as clauses reach. */
function cutAtClauses(sentence: string): string[] {
  const pieces: string[] = []
  let start = 0
  let before = 0
  for (const { index } of sentence.length > LONGEST_DENSE ? sentence.matchAll(CLAUSES) : []) {
    if (index + 1 - start > LONGEST_DENSE && before > start) {
      pieces.push(sentence.slice(start, before))
      start = before
    }
    before = index + 1
  }
  return [...pieces, sentence.slice(start)].flatMap(cutLong)
}

function cutLong(sentence: string): string[] {
  if (sentence.length <= MAX_LENGTH) return [sentence]
  const pieces: string[] = []
  const terminator = terminatorOf(sentence)
  const size = terminator === undefined ? CUT_AT : SEGMENTS
  let start = 0
  while (start < sentence.length) {
    const window = sentence.slice(start, start + size)
    const edge = terminator === undefined ? window.search(LAST_BLANK) : window.lastIndexOf(terminator) + 1
    const length = start + size >= sentence.length || edge <= 0 ? wholeCharacters(window) : edge
    const end = start + length
    pieces.push(sentence.slice(start, end).trim())
    start = end
  }
  return pieces.filter((piece) => piece !== '')
}

const LAST_BLANK = /\s\S*$/

/** What ends the segments of a message in one line, as EDIFACT has them; undefined for words between blanks. */
function terminatorOf(line: string): string | undefined {
  const blanks = line.split(' ').length
  for (const sign of "'~;|}") {
    const parts = line.split(sign)
    if (parts.length * LONGEST_SEGMENT >= line.length && parts.length > blanks) return sign
  }
  return undefined
}

/** Characters of a few segments together, and of one at most on average. */
const SEGMENTS = 120
const LONGEST_SEGMENT = 60

/** Length without a trailing half surrogate pair. */
function wholeCharacters(text: string): number {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff && text.length > 1 ? text.length - 1 : text.length
}
