import { classOfField, TIME } from './field-class.ts'
import type { PrefixColumn } from './learn-prefix.ts'
import type { ReadKinds } from './read-kinds.ts'
import { FieldSplitter } from './split-fields.ts'
import { sampleLines } from './text-lines.ts'

const TIMESTAMP = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d\d:\d\d:\d\d/
const EPOCH = /"(?:time|ts|timestamp)":\s*(1\d{9})(\d{3})?/
const LOOK_AT = 50

/** First to last in the text's notation, e.g. "2015-10-18 18:01:47 to 18:10:12". */
export function timeSpan(read: ReadKinds): string | undefined {
  const { count } = read.lines
  const timeOf = timesOf(read)
  const first = firstTime(timeOf, 0, 1, Math.min(count, LOOK_AT))
  const last = firstTime(timeOf, count - 1, -1, Math.min(count, LOOK_AT))
  const between = sampleLines(count, LOOK_AT).map(timeOf)
  return isInOrder([first, ...between, last]) ? inWords(first, last) : undefined
}

/** A text that isn't sorted by time doesn't say its span at its ends. */
function isInOrder(told: readonly (string | undefined)[]): boolean {
  const times = told.filter((time) => time !== undefined)
  return times.every((time, i) => i === 0 || !isBefore(time, times[i - 1] ?? time))
}

/** Times of one day, and those that sort as text. Of others the order isn't known. */
const isBefore = (one: string, other: string): boolean =>
  ((SORTABLE.test(one) && SORTABLE.test(other)) || dayOf(one) === dayOf(other)) && one < other

const dayOf = (time: string): string => readable(time).replace(CLOCK, '')
const CLOCK = /(?<!\d)\d\d:\d\d(?::\d\d)?/

function inWords(from: string | undefined, to: string | undefined): string | undefined {
  if (from === undefined || to === undefined) return undefined
  const [first, last] = [readable(from), readable(to)]
  if (first === last) return first
  return `${first} to ${dayOf(first) === dayOf(last) ? last.slice(last.search(CLOCK)) : last}`
}

const SORTABLE = /^[[(]?\d{4}-\d\d-\d\d[T ]\d\d:\d\d/

function firstTime(timeOf: TimeOf, from: number, step: number, tries: number): string | undefined {
  for (let i = 0, line = from; i < tries; i++, line += step) {
    const time = timeOf(line)
    if (time !== undefined) return time
  }
  return undefined
}

/** "Thu", "Nov", "26", "07:25:18". */
const MOST_FIELDS = 4

/** The most readable of several, as the line has it. */
type TimeOf = (line: number) => string | undefined

function timesOf(read: ReadKinds): TimeOf {
  const { lines, prefixes } = read
  const splitter = new FieldSplitter(prefixes.marks)
  const places = prefixes.groups.map((columns) => {
    const isTime = ({ role }: PrefixColumn): boolean => role === 'time'
    return [columns.findIndex(isTime), columns.findLastIndex(isTime)] as const
  })
  return (line) => {
    const start = lines.start(line)
    const end = lines.end(line)
    const [first, last] = places[read.groupOf(line)] ?? NOWHERE
    if (first >= 0) {
      splitter.split(lines.text, start, end, last + 1)
      const values: string[] = []
      for (let i = first; i <= last && values.length < MOST_FIELDS; i++) {
        const value = lines.text.slice(splitter.starts[i], splitter.ends[i])
        const isDay = /^\d{1,2}$/.test(value)
        // Unix seconds are for machines: used only without another time.
        if (isDay || (classOfField(value) === TIME && !/^\d{9,}/.test(value))) values.push(value)
      }
      const time = values.join(' ')
      if (/\d:\d|\d[-/.]\d/.test(time)) return time
    }
    const head = lines.text.slice(start, Math.min(end, start + 300))
    const found = TIMESTAMP.exec(head)?.[0]
    if (found !== undefined) return found
    const epoch = EPOCH.exec(head)?.[1]
    return epoch === undefined ? undefined : new Date(Number(epoch) * 1000).toISOString().slice(0, 19)
  }
}

const NOWHERE = [-1, -1] as const

/** Without fractions of a second and brackets. */
const readable = (time: string): string =>
  time
    .replace(/(\d\d:\d\d:\d\d)[.,]\d+/g, '$1')
    .replace(/(\d\d)T(\d\d)/g, '$1 $2')
    .replace(/[[\]()]/g, '')
