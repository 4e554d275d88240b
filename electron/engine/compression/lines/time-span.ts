import { classOfField, TIME } from './field-class.ts'
import type { ReadKinds } from './read-kinds.ts'
import { FieldSplitter } from './split-fields.ts'
import { sampleLines } from './text-lines.ts'

const TIMESTAMP = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d\d:\d\d:\d\d/
const EPOCH = /"(?:time|ts|timestamp)":\s*(1\d{9})(\d{3})?/
const DAY = /\d{4}[-./]\d\d[-./]\d\d|[A-Z][a-z]{2} +\d{1,2}\b|\d{1,2}\/[A-Z][a-z]{2}\/\d{4}|\d{8}(?=-)/
const LOOK_AT = 50

/** First to last in the text's notation, e.g. "2015-10-18 18:01:47 to 18:10:12". */
export function timeSpan(read: ReadKinds): string | undefined {
  const { count } = read.lines
  const sorted = count <= ALL_LOOKED_AT ? spanOfAll(read) : undefined
  if (sorted !== undefined) return inWords(sorted[0], sorted[1])
  const first = firstTime(read, 0, 1, Math.min(count, LOOK_AT))
  const last = firstTime(read, count - 1, -1, Math.min(count, LOOK_AT))
  return isInOrder(read, first, last) ? inWords(first, last) : undefined
}

/** A text that isn't sorted by time doesn't say its span at its ends. Times that don't sort as text are believed. */
function isInOrder(read: ReadKinds, first: string | undefined, last: string | undefined): boolean {
  const between = sampleLines(read.lines.count, LOOK_AT).map((line) => timeOf(read, line))
  const times = [first, ...between, last].filter((time) => time !== undefined && SORTABLE.test(time))
  return times.every((time, i) => i === 0 || (time ?? '') >= (times[i - 1] ?? ''))
}

function inWords(first: string | undefined, last: string | undefined): string | undefined {
  if (first === undefined || last === undefined || first === last) return first
  const day = DAY.exec(first)?.[0]
  const isSameDay = day !== undefined && last.includes(day)
  return `${first} to ${isSameDay ? last.replace(day, '').replace(/^[\s:]+/, '') : last}`
}

/** Short event lists are often unordered; only times that sort as text are comparable. */
function spanOfAll(read: ReadKinds): readonly [string, string] | undefined {
  const times: string[] = []
  for (let line = 0; line < read.lines.count; line++) {
    const time = timeOf(read, line)
    if (time !== undefined && SORTABLE.test(time)) times.push(time)
    else if (time !== undefined && /\d:\d/.test(time)) return undefined
  }
  if (times.length === 0) return undefined
  const least = times.reduce((a, b) => (b < a ? b : a))
  const most = times.reduce((a, b) => (b > a ? b : a))
  return [least, most]
}

const SORTABLE = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/
const ALL_LOOKED_AT = 500

function firstTime(read: ReadKinds, from: number, step: number, tries: number): string | undefined {
  for (let i = 0, line = from; i < tries; i++, line += step) {
    const time = timeOf(read, line)
    if (time !== undefined) return time
  }
  return undefined
}

/** Without fractions of a second; the most readable of several. */
function timeOf(read: ReadKinds, line: number): string | undefined {
  const { lines, prefixes } = read
  const start = lines.start(line)
  const end = lines.end(line)
  const columns = prefixes.groups[read.groupOf(line)]
  if (columns !== undefined) {
    const splitter = new FieldSplitter(prefixes.marks)
    splitter.split(lines.text, start, end, columns.length)
    const first = columns.findIndex(({ role }) => role === 'time')
    const last = columns.findLastIndex(({ role }) => role === 'time')
    const values: string[] = []
    for (let i = first; i >= 0 && i <= last && values.length < 3; i++) {
      const value = lines.text.slice(splitter.starts[i], splitter.ends[i])
      const isDay = columns[i]?.role === 'number' && /^\d{1,2}$/.test(value)
      // Unix seconds are for machines: used only without another time.
      if (isDay || (classOfField(value) === TIME && !/^\d{9,}/.test(value))) values.push(value)
    }
    const time = withoutFractions(values.join(' '))
    if (/\d:\d|\d[-/.]\d/.test(time)) return time
  }
  const head = lines.text.slice(start, Math.min(end, start + 300))
  const found = TIMESTAMP.exec(head)?.[0]
  if (found !== undefined) return found.replace('T', ' ')
  const epoch = EPOCH.exec(head)?.[1]
  return epoch === undefined
    ? undefined
    : new Date(Number(epoch) * 1000).toISOString().slice(0, 19).replace('T', ' ')
}

const withoutFractions = (time: string) =>
  time
    .replace(/(\d\d:\d\d:\d\d)[.,]\d+/g, '$1')
    .replace(/(\d\d)T(\d\d)/g, '$1 $2')
    .replace(/[[\]()]/g, '')
