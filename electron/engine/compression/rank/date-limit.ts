import { wordsOf } from '../../text/words/scan-words.ts'
import { MONTH, monthOf } from './asked-times.ts'

/** "After 14 October", "before 2012": days as `year * 372 + month * 31 + day`, as columns of dates are measured. */
export interface DateLimit {
  /** By the year that the column's dates are in, where the goal names none: whether a date is asked for. */
  isBeyond(date: number, usualYear: number): boolean
  /** As the goal writes it, in lower case: asked about, not for. */
  readonly words: readonly string[]
}

const AFTER = 'after|later than|newer than|since|starting|from'
const BEFORE = 'before|earlier than|older than|prior to|until|till|up to'
const FROM_ITS_START = /^(?:since|starting|from)$/i
const TO_ITS_END = /^(?:until|till|up to)$/i
const YEAR = String.raw`(?:19|20)\d\d`
const DATES = [
  String.raw`(?<y1>${YEAR})-(?<m1>\d\d)(?:-(?<d1>\d\d))?`,
  String.raw`(?<d2>\d{1,2})(?:st|nd|rd|th|\.)? (?:of )?(?<m2>${MONTH})(?:,? (?<y2>${YEAR}))?`,
  String.raw`(?<m3>${MONTH}) (?<d3>\d{1,2})(?!\d)(?:st|nd|rd|th)?(?:,? (?<y3>${YEAR}))?`,
  String.raw`(?<m4>${MONTH}),? (?<y4>${YEAR})`,
  String.raw`(?<y5>${YEAR})(?![\d.,-]*\d)`,
]
const LIMIT = new RegExp(
  String.raw`\b(?<word>${AFTER}|${BEFORE}) (?:the |on |day )*(?<date>${DATES.join('|')})\b`,
  'i',
)
const ENDS = new RegExp(`^(?:${BEFORE})$`, 'i')

export function dateLimitIn(goal: string): DateLimit | undefined {
  const groups = LIMIT.exec(goal)?.groups
  if (groups === undefined) return undefined
  const { word = '', date = '' } = groups
  const part = (name: string): string | undefined =>
    [1, 2, 3, 4, 5].map((i) => groups[`${name}${i}`]).find((each) => each !== undefined)
  const year = part('y') === undefined ? undefined : Number(part('y'))
  const named = part('m')
  const month = named === undefined ? 0 : /\d/.test(named) ? Number(named) : monthOf(named)
  const day = Number(part('d') ?? 0)
  const startsAt = (usual: number): number => dayOf(year ?? usual, month || 1, day || 1)
  const endsAt = (usual: number): number =>
    day > 0
      ? dayOf(year ?? usual, month, day) + 1
      : month > 0
        ? dayOf(year ?? usual, month + 1, 1)
        : dayOf((year ?? usual) + 1, 1, 1)
  return {
    words: wordsOf(date.toLowerCase()),
    isBeyond(value, usual) {
      if (ENDS.test(word)) return value < (TO_ITS_END.test(word) ? endsAt(usual) : startsAt(usual))
      return value >= (FROM_ITS_START.test(word) ? startsAt(usual) : endsAt(usual))
    },
  }
}

const dayOf = (year: number, month: number, day: number): number => year * 372 + month * 31 + day
