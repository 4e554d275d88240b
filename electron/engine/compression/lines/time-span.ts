import type { ReadKinds } from './read-kinds.ts'
import { sampleLines } from './text-lines.ts'

const DAY = String.raw`\d{2,4}[-/.]\d\d(?:[-/.]\d{2,4})?|\d\d[-/]\w{3}[-/]\d{4}|(?:[A-Z][a-z]{2} )?[A-Z][a-z]{2} [ \d]?\d(?:,? \d{4}(?![\d:]))?|(?:[A-Z][a-z]{2},? )?\d?\d[ -][A-Z][a-z]{2}(?:[ -]\d{4}(?![\d:]))?`
// Not a place on a bus: "00:14.3".
const CLOCK = String.raw`(?<!\d)\d?\d:\d\d(?::\d\d(?:[.,]\d+(?= [AaPp][Mm]\b))?|(?!\.\d\b))(?: ?[AaPp]\.?[Mm]\b\.?)?`
/** A day with a clock, a clock where a line begins, a clock with seconds, a day. */
const TIME = new RegExp(
  String.raw`(?<!\d)(?:${DAY})[T :,]{1,2}${CLOCK}(?: \d{4}\b)?(?: [+-]\d{4}\b)?|^\W?${CLOCK}|\d\d:\d\d:\d\d(?: ?[AP]M\b)?|\d{4}-\d\d-\d\d`,
)
const EPOCH = /"(?:time|ts|timestamp)":\s*(1\d{9})(\d{3})?/
const SORTABLE = /^\d{4}[-/.]\d\d[-/.]\d\d/
const LOOK_AT = 50
const LONGEST = 300

/** First to last in the text's notation, e.g. "2015-10-18 18:01:47 to 18:10:12", where times of one day are sorted. */
export function timeSpan({ lines }: ReadKinds): string | undefined {
  const timesOf = (numbers: Iterable<number>): string[] =>
    [...numbers].flatMap((line) => timeIn(lines.read(line).slice(0, LONGEST)) ?? [])
  const ends = Math.min(lines.count, LOOK_AT)
  const [first] = timesOf(sampleLines(ends, ends))
  const last = timesOf(sampleLines(ends, ends).map((line) => lines.count - ends + line)).at(-1)
  if (first === undefined || last === undefined) return undefined
  const times = [first, ...timesOf(sampleLines(lines.count, LOOK_AT)), last]
  if (times.some((time, i) => i > 0 && isBefore(time, times[i - 1] ?? time))) return undefined
  if (first === last) return first
  return `${first} to ${dayOf(first) === dayOf(last) ? last.slice(last.search(CLOCK)) : last}`
}

/** Times of one day, those that sort as text, and those with the month's name and the year. Of others the order isn't known. */
const isBefore = (one: string, other: string): boolean =>
  NAMED_DAY.test(one) && NAMED_DAY.test(other)
    ? Date.parse(one) < Date.parse(other)
    : ((SORTABLE.test(one) && SORTABLE.test(other)) || dayOf(one) === dayOf(other)) && one < other

const NAMED_DAY = /[A-Z][a-z]{2}.*\b\d{4}\b/

const dayOf = (time: string): string => time.replace(new RegExp(CLOCK), '')

function timeIn(line: string): string | undefined {
  const found = TIME.exec(line)?.[0]
  if (found !== undefined) return found.replace(/(?<=\d)T/, ' ').replace(/^\W/, '')
  const epoch = EPOCH.exec(line)?.[1]
  return epoch === undefined
    ? undefined
    : new Date(Number(epoch) * 1000).toISOString().slice(0, 19).replace('T', ' ')
}
