import { isBlank, lineOf } from '../source-lines.ts'
import type { SourceLines } from '../source-lines.ts'

export interface Opener {
  /** Whether a line has the form that begins an entry. */
  readonly is: (line: string) => boolean
  /** Only below a blank line. */
  readonly isApart: boolean
  /** Where the time of such a line is. */
  readonly time: (line: string) => { readonly from: number; readonly to: number } | undefined
}

const LONGEST = 400
const SAMPLE = 3000
const LEAST_ENTRIES = 4
/** Lines before the first entry, and entries of one line. */
const MOST_BEFORE = 20
const MOST_BARE = 0.1
const MOST_BARE_APART = 0.5
/** Most entries have lines below; more openers than this share of lines are lines of a log. */
const MOST_OPENERS = 0.55

const TIME = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z| ?[+-]\d\d:?\d\d)?/
/** A time behind the key of a comment. */
const STAMPED = new RegExp(`^#+ [\\p{L}_]+: +(?:${TIME.source})$`, 'u')
const NAMED = /^"[^"]{1,200}"(?: \S+){2,}/

const timeIn = (line: string): { readonly from: number; readonly to: number } => {
  const from = line.search(TIME)
  return { from, to: from + (TIME.exec(line)?.[0].length ?? 0) }
}

const OPENERS: readonly Opener[] = [
  { is: (line) => STAMPED.test(line), isApart: false, time: timeIn },
  { is: (line) => NAMED.test(line), isApart: true, time: () => undefined },
]

export const beginsEntry = (lines: SourceLines, line: number, opener: Opener): boolean =>
  (lines.stops[line] ?? 0) - (lines.starts[line] ?? 0) <= LONGEST &&
  (!opener.isApart || line === 0 || isBlank(lines, line - 1)) &&
  opener.is(lineOf(lines, line))

/** The form that begins entries of several lines. */
export const openerOf = (lines: SourceLines): Opener | undefined =>
  OPENERS.find((opener) => isOfEntries(lines, opener))

function isOfEntries(lines: SourceLines, opener: Opener): boolean {
  let entries = 0
  let bare = 0
  let all = 0
  let before = 0
  let below = 0
  for (let line = 0; line < Math.min(SAMPLE, lines.count); line++) {
    if (isBlank(lines, line)) continue
    all++
    if (!beginsEntry(lines, line, opener)) {
      below++
      if (entries === 0 && ++before > MOST_BEFORE) return false
      continue
    }
    // Below a name, lines are indented.
    if (opener.isApart) bare += line + 1 < lines.count && /^\s+\S/.test(lineOf(lines, line + 1)) ? 0 : 1
    else if (entries > 0 && below === 0) bare++
    below = 0
    entries++
  }
  return (
    entries >= LEAST_ENTRIES &&
    bare <= entries * (opener.isApart ? MOST_BARE_APART : MOST_BARE) &&
    entries <= all * MOST_OPENERS
  )
}
