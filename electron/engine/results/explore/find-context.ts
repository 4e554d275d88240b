import type { ExploredText } from './explored-text.ts'
import type { Match, Matches } from './find-regex.ts'
import { scanJson } from './json-scan.ts'

const LARGEST_OBJECT = 4000
const FURTHEST_LINE = 20
/** Lines around a match where nothing separates paragraphs. */
const NEARBY = 5

/** Widens matches to what they belong to: the smallest object of JSON, else the paragraph. Matches within one are one. */
export function widenMatches(
  source: ExploredText,
  found: Matches,
  jsonFormat: 'json' | 'json lines' | undefined,
): Matches {
  const wide = jsonFormat
    ? enclosingObjects(source.text, jsonFormat === 'json lines', found.matches, LARGEST_OBJECT)
    : found.matches.map((match) => paragraph(source, match))
  const matches: Match[] = []
  for (const match of wide) {
    const last = matches.at(-1)
    if (!last || match.start >= last.end) matches.push(match)
    else if (match.end > last.end) matches[matches.length - 1] = { start: last.start, end: match.end }
  }
  return { matches, total: matches.length, isCapped: found.isCapped }
}

/** For each match, in order, the smallest object around it that is not longer than `longest`; else the match itself. */
export function enclosingObjects(
  text: string,
  areLines: boolean,
  matches: readonly Match[],
  longest: number,
): Match[] {
  const enclosing: (Match | undefined)[] = matches.map(() => undefined)
  /** Indexes of matches passed by and still without an object, in order. */
  const waiting: number[] = []
  let passed = 0
  scanJson(text, areLines, {
    close: (start, end) => {
      while (passed < matches.length && (matches[passed]?.start ?? end) < end) waiting.push(passed++)
      const isObject = text.charCodeAt(end - 1) === 125
      const isTooLarge = end - start > longest
      // A short list leaves them to the object around it; what is around something too large is larger still.
      if (!isObject && !isTooLarge) return
      while ((matches[waiting.at(-1) ?? -1]?.start ?? -1) >= start) {
        const index = waiting.pop() ?? -1
        const match = matches[index]
        if (!isTooLarge && match && match.end <= end) enclosing[index] = { start, end }
      }
    },
  })
  return matches.map((match, index) => enclosing[index] ?? match)
}

function paragraph(source: ExploredText, match: Match): Match {
  const isBlank = (line: number) => source.line(line).trim() === ''
  const from = source.lineAt(match.start)
  const to = source.lineAt(Math.max(match.start, match.end - 1))
  let first = from
  while (first > 0 && from - first < FURTHEST_LINE && !isBlank(first - 1)) first--
  let last = to
  while (last < source.lineCount - 1 && last - to < FURTHEST_LINE && !isBlank(last + 1)) last++
  const isEndless = from - first >= FURTHEST_LINE || last - to >= FURTHEST_LINE
  if (isEndless) {
    first = Math.max(first, from - NEARBY)
    last = Math.min(last, to + NEARBY)
  }
  return { start: source.lineStart(first), end: source.lineStart(last + 1) }
}
