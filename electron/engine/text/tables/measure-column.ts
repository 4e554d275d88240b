import { UNITS } from '../words/units.ts'

/** A column whose values can be ordered. */
export interface Measured {
  readonly kind: 'number' | 'date' | 'duration'
  /** Durations until now: "3 weeks ago". */
  readonly isAge?: boolean
  /** By place in the column; NaN for what is neither. */
  readonly values: Float64Array
}

const SAMPLE = 50
/** Least share of values that must be numbers or dates. */
const SHARE = 0.6
const LONGEST = 40

/** Types a column from a sample, then reads all of it. */
export const measureColumn = (count: number, textOf: (place: number) => string): Measured | undefined =>
  measureColumns(count, 1, (place) => [textOf(place)])[0]

/** The same for the first `columns` of a table, whose rows are asked for in turn. */
export function measureColumns(
  count: number,
  columns: number,
  cellsOf: (row: number) => readonly string[],
): (Measured | undefined)[] {
  const size = Math.min(SAMPLE, count)
  const sample = Array.from({ length: size }, (_, i) => cellsOf(Math.floor((i * count) / size)))
  const readers = Array.from({ length: columns }, (_, column) =>
    readerOf(sample.map((cells) => cells[column] ?? '')),
  )
  const values = readers.map((reader) => new Float64Array(reader === undefined ? 0 : count))
  for (let row = 0; row < count; row++) {
    const cells = cellsOf(row)
    readers.forEach((reader, column) => {
      if (reader !== undefined) values[column]![row] = reader.read(cells[column] ?? '')
    })
  }
  return readers.map(
    (reader, column) => reader && { kind: reader.kind, isAge: reader.isAge, values: values[column]! },
  )
}

interface ColumnReader extends Pick<Measured, 'kind'> {
  readonly isAge: boolean
  readonly read: (text: string) => number
}

function readerOf(sample: readonly string[]): ColumnReader | undefined {
  const label = labelOf(sample)
  const bare = (text: string): string =>
    beforeGap(withoutAgo(text.startsWith(label) ? text.slice(label.length) : text))
  const { kind, read } = kindOfSample(sample.map(bare))
  if (kind === undefined) return undefined
  const isAge = kind === 'duration' && sample.filter((text) => AGO.test(text)).length > SHARE * sample.length
  return { kind, isAge, read: (text) => read(bare(text)) }
}

