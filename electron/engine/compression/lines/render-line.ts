import { countTerms } from '../../text/words/count-terms.ts'
import type { Goal } from '../rank/goal.ts'
import type { MinedLog } from './mine-kinds.ts'
import type { LineKind } from './line-kind.ts'
import { sharedText } from './share-of-kind.ts'
import { ColumnSplitter } from './split-columns.ts'
import { clockIn, timeOf } from './time-span.ts'
import { readJsonLines } from './trim-json-line.ts'

export interface LineRenderer {
  /** Cut when very long. */
  readonly verbatim: (line: number) => string
  /** Without constant or repeated columns, process numbers and the date. */
  readonly brief: (line: number, withLevel?: boolean) => string
  /** Common message words; variable ones as `*`. */
  readonly shared: (kind: LineKind) => string
}

export interface RenderOptions {
  /** Whether `brief` keeps the time of day. */
  readonly withTime: boolean
  /** Its ids are printed whole, and the best-fitting part of very long lines. */
  readonly goal: Goal | undefined
}

const LONGEST_VERBATIM = 1200
const LONGEST_BRIEF = 600
const LONGEST_SHARED = 200
const WINDOW = 300
const LONGEST_SEARCHED = 60_000
const LONG_ID = /\b(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{20,})\b/gi
/** Process and thread numbers are uninformative; client addresses aren't. */
const ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}\b|^[\da-f]{1,4}(?::[\da-f]{0,4}){3,7}$/i
const PACKAGE_PATH = /\b(?:[a-z_][\w$]*\.){2,}(?=[A-Za-z_])/g

export function makeRenderer(log: MinedLog, { withTime, goal }: RenderOptions): LineRenderer {
  const { lines, columns } = log
  const json = columns.kinds.length === 0 ? readJsonLines(lines) : undefined
  const width = columns.kinds.length
  const splitter = new ColumnSplitter()
  const lowerGoal = (goal?.text ?? '').toLowerCase()
  const shortenIds = (text: string) =>
    text.replace(LONG_ID, (id) => (lowerGoal.includes(id.toLowerCase()) ? id : `${id.slice(0, 8)}…`))

  const message = (line: number): string => {
    const start = log.messageStart(line)
    return lines.text.slice(start, Math.min(lines.end(line), start + 4 * LONGEST_SHARED))
  }
  const keptColumns = (line: number, keepTime: boolean, keepLevel: boolean): string => {
    const end = lines.end(line)
    const from = log.messageStart(line)
    if (json) {
      const clock = keepTime ? clockIn(timeOf(log, line) ?? '') : undefined
      const text = json.trim(lines.text.slice(from, end))
      return clock === undefined ? text : `${clock} ${text}`
    }
    if (width === 0 || from === lines.start(line)) return lines.text.slice(from, end)
    splitter.split(lines.text, lines.start(line), end, width)
    const kept: string[] = []
    columns.kinds.forEach((kind, i) => {
      const value = lines.text.slice(splitter.starts[i], splitter.ends[i])
      const isUsual = columns.constants[i] === value
      if (isUsual || columns.repeats[i] === true || (kind === 'number' && !ADDRESS.test(value))) return
      if (kind === 'level' && !keepLevel) return
      if (kind === 'time') {
        const clock = keepTime ? clockIn(value) : undefined
        if (clock !== undefined && !kept.includes(clock)) kept.push(clock)
      } else kept.push(value)
    })
    kept.push(lines.text.slice(from, end))
    return kept.join(' ')
  }

  return {
    verbatim: (line) => cut(lines.read(line), LONGEST_VERBATIM),
    brief: (line, withLevel = true) => excerpt(shortenIds(keptColumns(line, withTime, withLevel)), goal),
    shared: ({ samples }) => {
      const messages = samples.map((line) => (json ? json.trim(message(line)) : message(line)))
      return cut(
        shortenIds(sharedText(messages).replace(PACKAGE_PATH, ''))
          .replace(/\s{2,}/g, ' ')
          .trim(),
        LONGEST_SHARED,
      )
    },
  }
}

/** The start of a long line and, with a goal, its best-fitting part. */
function excerpt(text: string, goal: Goal | undefined): string {
  if (text.length <= LONGEST_BRIEF || goal === undefined) return cut(text, LONGEST_BRIEF)
  let best = 0
  let place = 0
  for (let at = WINDOW / 2; at < Math.min(text.length, LONGEST_SEARCHED); at += WINDOW / 2) {
    const { counts } = countTerms(text, goal, at, Math.min(text.length, at + WINDOW))
    const found =
      counts?.reduce((sum, count, term) => sum + (count > 0 ? (goal.terms[term]?.weight ?? 0) : 0), 0) ?? 0
    if (found > best) {
      best = found
      place = at
    }
  }
  if (best === 0 || place + WINDOW <= LONGEST_BRIEF) return cut(text, LONGEST_BRIEF)
  return `${cut(text, LONGEST_BRIEF - WINDOW)} ${cut(text.slice(place), WINDOW)}`
}

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text
  const code = text.charCodeAt(longest - 1)
  return `${text.slice(0, code >= 0xd800 && code <= 0xdbff ? longest - 1 : longest)}…`
}
