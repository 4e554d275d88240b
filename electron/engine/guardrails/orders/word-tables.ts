import { arraysIn, roomFor, type Take } from './shared-arrays.ts'
import { HASH_START, hashOn, takeWordArrays, WordTable } from './word-table.ts'

/** Of a word that no list has. */
export const UNLISTED = 1

export const IS_BEFORE = 1
export const IS_GREETING = 2
export const HAS_PHRASES = 4

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
export const SEMICOLON = 0x3b
const WORD = 0x3d
const STEM = 0x2a
export const MARKED = 0x27
export const MARKED_STEM = 0x22
export const RUN = 0x7e
export const SMALL = 32

/** What guard-words.txt says, in arrays that threads share; words and stems are known by their numbers. */
export interface WordTables {
  /** The file. */
  readonly bytes: Buffer
  readonly words: WordTable
  readonly stems: WordTable
  /** By a word's number: those of its stems, too. */
  readonly bits: Int32Array
  /** By a word's number: bits of `IS_BEFORE`, `IS_GREETING` and `HAS_PHRASES`. */
  readonly traits: Uint8Array
  readonly stemBits: Int32Array
  /** By the letters that stems begin with, which lengths they have: a bit for each, the last for all that are longer. */
  readonly stemLengths: Int32Array
  /** Bytes. */
  readonly longestStem: number
  /** Where lines of other kinds begin: spellings with marks, then runs. */
  readonly otherLines: Int32Array
  /** Pairs of a word's number and where the phrases of its second line begin. */
  readonly secondLines: Int32Array
}

interface Counts {
  readonly bytes: number
  readonly words: number
  readonly stems: number
  readonly others: number
  readonly seconds: number
  readonly longestStem: number
}

const BEGINNINGS = 1 << 15

const takeAll = (take: Take, { bytes, words, stems, others, seconds }: Counts) => ({
  counts: take(Int32Array, 6),
  bytes: take(Uint8Array, bytes),
  words: takeWordArrays(take, words + UNLISTED + 1),
  stems: takeWordArrays(take, stems + 1),
  bits: take(Int32Array, words + UNLISTED + 1),
  traits: take(Uint8Array, words + UNLISTED + 1),
  stemBits: take(Int32Array, stems + 1),
  stemLengths: take(Int32Array, BEGINNINGS),
  otherLines: take(Int32Array, others),
  secondLines: take(Int32Array, seconds * 2),
})

/** `table` is from `packWords`. */
export function wordTablesIn(table: ArrayBufferLike): WordTables {
  const [bytes = 0, words = 0, stems = 0, others = 0, seconds = 0, longestStem = 0] = new Int32Array(
    table,
    0,
    6,
  )
  const counts = { bytes, words, stems, others, seconds, longestStem }
  const all = arraysIn(table, (take) => takeAll(take, counts))
  const text = Buffer.from(all.bytes.buffer, all.bytes.byteOffset, all.bytes.length)
  return {
    ...all,
    bytes: text,
    words: new WordTable(text, all.words, UNLISTED + 1),
    stems: new WordTable(text, all.stems, 1),
    longestStem,
  }
}

/** The bit of a length. */
const LAST_BIT = 31
const lengthBit = (length: number): number => 1 << Math.min(length, LAST_BIT)
const ANY_LENGTH = -1

/** What the stems of a word say. `lengths`: those that its stems may have, as bits. */
export function stemBitsOf(
  { stems, stemBits, longestStem }: WordTables,
  codes: Uint16Array | Uint8Array,
  start: number,
  length: number,
  fold: number,
  lengths = ANY_LENGTH,
): number {
  let all = 0
  let hash = HASH_START
  const most = Math.min(length, longestStem)
  for (let i = 0; i < most; i++) {
    hash = hashOn(hash, (codes[start + i] ?? 0) | fold)
    if ((lengths & lengthBit(i + 1)) === 0) continue
    all |= stemBits[stems.find(hash, codes, start, i + 1, fold)] ?? 0
  }
  return all
}

/** Letters, from A to Z, with which a stem begins. */
const BEGINNING = 3
const beginning = (codes: Uint16Array | Uint8Array, start: number): number =>
  (((codes[start] ?? 0) & 31) << 10) | (((codes[start + 1] ?? 0) & 31) << 5) | ((codes[start + 2] ?? 0) & 31)

/** Of a word in letters from A to Z: the lengths of stems that begin as it does, as bits; 0 without any. */
export const stemLengthsOf = (
  { stemLengths }: WordTables,
  codes: Uint16Array | Uint8Array,
  start: number,
  length: number,
): number => (length < BEGINNING ? ANY_LENGTH : (stemLengths[beginning(codes, start)] ?? 0))

/** As it is, without its stems. */
export function numberOfSpelled({ words }: WordTables, spelled: Uint8Array, length: number): number {
  let hash = HASH_START
  for (let i = 0; i < length; i++) hash = hashOn(hash, spelled[i] ?? 0)
  return words.find(hash, spelled, 0, length, 0) || UNLISTED
}

