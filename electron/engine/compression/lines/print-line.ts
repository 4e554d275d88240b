import { countTerms } from '../../text/words/count-terms.ts'
import { excerpt } from '../rank/excerpt.ts'
import type { Goal } from '../rank/goal.ts'
import { classOfField, TIME } from './field-class.ts'
import { withMark } from './cut-line.ts'
import { levelOf } from './levels.ts'
import type { LineKind } from './line-kind.ts'
import type { PrefixColumn } from './learn-prefix.ts'
import type { ReadKinds } from './read-kinds.ts'
import { fitsShared, matchShared, sharedText } from './share-of-kind.ts'
import { FieldSplitter } from './split-fields.ts'

export interface LinePrinter {
  /** Verbatim behind the prefix; of a very long line the beginning and what fits the goal. */
  hit(line: number): string
  /** With its time, also where the goal does not ask for it. */
  dated(line: number, longest?: number): string
  brief(line: number, longest: number): string
  /** Blanks before a line that has no prefix: its depth. */
  indentOf(line: number): string
  /** What all lines of a kind share, without its depth. */
  shared(kind: LineKind): string
  /** Whether a line says all of such a text. */
  fits(line: number, shared: string): boolean
  /** Says whether a line is such a text, with or without its prefix. */
  matching(shared: string): (line: number) => boolean
  /** Values that lines leave out where they have them. */
  readonly usual: readonly string[]
}

