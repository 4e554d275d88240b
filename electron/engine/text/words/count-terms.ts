import { CHUNK, MOST_COPIED, UnitWindow } from '../code-units.ts'
import {
  classes,
  classOf,
  foldOf,
  foldWord,
  IDEOGRAPH,
  LOWER,
  MARK,
  SEPARATOR,
  UPPER,
} from './char-classes.ts'
import { placeOfBeginning } from './place-of-beginning.ts'
import type { Query } from './query.ts'
import { isThousandsComma, MAX_BORDERS } from './scan-words.ts'

export interface TermCounts {
  /** By term id; undefined when all are zero. */
  readonly counts: number[] | undefined
  /** In words. */
  readonly length: number
  /** Adjacent words that are adjacent in the query. */
  readonly pairs: number
}

/** Starts of the current word's parts except the first. */
const borders = new Int32Array(MAX_BORDERS)

/** Callers may count other text between two parts. */
const copies = new UnitWindow()
const copied = copies.units

/**
 * The hot path of every strategy: one pass over char codes with WordScanner's words; strings only when three letters
 * can match; identifier parts also count.
 */
export function countTerms(text: string, query: Query, start = 0, end = text.length): TermCounts {
  copiedFor = 0
  begin()
  for (let from = start; from < end;) {
    const to = end - from > MOST_COPIED ? cutBefore(text, from, from + MOST_COPIED) : end
    copies.copy(text, from, to)
    countCopied(text, from, 0, to - from, query)
    from = to
  }
  return counted()
}

/** Counts in parts of one text, mostly consecutive: nearby text is copied once. */
export function partCounter(text: string, query: Query): (start: number, end: number) => TermCounts {
  const id = ++counters
  let from = 0
  let to = 0
  return (start, end) => {
    if (end - start > CHUNK) return countTerms(text, query, start, end)
    if (copiedFor !== id || start < from || end > to) {
      from = start
      to = Math.min(text.length, start + CHUNK)
      copies.copy(text, from, to)
      copiedFor = id
    }
    begin()
    countCopied(text, from, start - from, end - from, query)
    return counted()
  }
}

let counters = 0
/** Last counter to copy; 0 for none. */
let copiedFor = 0

// State of the current call.
let counts: number[] | undefined
let length = 0
let pairs = 0
/** -1 when none. */
let previous = -1

function begin(): void {
  counts = undefined
  length = 0
  pairs = 0
  previous = -1
}

/** Most parts have no term: equal lengths share one object. */
const counted = (): TermCounts =>
  counts === undefined && length < withoutTerms.length
    ? (withoutTerms[length] ?? NOTHING)
    : { counts, length, pairs }

const NOTHING: TermCounts = { counts: undefined, length: 0, pairs: 0 }
const withoutTerms = Array.from({ length: 256 }, (_, words): TermCounts => ({ ...NOTHING, length: words }))

/** Cuts no word, unless that long. */
function cutBefore(text: string, from: number, to: number): number {
  const blank = text.lastIndexOf(' ', to)
  return blank > from ? blank : to
}

/** The first unit is at `offset` in the text. */
function countCopied(text: string, offset: number, start: number, end: number, query: Query): void {
  const units = copied
  const kinds = classes
  const { beginnings } = query
  for (let i = start; i < end;) {
    const from = i
    let kind = kinds[units[i++] ?? 0] ?? SEPARATOR
    if (kind === SEPARATOR) continue
    if (kind <= UPPER) {
      // Most words are small letters, perhaps after a capital, and have no parts.
      while (i < end && (kind = kinds[units[i] ?? 0] ?? SEPARATOR) === LOWER) i++
      if (i === end || kind === SEPARATOR) {
        length++
        const first = mayMatch(from, i, beginnings) ? addTerms(text, offset + from, offset + i, query) : -1
        if (first >= 0 && previous >= 0) countPair(first, query)
        previous = first
        continue
      }
    }
    i = countWord(text, offset, from, end, query)
  }
}

