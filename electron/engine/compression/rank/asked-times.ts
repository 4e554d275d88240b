const MONTHS = 'janfebmaraprmayjunjulaugsepoctnovdec'
/** English, or its beginning. */
const MONTH = '(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\\.?'
const MONTH_FIRST = new RegExp(`\\b(${MONTH}) (\\d{1,2})\\b`, 'gi')
const DAY_FIRST = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th|\\.)? (?:of )?(${MONTH})`, 'gi')

/** Whether a time has a date or a clock time of the goal, which may write it in English words or as a Unix time. */
export function timesIn(goal: string | undefined): (time: string) => boolean {
  if (goal === undefined) return () => false
  const asked: string[] = goal.match(/\d+[-:]\d\d(?:[-:T\d]*\d)?|\b\d{10}(?:\d{3})?\b/g) ?? []
  for (const [, month = '', day = ''] of goal.matchAll(MONTH_FIRST)) asked.push(dayOf(month, day))
  for (const [, day = '', month = ''] of goal.matchAll(DAY_FIRST)) asked.push(dayOf(month, day))
  return (time) => asked.some((part) => time.includes(part))
}

interface Day {
  readonly year: number | undefined
  readonly month: number
  readonly day: number
}

const DAYS = new RegExp(
  [
    String.raw`\b(?<y1>\d{4})[-/](?<m1>\d\d)[-/](?<d1>\d\d)(?!\d)`,
    String.raw`\b(?<d2>\d{1,2})(?:(?:st|nd|rd|th|\.)? (?:of )?|[-/])(?<m2>${MONTH})\b(?:[-/ ,]{1,2}(?<y2>(?:19|20)\d\d))?`,
    String.raw`\b(?<m3>${MONTH}) {1,2}(?<d3>\d{1,2})\b(?!:)(?:,? (?<y3>(?:19|20)\d\d)\b)?`,
    String.raw`\b(?<d4>\d{1,2})\.(?<m4>\d{1,2})\.(?<y4>\d{4})\b`,
  ].join('|'),
  'gi',
)

function* daysOf(text: string): Generator<Day> {
  for (const { groups = {} } of text.matchAll(DAYS)) {
    const part = (name: string): string | undefined =>
      [1, 2, 3, 4].map((way) => groups[`${name}${way}`]).find((each) => each !== undefined)
    const [year, month = '', day] = [part('y'), part('m'), part('d')]
    // "The 9 may fail".
    if (month === 'may' && year === undefined) continue
    yield {
      year: year === undefined ? undefined : Number(year),
      month: /\d/.test(month) ? Number(month) : monthOf(month),
      day: Number(day),
    }
  }
}

/** Whether the first date in a line is a day of the goal; undefined where the goal has none. */
export function onAskedDay(goal: string): ((line: string) => boolean) | undefined {
  const asked = [...daysOf(goal)]
  if (asked.length === 0) return undefined
  return (line) => {
    const [found] = daysOf(line)
    return asked.some(
      ({ year, month, day }) =>
        found?.day === day &&
        found.month === month &&
        (found.year ?? year ?? 0) === (year ?? found.year ?? 0),
    )
  }
}

/** What a goal may call a day: "2026-02-20 00:00 February 20". */
export const wordsOfTime = (time: string): string =>
  `${time} ${MONTH_NAMES[Number(time.slice(5, 7)) - 1] ?? ''} ${Number(time.slice(8, 10))}`
const MONTH_NAMES =
  'January February March April May June July August September October November December'.split(' ')

/** From 1. */
const monthOf = (name: string): number => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) / 3 + 1

const dayOf = (month: string, day: string): string =>
  `${`${monthOf(month)}`.padStart(2, '0')}-${day.padStart(2, '0')}`