/** Around a span: "Up 3 hours", "about an hour ago", "2 weeks old". */
const AGO = /^(?:up |since )|\s(?:ago|old)$/i
const AROUND = /^(?:up |for |about |almost |over |less than |in )+|\s(?:ago|old)(?= *\(|$)/gi
const ONE = /^an? (?=[a-z]+$)/i

function withoutAgo(text: string): string {
  if (!SPANNED.test(text)) return text
  return text.replace(AROUND, '').replace(ONE, '1 ')
}
const SPANNED = /\b(?:second|minute|hour|day|week|month|year)s?\b/i

/** What stands before each value: `import time:   462`, `b. 1962/04/23`. */
function labelOf(texts: readonly string[]): string {
  const [label = ''] = /^[^\d:=]*[a-z](?: ?[:=]|\. )(?=\s*[-+]?\d)/i.exec(texts[0] ?? '') ?? []
  return texts.every((text) => text.startsWith(label)) ? label : ''
}

/** What most of a column's values are, and how to read them. */
function kindOfSample(texts: readonly string[]): {
  readonly kind: Measured['kind'] | undefined
  readonly read: (text: string) => number
} {
  const filled = texts.filter((text) => text !== '' && text !== 'null' && text !== '-')
  const numerals = filled.filter((text) => NUMERAL.test(text)).length
  if (numerals < SHARE * filled.length || filled.length === 0) return { kind: undefined, read: () => NaN }
  const comma = hasDecimalComma(filled)
  const isMost = (read: (text: string) => number): boolean => {
    let most = filled.length
    for (const text of filled) if (Number.isNaN(read(text)) && --most < SHARE * filled.length) return false
    return true
  }
  const isDuration = filled.filter((text) => DURATION.test(text)).length >= SHARE * filled.length
  const number = (text: string): number => (text === '' ? NaN : readMeasure(text, comma, isDuration))
  // Order numbers may look like days: where one is none, all are numbers.
  const areDays = filled.every((text) => !LONG_NUMBER.test(text) || !Number.isNaN(readDate(text)))
  const date = areDays ? readDate : (text: string): number => (LONG_NUMBER.test(text) ? NaN : readDate(text))
  if (isMost(date)) return { kind: 'date', read: date }
  if (!isMost(number)) return { kind: undefined, read: number }
  return { kind: isDuration ? 'duration' : 'number', read: number }
}

/** As long as a day without signs between. */
const LONG_NUMBER = /^[1-9]\d{7,}$/

/** Words are the most of columns: no date and no number is without. */
const NUMERAL = /\d|Infinity/

/** `3040      Blocks: 8`, `1.2MiB / 7GiB`, `12 (3 %)` and `7[2]` have several values: the first is the field's. */
function beforeGap(text: string): string {
  const drawn = DRAWN.exec(text)
  if (drawn !== null) return drawn[1] ?? ''
  const whole = text.trim()
  if (whole.length >= LONGEST_BEFORE || !FIRST_NUMBER.test(whole)) return whole
  return whole.slice(0, whole.search(GAP))
}

/** A number and its bar: `1861 ++++---`. */
const DRAWN = /^\s*(\d[\d.,]*%?)\s+[-+#*=|\u2580-\u25a1]+\s*$/u
const LONGEST_BEFORE = 200
const FIRST_NUMBER =
  /^[-−+]?[$€£¥₹₩]?[ ]?\d[\d.,]*(?:[\p{L}µ%]{0,3}| \p{L}{2,8}| ?[$€£¥₹₩])(?: {2}|[ \t]*\t| \/ \d| ?[[(（])/u
const GAP = / {2}|\t| \/ | ?[[(（]/

/** In a column, any comma not followed by exactly three digits is a decimal one. */
function hasDecimalComma(texts: readonly string[]): boolean {
  let groups = false
  for (const text of texts) {
    const match = /^[^\d]*-?\d+,(\d+)(?!\d*[,\d])/.exec(text)
    if (match === null) continue
    if (match[1]?.length !== 3) return true
    groups ||= /^[^\d]*0,/.test(text)
  }
  return groups
}

const DURATION =
  /^\d[\d.,]*\s?(?:ns|[uµμ]s|ms|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?|months?|y|yrs?|years?)(?:\d|\s|,|$)/i

/** A number with a sign, currency, unit, thousands marks or exponent; a clock or a duration, in seconds. */
function readMeasure(text: string, comma: boolean, isDuration: boolean): number {
  if (text.length === 0 || text.length > LONGEST) return NaN
  const plain = Number(text)
  if (!Number.isNaN(plain)) return plain
  const match = NUMBER.exec(text)
  if (match === null) return readSpan(text)
  const [, sign = '', digits = '', exponent = '', unit = ''] = match
  const bare = comma ? digits.replace(/[.\s']/g, '').replace(',', '.') : digits.replace(/[,\s'_]/g, '')
  const number = Number(`${/[-−(]/.test(sign) ? '-' : ''}${bare}${exponent}`)
  const lower = unit.toLowerCase()
  // Megabytes are an M, minutes or thousandths an m.
  const factor = unit === 'M' ? 1e6 : unit === 'm' ? (isDuration ? 60 : 1e-3) : UNITS.get(lower)
  return factor === undefined ? (comma && unit !== '' ? NaN : number) : number * factor
}

const NUMBER =
  /^([-−+(]?[$€£¥₹₩~<>≈]{0,2}\s?[-−]?)(\d[\d.,_']*(?:\s\d{3})*)(e[+-]?\d{1,3})?\s?([\p{L}µμ%]{0,12}|[$€£¥₹₩])\.?\)?$/iu

/** Seconds; NaN for another text: "1h2m", "5d3h", "2 days 3 hours", "1:02:03", "3-01:02:03", "3 days, 1:02:03". */
export function readSpan(text: string): number {
  const clock = /^(?:(\d+)(?:-| days?,? ))?(\d+):(\d\d(?:\.\d+)?)(?::(\d\d(?:\.\d+)?))?$/.exec(text)
  if (clock !== null) {
    const high = Number(clock[2]) * 60 + Number(clock[3])
    // Days have hours and minutes below them.
    if (clock[4] === undefined)
      return high * (clock[1] === undefined ? 1 : 60) + Number(clock[1] ?? 0) * 86_400
    return high * 60 + Number(clock[4]) + Number(clock[1] ?? 0) * 86_400
  }
  let sum = 0
  let from = 0
  const part = /(\d+(?:\.\d+)?)\s?([a-zµμ]+)[\s,]*/iy
  while (from < text.length) {
    part.lastIndex = from
    const match = part.exec(text)
    if (match === null) return NaN
    const unit = match[2]?.toLowerCase() === 'm' ? 60 : UNITS.get((match[2] ?? '').toLowerCase())
    if (unit === undefined) return NaN
    sum += Number(match[1]) * unit
    from = part.lastIndex
  }
  return sum
}

/** "20261117", "20261117T130000Z", "20261117130000". */
const COMPACT_DATE =
  /^((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?:T?([01]\d|2[0-3])([0-5]\d)([0-5]\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)?$/

const MONTHS = 'janfebmaraprmayjunjulaugsepoctnovdec'

/** Days since a fixed point, for the usual ways to write a date or moment. */
function readDate(text: string): number {
  if (text.length < 6 || text.length > LONGEST) return NaN
  const iso = /^(\d{4})[-/.](\d\d)(?:[-/.](\d\d))?(?:[T ]+(\d\d):(\d\d)(?::(\d\d(?:[.,]\d+)?))?)?/.exec(text)
  if (iso !== null) {
    const [, year, month, day = '1', hour = '0', minute = '0', second = '0'] = iso
    // "1022.67" is a number.
    const isDate = Number(month) <= 12 && (text[4] !== '.' || iso[3] !== undefined)
    return isDate ? dayOf(Number(year), Number(month), Number(day)) + clockOf(hour, minute, second) : NaN
  }
  const compact = COMPACT_DATE.exec(text)
  if (compact !== null) {
    const [, year, month, day, hour = '0', minute = '0', second = '0'] = compact
    return dayOf(Number(year), Number(month), Number(day)) + clockOf(hour, minute, second)
  }
  const numeric = /^(\d{1,2})([/.])(\d{1,2})\2(\d{4})\b/.exec(text)
  if (numeric !== null) {
    const [, first, sign, second, year] = numeric
    const isDayFirst = sign === '.' || Number(first) > 12
    return isDayFirst
      ? dayOf(Number(year), Number(second), Number(first))
      : dayOf(Number(year), Number(first), Number(second))
  }
  const named =
    /^(?:[A-Za-z]{3,9},? )?(?:(\d{1,2})[ -])?([A-Za-z]{3})[a-z]*\.?(?: {1,2}|-)(?:(\d{1,2})(?:st|nd|rd|th)?,? )?(?:(\d\d):(\d\d)(?::(\d\d))?[^\d]{1,7})?(\d{4})\b(?: (\d\d):(\d\d)(?::(\d\d))?)?/.exec(
      text,
    )
  if (named === null) return NaN
  const [, before, month = '', after, hour, minute, second, year, lateHour, lateMinute, lateSecond] = named
  const place = MONTHS.indexOf(month.toLowerCase())
  if (place < 0 || place % 3 !== 0) return NaN
  return (
    dayOf(Number(year), place / 3 + 1, Number(before ?? after ?? 1)) +
    clockOf(hour ?? lateHour ?? '0', minute ?? lateMinute ?? '0', second ?? lateSecond ?? '0')
  )
}

const dayOf = (year: number, month: number, day: number): number => year * 372 + month * 31 + day
const clockOf = (hour: string, minute: string, second: string): number =>
  (Number(hour) * 3600 + Number(minute) * 60 + Number(second.replace(',', '.'))) / 86_400