const LONGEST_HIT = 500
/** Characters of a value in JSON. */
const JSON_VALUE = { hit: 240, brief: 90 } as const
const LONGEST_SHARED = 200
/** Without it a line says another thing. */
const COMMENT = /^(?:#+|;+|\/\/|--|[-+])$/
/** The depth of a line says what it is below; beyond this it only costs. */
const MOST_INDENT = ' '.repeat(96)
const DEEP = /^\s{97,}/
/** Members of which a kind shares the names alone. */
const HOLLOW = /(?:"[^"]*":"?…"?,)+/g
const RULE = /([-=*_~^#+])\1{9,}/g

export function makePrinter(read: ReadKinds, goal: Goal | undefined, withTime: boolean): LinePrinter {
  const { lines, json, prefixes } = read
  const { text } = lines
  const splitter = new FieldSplitter(prefixes.isTabbed)
  const levelBefore = (line: number): string => {
    const columns = prefixes.groups[read.groupOf(line)] ?? []
    const place = columns.findIndex(({ role }) => role === 'level')
    const column = columns[place]
    if (column === undefined) return ''
    splitter.split(text, lines.start(line), lines.end(line), columns.length)
    const value = text.slice(splitter.starts[place], splitter.ends[place])
    return value === column.common && isUsual(column) ? '' : `${value} `
  }

  const prefixOf = (line: number, isHit: boolean, timed: boolean): string => {
    const columns = prefixes.groups[read.groupOf(line)]
    if (columns === undefined) return ''
    splitter.split(text, lines.start(line), lines.end(line), columns.length)
    const [firstTime, lastTime] = clockOf(columns)
    // Numbers before messages are processes where there are times, and places and codes elsewhere.
    const isWhole = isHit || lastTime < 0
    const kept: string[] = []
    columns.forEach((column, i) => {
      const value = text.slice(splitter.starts[i], splitter.ends[i])
      const isOfTime = i >= firstTime && i <= lastTime
      const isWanted = (timed && isOfTime) || COMMENT.test(value)
      // A day says nothing without its month.
      if (isOfTime && !isWanted && DAY_OR_YEAR.test(value)) return
      if ((value === column.common && isUsual(column) && !isWanted) || kept.includes(value)) return
      if (column.role === 'time' && classOfField(value) === TIME) {
        if (isWanted) kept.push(value)
      } else if (isWhole || isWanted || column.isId || column.role === 'level' || column.role === 'name')
        kept.push(value)
    })
    return kept.length === 0 ? '' : `${kept.join(' ')} `
  }

  const isAsked = (member: string): boolean =>
    goal !== undefined && countTerms(member, goal).counts !== undefined

  const whole = (line: number, isHit: boolean, timed = withTime, longest = LONGEST_HIT): string => {
    if (json?.isObject(line) === true)
      return json.fit(line, timed, isHit ? JSON_VALUE.hit : JSON_VALUE.brief, longest, isAsked)
    const prefix = prefixOf(line, isHit, timed)
    const body = text.slice(read.bodyStart(line), lines.end(line))
    return prefix + (prefix === '' ? body.replace(DEEP, MOST_INDENT) : body.trimStart())
  }

  const bodyOf = (line: number): string => {
    if (json?.isObject(line) === true) return json.print(line, false, JSON_VALUE.brief)
    const start = read.bodyStart(line)
    return text.slice(start, Math.min(lines.end(line), start + 4 * LONGEST_SHARED)).trimStart()
  }

  return {
    usual: usualIn(read),
    indentOf(line) {
      if (json?.isObject(line) === true || read.bodyStart(line) !== lines.start(line)) return ''
      const [blanks = ''] =
        /^[ \t]*/.exec(text.slice(lines.start(line), lines.start(line) + MOST_INDENT.length)) ?? []
      return blanks
    },
    hit: (line) => excerpt(tidy(whole(line, true)), LONGEST_HIT, goal),
    dated: (line, longest) => {
      const text = excerpt(tidy(whole(line, true, true, longest)), LONGEST_HIT, goal)
      return longest === undefined ? text : withMark(text, longest)
    },
    brief: (line, longest) => withMark(tidy(withoutNoise(whole(line, false, withTime, longest))), longest),
    shared(kind) {
      const first = kind.samples[0] ?? kind.first
      const prefix = json?.isObject(first) === true ? '' : levelBefore(first)
      const shared = prefix + tidy(withoutNoise(sharedText(kind.samples.map(bodyOf))))
      return withMark(shared.length > LONGEST_SHARED ? shared.replace(HOLLOW, '…,') : shared, LONGEST_SHARED)
    },
    fits: (line, shared) =>
      fitsShared(
        shared,
        json?.isObject(line) === true ? bodyOf(line) : text.slice(lines.start(line), lines.end(line)),
      ),
    matching(shared) {
      const matches = matchShared(shared)
      return (line) => {
        const body = bodyOf(line)
        return (
          matches(body) ||
          (read.groupOf(line) >= 0 &&
            (matches(text.slice(lines.start(line), lines.end(line))) || matches(levelBefore(line) + body)))
        )
      }
    },
  }
}

/** First and last column of one time: of several, the last with its day, as of two clocks the logger's own. */
function clockOf(columns: readonly PrefixColumn[]): readonly [first: number, last: number] {
  const last = columns.findLastIndex(({ role }) => role === 'time')
  let first = last
  for (let i = last - 1; i >= 0; i--) {
    const { role, common } = columns[i] ?? { role: 'few', common: '' }
    if (role === 'time') first = i
    else if (!DAY_OR_YEAR.test(common)) break
  }
  const isDayFirst =
    MONTH.test(columns[first]?.common ?? '') && DAY_OR_YEAR.test(columns[first - 1]?.common ?? '')
  return [isDayFirst ? first - 1 : first, last]
}

const DAY_OR_YEAR = /^\d{1,4},?$/
const MONTH = /^[A-Z][a-z]{2}$/

const tidy = (text: string): string =>
  (text.includes('   ') || text.includes('\t')
    ? text.replace(/(?<=\S)[ \t]{3,}(?=\S)/g, '  ')
    : text
  ).replace(RULE, '$1$1$1…')

/** The column's common value is left out where a line has it. */
const isUsual = ({ role, common, share }: PrefixColumn): boolean =>
  role === 'level' ? share >= 0.5 && (levelOf(common) ?? 0) === 0 : share >= (role === 'constant' ? 0.9 : 0.6)

function usualIn({ prefixes, json }: ReadKinds): string[] {
  if (json !== undefined) return [...json.constants]
  const values = new Set<string>()
  for (const columns of prefixes.groups)
    for (const column of columns)
      if (column.role !== 'time' && isUsual(column) && /\w{2}/.test(column.common)) values.add(column.common)
  return [...values]
}

const LONG_ID =
  /(?<![\w/.@:-])(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?=[0-9a-f]*\d)[0-9a-f]{16,})(?![\w/.@:-])/gi
/** A dotted class name; hosts and files don't end in a capitalised part. */
const CLASS_PATH = /(?<![\w/.@:"$-])(?:[a-z_][\w$]*\.){2,}(?=[A-Z]\w*(?:[:\s\])]|$))/g

/** Without ids that say nothing and paths of class names. */
function withoutNoise(text: string): string {
  const named = text.replace(LONG_ID, '…')
  return named.includes('.') ? named.replace(CLASS_PATH, '…') : named
}
