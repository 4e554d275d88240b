import { SluiceError, assertNever } from '../../ground/errors.ts'
import { nodeAt, pathFinder } from '../../text/tree/places.ts'
import { number } from './describe-data.ts'
import type { JsonDocument } from '../../text/tree/json-document.ts'
import type { ExploredText } from './explored-text.ts'
import { enclosingObject, widenMatches } from './find-context.ts'
import { findFuzzy } from './find-fuzzy.ts'
import { findRanked } from './find-ranked.ts'
import { LONG_LINE, findRegex } from './find-regex.ts'
import type { Match, Matches } from './find-regex.ts'
import { formatPath } from '../../text/tree/format-path.ts'
import { clip, fitTokens, wholeCharacters } from './token-counter.ts'
import type { TokenCounter } from './token-counter.ts'
import { textUnits } from './text-units.ts'

const SEARCH_MODES = ['regex', 'bm25', 'fuzzy', 'context'] as const
type SearchMode = (typeof SEARCH_MODES)[number]

export interface SearchInput {
  readonly pattern: string
  readonly mode: SearchMode
  readonly ignoreCase: boolean
  /** Modes regex and fuzzy. */
  readonly contextLines: number
  readonly maxResults: number
  readonly offset: number
}

export interface SearchSource {
  readonly label: string
  readonly source: ExploredText
}

export interface SearchPage {
  readonly blocks: readonly string[]
  readonly total: number
  readonly isCapped: boolean
  /** Undefined at the end. */
  readonly next: number | undefined
}

const PASSAGE = 1200
const LONGEST_PATH = 160
const NEAR = 120

/** As many as fit. Throws BAD_INPUT. */
export function searchTexts(
  sources: readonly SearchSource[],
  input: SearchInput,
  budget: number,
  tokens: TokenCounter,
): SearchPage {
  if (input.pattern === '')
    throw new SluiceError('BAD_INPUT', 'The "pattern" is empty: say what to look for.')
  const found = sources.map((each) => ({ ...each, ...find(each, input) }))
  const total = found.reduce((sum, each) => sum + each.matches.length, 0)
  if (input.offset >= total && input.offset > 0) {
    throw new SluiceError('BAD_INPUT', `The offset ${input.offset} is behind the last of ${total} matches.`)
  }
  const blocks: string[] = []
  let left = budget
  let shown = 0
  let position = 0
  for (const each of found) {
    const start = Math.min(each.matches.length, Math.max(0, input.offset - position))
    position += each.matches.length
    const matches = each.matches.slice(start, start + input.maxResults - shown)
    const texts = write(each, matches, input)
    for (const text of texts) {
      const block = sources.length > 1 ? `${each.label}: ${text}` : text
      const cost = tokens.count(block) + 1
      if (cost > left && shown > 0) return page()
      // Part of the first match rather than nothing.
      blocks.push(
        cost > left ? `${block.slice(0, fitTokens(block, 0, Math.max(1, left - 2), tokens))}…` : block,
      )
      left -= cost
      shown++
    }
  }
  return page()

  function page(): SearchPage {
    const next = input.offset + shown
    return {
      blocks,
      total: found.reduce((sum, each) => sum + each.total, 0),
      isCapped: found.some((each) => each.isCapped),
      next: next < total ? next : undefined,
    }
  }
}

function find({ source }: SearchSource, input: SearchInput): Matches {
  switch (input.mode) {
    case 'regex': {
      const found = findRegex(source, input.pattern, {
        ignoreCase: input.ignoreCase,
        apart: source.json ? 0 : NEAR,
        allInLine: false,
      })
      return source.json ? onePerObject(source, source.json, found) : found
    }
    case 'fuzzy':
      return findFuzzy(source, input.pattern)
    case 'bm25':
      return findRanked(source.text, textUnits(source), input.pattern)
    case 'context':
      return widenMatches(
        source,
        findRegex(source, input.pattern, { ignoreCase: true, apart: 0, allInLine: true }),
      )
    default:
      return assertNever(input.mode)
  }
}

/** In long JSON lines short objects appear whole, once; elsewhere nearby matches together. */
function onePerObject(source: ExploredText, json: JsonDocument, found: Matches): Matches {
  if (!found.matches.some((match) => isInLongLine(source, match))) return found
  const matches: Match[] = []
  for (const match of found.matches) {
    if (!isInLongLine(source, match)) {
      matches.push(match)
      continue
    }
    const object = enclosingObject(json, match, LONG_LINE)
    const last = matches.at(-1)
    if (object.end > match.end) {
      if (last?.around?.start !== object.start) matches.push({ ...match, around: object })
    } else if (!last || last.around || match.start >= last.start + NEAR) matches.push(match)
  }
  return { matches, total: matches.length, isCapped: found.isCapped }
}

function isInLongLine(source: ExploredText, match: Match): boolean {
  const line = source.lineAt(match.start)
  return source.lineStart(line + 1) - source.lineStart(line) > LONG_LINE
}

function write({ source }: SearchSource, matches: readonly Match[], input: SearchInput): string[] {
  const paths = source.json ? pathsAt(source.json, matches) : []
  const isPassage = input.mode === 'bm25' || input.mode === 'context'
  return matches.map((match, index) => {
    const line = source.lineAt(match.start)
    const about = [shortPath(paths[index] ?? ''), match.note ?? ''].filter((words) => words !== '').join(', ')
    const place = `${line + 1}${about === '' ? '' : ` (${about})`}: `
    if (isPassage) return place + passage(source.text, match)
    if (isInLongLine(source, match)) return place + snippet(source.text, match)
    const isOneLine = source.lineAt(Math.max(match.start, match.end - 1)) === line
    return input.contextLines === 0 && isOneLine
      ? place + source.line(line)
      : place.trimEnd() + linesAround(source, match, input.contextLines)
  })
}

/** A path's end tells more than its beginning. */
const shortPath = (path: string): string =>
  path.length > LONGEST_PATH ? `…${path.slice(-LONGEST_PATH)}` : path

/** In text order. */
function pathsAt(json: JsonDocument, matches: readonly Match[]): string[] {
  const pathOf = pathFinder(json)
  const paths = matches.map(() => '')
  const order = [...matches.keys()].toSorted((a, b) => (matches[a]?.start ?? 0) - (matches[b]?.start ?? 0))
  for (const index of order) paths[index] = formatPath(pathOf(nodeAt(json, matches[index]?.start ?? 0)))
  return paths
}

function passage(text: string, { start, end }: Match): string {
  const shown = wholeCharacters(text, Math.min(end, start + PASSAGE))
  return (
    text.slice(start, shown).trimEnd() + (shown < end ? `… (${number(end - shown)} more characters)` : '')
  )
}

function snippet(text: string, match: Match): string {
  if (match.around) return text.slice(match.around.start, match.around.end)
  const from = wholeCharacters(text, Math.max(0, match.start - NEAR))
  const to = wholeCharacters(text, Math.min(text.length, Math.min(match.end, match.start + PASSAGE) + NEAR))
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`
}

/** Marks the match's lines with ">". */
function linesAround(source: ExploredText, match: Match, context: number): string {
  const first = source.lineAt(match.start)
  const last = source.lineAt(Math.max(match.start, match.end - 1))
  const from = Math.max(0, first - context)
  const to = Math.min(source.lineCount - 1, last + context)
  const lines = Array.from({ length: to - from + 1 }, (_, index) => from + index)
  const mark = (at: number) => (at >= first && at <= last ? '>' : ' ')
  return lines.map((at) => `\n${mark(at)}${at + 1}: ${clip(source.line(at), LONG_LINE)}`).join('')
}
