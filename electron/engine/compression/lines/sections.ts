import { sourceLines } from '../../text/readers/source-lines.ts'
import { findHeads } from '../../text/readers/table/heads.ts'
import type { ReadKinds } from './read-kinds.ts'

const LEAST_SECTIONS = 3
const LEAST_SHARE = 0.6
/** Lines a section has on average. */
const LEAST_LINES = 2
const MOST_LINES_OF_HEADING = 5

export interface Sections {
  /** Line that names what this one is of: a commit, a file, a task; -1 for none. */
  openerOf(line: number): number
  /** Its paragraph: an author and a date below a commit. */
  headingOf(opener: number): readonly number[]
}

/**
 * Sections begin with flush lines behind blank ones, if most of these are of one kind or single words like paths; else
 * with lines of the first one's kind, if most of these have the same kind below. Undefined without such a rule.
 */
export function findSections(read: ReadKinds): Sections | undefined {
  const { lines } = read
  const { count } = lines
  const openers = openersBehindBlanks(read) ?? openersLikeTheFirst(read) ?? headsOf(read)
  if (openers === undefined || openers.length * LEAST_LINES > count) return undefined
  const openerOf = new Int32Array(count).fill(-1)
  openers.forEach((opener, i) => openerOf.fill(opener, opener, openers[i + 1] ?? count))
  return {
    openerOf: (line) => openerOf[line] ?? -1,
    headingOf(opener) {
      const heading = [opener]
      for (let line = opener + 1; line < count && heading.length < MOST_LINES_OF_HEADING; line++) {
        if (lines.opensParagraph(line) || openerOf[line] !== opener) break
        heading.push(line)
      }
      return heading
    },
  }
}

/** What a line is below: the nearest line that is indented less, or what its section begins with; -1 for none. */
export function parentIn(read: ReadKinds, sections: Sections | undefined, line: number): number {
  const parent = read.parentOf(line)
  const opener = parent < 0 ? (sections?.openerOf(line) ?? -1) : parent
  return opener === line ? -1 : opener
}

/** Heads of rows, as tables have them. */
function headsOf(read: ReadKinds): readonly number[] | undefined {
  if (read.isTimed || read.json !== undefined) return undefined
  const heads = [...findHeads(sourceLines(read.lines.text))]
  return heads.length < LEAST_SECTIONS ? undefined : heads
}

function openersBehindBlanks(read: ReadKinds): readonly number[] | undefined {
  const { lines } = read
  const { text, count } = lines
  const behindBlank: number[] = []
  for (let line = 0; line < count; line++) {
    const code = text.charCodeAt(read.bodyStart(line))
    if (lines.opensParagraph(line) && !BLANK.has(code)) behindBlank.push(line)
  }
  return openersOf(read, behindBlank)
}

function openersLikeTheFirst(read: ReadKinds): readonly number[] | undefined {
  const { lines } = read
  if (read.isTimed || read.json !== undefined) return undefined
  const isFlush = (line: number): boolean => !BLANK.has(lines.text.charCodeAt(lines.start(line)))
  const [opening, below] = [read.kindOf(0), read.kindOf(1)]
  const openers: number[] = []
  let seconds = 0
  let pairs = 0
  for (let line = 0; line < lines.count; line++) {
    const kind = read.kindOf(line)
    if (kind === opening && isFlush(line)) openers.push(line)
    else if (kind === below) seconds++
    if (kind === below && openers.at(-1) === line - 1) pairs++
  }
  const isRule =
    openers.length >= LEAST_SECTIONS &&
    openers.length * LEAST_UNPARTED <= lines.count &&
    pairs >= NEARLY_ALL * Math.max(openers.length, seconds)
  return isRule ? openers : undefined
}

const NEARLY_ALL = 0.9
/** Lines that a section has on average where no blank line parts it. */
const LEAST_UNPARTED = 4

/** Space and tab. */
const BLANK: ReadonlySet<number> = new Set([32, 9])

function openersOf(read: ReadKinds, candidates: readonly number[]): readonly number[] | undefined {
  if (candidates.length < LEAST_SECTIONS) return undefined
  const { lines } = read
  const { text } = lines
  const beginOf = (line: number): string =>
    text.slice(lines.start(line), Math.min(lines.end(line), lines.start(line) + LONGEST_LOOK))
  const openers =
    mostOf(candidates, (line) => read.kindOf(line)) ??
    mostOf(candidates, (line) =>
      beginOf(line)
        .replace(/\p{L}+/gu, 'a')
        .replace(/\d+/g, '0'),
    ) ??
    candidates.filter((line) => !/\s/.test(beginOf(line)))
  return openers.length < Math.max(LEAST_SECTIONS, LEAST_SHARE * candidates.length) ? undefined : openers
}

const LONGEST_LOOK = 300

/** Those with the commonest key, if most have it. */
function mostOf(
  lines: readonly number[],
  keyOf: (line: number) => number | string,
): readonly number[] | undefined {
  const groups = [...Map.groupBy(lines, keyOf).values()].sort((a, b) => b.length - a.length)
  const [most = []] = groups
  return most.length < LEAST_SHARE * lines.length ? undefined : most
}
