import { kindOf, NODE, parentOf } from '../../text/tree/json-document.ts'
import type { JsonDocument } from '../../text/tree/json-document.ts'
import { fieldStart, nodeAt } from '../../text/tree/places.ts'
import type { ExploredText } from './explored-text.ts'
import type { Match, Matches } from './find-regex.ts'

const LARGEST_OBJECT = 4000
const FURTHEST_LINE = 20
/** Lines, without paragraph breaks. */
const NEARBY = 5

/** To the smallest JSON object or the paragraph; merges those inside one. */
export function widenMatches(source: ExploredText, found: Matches): Matches {
  const { json } = source
  const wide = json
    ? found.matches.map((match) => enclosingObject(json, match, LARGEST_OBJECT))
    : found.matches.map((match) => paragraph(source, match))
  const matches: Match[] = []
  for (const match of wide) {
    const last = matches.at(-1)
    if (!last || match.start >= last.end) matches.push(match)
    else if (match.end > last.end) matches[matches.length - 1] = { start: last.start, end: match.end }
  }
  return { matches, total: matches.length, isCapped: found.isCapped }
}

export function enclosingObject(document: JsonDocument, match: Match, longest: number): Match {
  for (let node = nodeAt(document, match.start); node >= document.root; node = parentOf(document, node)) {
    const kind = kindOf(document, node)
    if (kind > NODE.array) continue
    const start = fieldStart(document, node)
    const end = document.stops[node] ?? start
    // Outer nodes are larger still.
    if (end - start > longest) return match
    if (kind === NODE.object && start <= match.start) return match.end <= end ? { start, end } : match
  }
  return match
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