interface Line {
  readonly sign: number
  /** Of the spelling. */
  readonly start: number
  readonly end: number
  readonly hash: number
  readonly bits: number
  /** Behind the bits. */
  readonly after: number
}

const SIGNS = new Set([WORD, STEM, MARKED, MARKED_STEM, RUN])
const isBase36 = (code: number): boolean => (code >= 48 && code <= 57) || (code >= 97 && code <= 122)
const digitOf = (code: number): number => (code <= 57 ? code - 48 : code - 87)

/** Throws an Error if it is of another kind. */
export function lineAt(bytes: Buffer, start: number): Line {
  let end = start + 1
  let hash = HASH_START
  for (
    let code = bytes[end] ?? LINE_FEED;
    code !== SPACE && code !== LINE_FEED;
    code = bytes[end] ?? LINE_FEED
  ) {
    hash = hashOn(hash, code)
    end++
  }
  const sign = bytes[start] ?? 0
  if (bytes[end] !== SPACE || !SIGNS.has(sign))
    throw new Error(
      `"${bytes.toString('utf8', start, endOfLine(bytes, start))}" isn't a line of the guard's words`,
    )
  let after = end + 1
  let bits = 0
  for (; isBase36(bytes[after] ?? 0); after++) bits = bits * 36 + digitOf(bytes[after] ?? 0)
  return { sign, start: start + 1, end, hash, bits: bits | 0, after }
}

export function endOfLine(bytes: Buffer, at: number): number {
  const end = bytes.indexOf(LINE_FEED, at)
  return end < 0 ? bytes.length : end
}

function* linesOf(bytes: Buffer): Generator<Line> {
  for (let start = 0; start < bytes.length; start = endOfLine(bytes, start) + 1)
    if (bytes[start] !== LINE_FEED) yield lineAt(bytes, start)
}

/** What letters of other scripts than Latin begin with: only other words may be in both parts. */
const OTHER_SCRIPTS = 0xcd

function countLines(bytes: Buffer): Counts {
  const otherScripts = bytes.indexOf('\n\n')
  let [words, stems, others, seconds, longestStem] = [0, 0, 0, 0, 0]
  for (const { sign, start, end } of linesOf(bytes)) {
    if (sign === WORD) {
      words++
      if (start > otherScripts && (bytes[start] ?? 0) < OTHER_SCRIPTS) seconds++
    } else if (sign === STEM) stems++
    else others++
    if (sign === STEM || sign === MARKED_STEM) longestStem = Math.max(longestStem, end - start)
  }
  return { bytes: bytes.length, words, stems, others, seconds, longestStem }
}

/**
 * Reads guard-words.txt (`test/train/word-lines.ts` writes it). A line is a sign, a spelling, its bits to the base of 36,
 * and what phrases it begins: `=` a word, `*` a stem, `'` and `"` the same by their spelling with marks, `~` a run. What
 * follows the empty line is in other scripts than Latin. Throws an Error if a line is of another kind.
 */
export function packWords(lines: Buffer): SharedArrayBuffer {
  if (!lines.includes('\n\n'))
    throw new Error("the guard's words lack the empty line after those in Latin letters")
  const counts = countLines(lines)
  const table = roomFor((take) => takeAll(take, counts))
  new Int32Array(table).set(Object.values(counts))
  const tables = wordTablesIn(table)
  tables.bytes.set(lines)
  fill(tables)
  return table
}

function fill(tables: WordTables): void {
  const { bytes, words, stems, bits, traits, stemBits, stemLengths, otherLines, secondLines } = tables
  let [others, seconds, last] = [0, 0, UNLISTED]
  for (const { sign, start, end, hash, bits: of, after } of linesOf(bytes)) {
    if (sign === WORD) {
      const number = words.add(hash, start, end - start)
      bits[number] = (bits[number] ?? 0) | of
      last = Math.max(last, number)
      if (bytes[after] !== SEMICOLON) continue
      traits[number] = HAS_PHRASES
      if (words.startOf(number) !== start) secondLines.set([number, after], 2 * seconds++)
    } else if (sign === STEM) {
      const number = stems.add(hash, start, end - start)
      stemBits[number] = (stemBits[number] ?? 0) | of
      if ((bytes[start] ?? 0) >= 0x80) continue
      const length = lengthBit(end - start)
      if (end - start < BEGINNING)
        for (const [at, has] of stemLengths.entries()) stemLengths[at] = has | length
      else {
        const at = beginning(bytes, start)
        stemLengths[at] = (stemLengths[at] ?? 0) | length
      }
    } else otherLines[others++] = start - 1
  }
  for (let number = UNLISTED + 1; number <= last; number++)
    bits[number] =
      (bits[number] ?? 0) | stemBitsOf(tables, bytes, words.startOf(number), words.lengthOf(number), 0)
  for (const [group, trait] of [
    [BEFORE, IS_BEFORE],
    [GREETINGS, IS_GREETING],
  ] as const)
    for (const word of group) {
      const spelled = Buffer.from(word)
      const number = numberOfSpelled(tables, spelled, spelled.length)
      if (number !== UNLISTED) traits[number] = (traits[number] ?? 0) | trait
    }
}
