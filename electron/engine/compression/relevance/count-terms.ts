import { classOf, foldOf, foldWord, MARK } from './char-classes.ts'
import type { Goal } from './goal.ts'
import { WordScanner } from './scan-words.ts'

export interface TermCounts {
  /** How often each goal term occurs, by term id; undefined when none does. */
  readonly counts: Float32Array | undefined
  /** Length in words. */
  readonly length: number
  /** Words that stand side by side here as they do in the goal. */
  readonly pairs: number
}

const scanner = new WordScanner()

/**
 * Counts the goal's terms in a text or a part of it. The hot path of every strategy: one pass over char codes; a word is
 * made into a string only when its first three letters can match, and parts of identifiers count as well.
 */
export function countTerms(text: string, goal: Goal, start = 0, end = text.length): TermCounts {
  let counts: Float32Array | undefined
  let length = 0
  let pairs = 0
  let previous = -1
  const add = (from: number, to: number): number => {
    if (!canMatch(text, from, to, goal)) return -1
    const ids = goal.termsOf(foldWord(text.slice(from, to)))
    if (ids.length === 0) return -1
    counts ??= new Float32Array(goal.terms.length)
    for (const id of ids) counts[id] = (counts[id] ?? 0) + 1
    return ids[0] ?? -1
  }
  scanner.reset(text, start, end)
  while (scanner.next()) {
    length++
    const first = add(scanner.start, scanner.end)
    if (scanner.borderCount > 0) {
      let from = scanner.start
      for (let i = 0; i < scanner.borderCount; i++) {
        const border = scanner.borders[i] ?? scanner.end
        add(from, border)
        from = border
      }
      add(from, scanner.end)
    }
    if (first >= 0 && previous >= 0 && goal.pairs.has(previous * goal.terms.length + first)) pairs++
    previous = first
  }
  return { counts, length, pairs }
}

const codes = [0, 0, 0]

/** Looks at the first three characters that are compared; thousands commas and combining marks are not. */
function canMatch(text: string, from: number, to: number, goal: Goal): boolean {
  codes[0] = codes[1] = codes[2] = 0
  for (let i = from, k = 0; k < 3 && i < to; i++) {
    const code = text.charCodeAt(i)
    if (code !== COMMA && classOf(code) !== MARK) codes[k++] = foldOf(code)
  }
  return goal.mayBegin(codes[0] ?? 0, codes[1] ?? 0, codes[2] ?? 0)
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