/** Returns the end of a word that may have parts. */
function countWord(text: string, offset: number, from: number, end: number, query: Query): number {
  const { beginnings } = query
  let last = classOf(copied[from] ?? 0)
  let i = from + 1
  if (last === SEPARATOR || last === MARK) return i
  length++
  let partStart = from
  let borderCount = 0
  if (last !== IDEOGRAPH)
    for (; i < end; i++) {
      const code = copied[i] ?? 0
      const kind = classOf(code)
      if (kind === last) continue
      let border = i
      if (kind === SEPARATOR) {
        if (code !== COMMA || !isThousandsComma(text, offset + from, offset + i, offset + end)) break
        border = i + 1
      } else if (kind === IDEOGRAPH) break
      else if (kind === MARK) continue
      else {
        const isCapitalised = last === UPPER && kind === LOWER
        last = kind
        if (isCapitalised && --border <= partStart) continue
      }
      partStart = border
      if (borderCount < MAX_BORDERS) borders[borderCount++] = border
    }
  let first = -1
  if (mayMatch(from, i, beginnings)) first = addTerms(text, offset + from, offset + i, query)
  const isPair = last === IDEOGRAPH && i < end && classOf(copied[i] ?? 0) === IDEOGRAPH
  if (isPair && mayMatch(from, i + 1, beginnings)) addTerms(text, offset + from, offset + i + 1, query)
  if (borderCount > 0) {
    let part = from
    for (let k = 0; k <= borderCount; k++) {
      const partEnd = k < borderCount ? (borders[k] ?? i) : i
      if (mayMatch(part, partEnd, beginnings)) addTerms(text, offset + part, offset + partEnd, query)
      part = partEnd
    }
  }
  if (first >= 0 && previous >= 0) countPair(first, query)
  previous = first
  return i
}

function countPair(first: number, query: Query): void {
  if (query.pairs.has(previous * query.terms.length + first)) pairs++
}

/** Returns the first term, -1 when none. */
function addTerms(text: string, from: number, to: number, query: Query): number {
  const ids = query.termsOf(foldWord(text.slice(from, to)))
  if (ids.length === 0) return -1
  counts ??= noCounts(query.terms.length)
  for (const id of ids) counts[id] = (counts[id] ?? 0) + 1
  return ids[0] ?? -1
}

/** Ignores thousands commas and combining marks. */
function mayMatch(from: number, to: number, beginnings: Uint8Array): boolean {
  const first = copied[from] ?? 0
  const second = from + 1 < to ? (copied[from + 1] ?? 0) : 0
  const third = from + 2 < to ? (copied[from + 2] ?? 0) : 0
  const isPlain = (first | second | third) < 128 && second !== COMMA && third !== COMMA
  return beginnings[isPlain ? placeOfBeginning(first, second, third) : foldedPlace(from, to)] === 1
}

function foldedPlace(from: number, to: number): number {
  const codes = [0, 0, 0]
  for (let i = from, k = 0; k < 3 && i < to; i++) {
    const code = copied[i] ?? 0
    if (code !== COMMA && classOf(code) !== MARK) codes[k++] = foldOf(code)
  }
  return placeOfBeginning(codes[0] ?? 0, codes[1] ?? 0, codes[2] ?? 0)
}

const COMMA = 44

/** By length; V8 stores them as plain doubles. */
const zeros: number[][] = []

/** Copying a list takes a seventh of a new typed array, which is off-heap from 64 bytes. */
export function noCounts(terms: number): number[] {
  const known = zeros[terms]
  if (known !== undefined) return known.slice()
  const made = Array.from({ length: terms }, () => 0.5).map((half) => half - 0.5)
  zeros[terms] = made
  return made.slice()
}

/** Adds one unit's counts to another's, e.g. sentences to their paragraph. */
export function addCounts(
  sum: number[] | undefined,
  more: number[] | undefined,
  weight = 1,
): number[] | undefined {
  if (more === undefined) return sum
  if (sum === undefined && weight === 1) return more.slice()
  const target = sum ?? noCounts(more.length)
  for (let i = 0; i < more.length; i++) target[i] = Math.fround((target[i] ?? 0) + weight * (more[i] ?? 0))
  return target
}
