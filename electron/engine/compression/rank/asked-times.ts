const MONTHS = 'janfebmaraprmayjunjulaugsepoctnovdec'
/** English, or its beginning. */
export const MONTH = '(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\\.?'
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

/** What a goal may call a day: "2026-02-20 00:00 February 20". */
export const wordsOfTime = (time: string): string =>
  `${time} ${MONTH_NAMES[Number(time.slice(5, 7)) - 1] ?? ''} ${Number(time.slice(8, 10))}`
const MONTH_NAMES =
  'January February March April May June July August September October November December'.split(' ')

/** From 1. */
export const monthOf = (name: string): number => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) / 3 + 1

const dayOf = (month: string, day: string): string =>
  `${`${monthOf(month)}`.padStart(2, '0')}-${day.padStart(2, '0')}`
