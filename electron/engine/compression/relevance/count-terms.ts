import { classOf, foldOf, foldWord, IDEOGRAPH, LOWER, MARK, SEPARATOR, UPPER } from './char-classes.ts'
import { placeOfBeginning, type Goal } from './goal.ts'
import { isThousandsComma, MAX_BORDERS } from './scan-words.ts'

export interface TermCounts {
  /** How often each goal term occurs, by term id; undefined when none does. */
  readonly counts: Float32Array | undefined
  /** Length in words. */
  readonly length: number
  /** Words that stand side by side here as they do in the goal. */
  readonly pairs: number
}

/** Where parts of the word that is looked at begin, besides its first. */
const borders = new Int32Array(MAX_BORDERS)

/**
 * Counts the goal's terms in a text or a part of it. The hot path of every strategy: one pass over char codes, the words
 * being those of WordScanner; a word is made into a string only when its first three letters can match, and parts of
 * identifiers count as well.
 */
export function countTerms(text: string, goal: Goal, start = 0, end = text.length): TermCounts {
  const { beginnings } = goal
  let counts: Float32Array | undefined
  let length = 0
  let pairs = 0
  let previous = -1
  for (let i = start; i < end;) {
    let last = classOf(text.charCodeAt(i))
    if (last === SEPARATOR || last === MARK) {
      i++
      continue
    }
    length++
    const from = i
    let partStart = i
    let borderCount = 0
    if (last === IDEOGRAPH) i++
    else
      while (++i < end) {
        const code = text.charCodeAt(i)
        const kind = classOf(code)
        if (kind === last) continue
        let border = i
        if (kind === SEPARATOR) {
          if (code !== COMMA || !isThousandsComma(text, from, i, end)) break
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
    const ids = mayMatch(text, from, i, beginnings) ? termsIn(text, from, i, goal) : NONE
    if (ids.length > 0) counts = addTerms(counts, ids, goal)
    if (borderCount > 0) {
      let part = from
      for (let k = 0; k <= borderCount; k++) {
        const partEnd = k < borderCount ? (borders[k] ?? i) : i
        if (mayMatch(text, part, partEnd, beginnings))
          counts = addTerms(counts, termsIn(text, part, partEnd, goal), goal)
        part = partEnd
      }
    }
    const first = ids[0] ?? -1
    if (first >= 0 && previous >= 0 && goal.pairs.has(previous * goal.terms.length + first)) pairs++
    previous = first
  }
  return { counts, length, pairs }
}

const NONE: readonly number[] = []

const termsIn = (text: string, from: number, to: number, goal: Goal): readonly number[] =>
  goal.termsOf(foldWord(text.slice(from, to)))

function addTerms(
  counts: Float32Array | undefined,
  ids: readonly number[],
  goal: Goal,
): Float32Array | undefined {
  if (ids.length === 0) return counts
  const sum = counts ?? new Float32Array(goal.terms.length)
  for (const id of ids) sum[id] = (sum[id] ?? 0) + 1
  return sum
}

/** Looks at the first three characters that are compared; thousands commas and combining marks are not. */
function mayMatch(text: string, from: number, to: number, beginnings: Uint8Array): boolean {
  const first = text.charCodeAt(from)
  const second = from + 1 < to ? text.charCodeAt(from + 1) : 0
  const third = from + 2 < to ? text.charCodeAt(from + 2) : 0
  const isPlain = (first | second | third) < 128 && second !== COMMA && third !== COMMA
  const place = isPlain ? placeOfBeginning(first, second, third) : foldedPlace(text, from, to)
  return beginnings[place] === 1
}

function foldedPlace(text: string, from: number, to: number): number {
  const codes = [0, 0, 0]
  for (let i = from, k = 0; k < 3 && i < to; i++) {
    const code = text.charCodeAt(i)
    if (code !== COMMA && classOf(code) !== MARK) codes[k++] = foldOf(code)
  }
  return placeOfBeginning(codes[0] ?? 0, codes[1] ?? 0, codes[2] ?? 0)
}

const COMMA = 44

/** Adds the counts of one unit to another's, e.g. to make a paragraph of its sentences. */
export function addCounts(
  sum: Float32Array | undefined,
  more: Float32Array | undefined,
  weight = 1,
): Float32Array | undefined {
  if (more === undefined) return sum
  const target = sum ?? new Float32Array(more.length)
  for (let i = 0; i < more.length; i++) target[i] = (target[i] ?? 0) + weight * (more[i] ?? 0)
  return target
}
