import type { Found, Scan } from '../personal-data.ts'
import { isInsideEncodedData, isWordAt, isWordBefore } from './boundaries.ts'
import { matchesOf } from './matches-of.ts'
import type { DigitGroup, NumberRun } from './number-runs.ts'
import { isNumberOfGoods } from './other-numbers.ts'
import { isLabelledAsPhone } from './phone-labels.ts'

const SIMPLE_SEPARATOR = /^(?:[ ./\u00a0\u2011-]|[ \u00a0-]?\(|\)[ \u00a0./-]?)$/
const EXTENSION = /^[ ,]{0,2}(?:x|ext\.?|extension) ?\d{1,6}(?!\d)/i
/** "0911 / 47 11 32-0" */
const DIRECT_DIAL = /^-\d{1,4}(?![\w-]|[.,]\d)/
/** E.164 allows 15 digits, plus a zero in brackets, "+44 (0)20". */
const LONGEST_INTERNATIONAL = 16
const LONGEST_LABELLED = 13

/** Of a number. */
interface Opening {
  readonly text: string
  readonly run: NumberRun
  readonly first: number
}

type Form = (opening: Opening) => number | undefined

/** International, US, with bracketed area code or leading zero; others beside a label. */
export function findPhones({ text, numberRuns }: Scan): Found[] {
  const found: Found[] = []
  for (const run of numberRuns) {
    for (let first = 0; first < run.length; first++) {
      const group = run[first] as DigitGroup
      if (!startsNumber(text, run, first)) continue
      const opening = { text, run, first }
      const last = formOf(opening)
      const labelled = last === undefined ? labelledForm(opening, found.at(-1)) : last
      if (labelled === undefined) continue
      const end = endOf(text, run, first, labelled)
      if (last !== undefined && text.charAt(group.start - 1) !== '+' && isNumberOfGoods(text, group.start))
        continue
      if (end === undefined || isInsideEncodedData(text, group.start, end)) continue
      found.push({ start: group.start - prefixLength(text, group), end })
      first = labelled
    }
  }
  return [...found, ...wordNumbersIn(text)]
}

/** 1-800-FLOWERS: a toll-free code of North America, and seven letters or digits. */
const WORD_NUMBER = /8(?:00|33|44|55|66|77|88)\)?[-. ](?=[A-Z0-9-]{7,9}(?![\w-]))(?=[0-9-]{0,4}[A-Z])/g
const BEFORE_TOLL_FREE = /(?<![\w-])(?:1[-. ])?\(?$/
const WORD = /^[A-Z0-9-]+/

function* wordNumbersIn(text: string): Iterable<Found> {
  for (const match of matchesOf(text, WORD_NUMBER)) {
    const before = BEFORE_TOLL_FREE.exec(text.slice(Math.max(0, match.index - 4), match.index))
    const start = match.index + match[0].length
    const word = WORD.exec(text.slice(start, start + 9))?.[0] ?? ''
    if (before && word.replaceAll('-', '').length === 7)
      yield { start: match.index - before[0].length, end: start + word.length }
  }
}

function startsNumber(text: string, run: NumberRun, index: number): boolean {
  const { start, separator } = run[index] as DigitGroup
  if (index > 0) return !/^[./-]$/.test(separator)
  if (isWordBefore(text, start)) return false
  if (!'.,:'.includes(text.charAt(start - 1)) || !isDigitAt(text, start - 2)) return true
  // A new cell: no amount has a zero and a blank, or a hyphen, after its comma.
  const { digits } = run[index] as DigitGroup
  const next = run[index + 1]?.separator ?? ''
  return text[start - 1] === ',' && (digits.startsWith('0') ? next !== '' : /^[-()]/.test(next))
}

const isDigitAt = (text: string, index: number): boolean => /\d/.test(text.charAt(index))

/** Written as no amount is, so that a comma behind it ends a cell. */
const NO_AMOUNT = /^(?:0|\d+[ ()\u00a0\u2011-])/

function endOf(text: string, run: NumberRun, first: number, last: number): number | undefined {
  const { end } = run[last] as DigitGroup
  const extension = EXTENSION.exec(text.slice(end, end + 20))?.[0]
  if (extension !== undefined) return end + extension.length
  const direct = DIRECT_DIAL.exec(text.slice(end, end + 6))?.[0]
  if (direct !== undefined && run.every(({ separator }, i) => i > last || separator !== '-'))
    return end + direct.length
  if (isWordAt(text, end)) return undefined
  const { start } = run[first] as DigitGroup
  const isCell = /[+(]/.test(text.charAt(start - 1)) || NO_AMOUNT.test(text.slice(start, end))
  return (isCell ? /^[.:]\d/ : /^[.,:]\d/).test(text.slice(end, end + 2)) ? undefined : end
}

/** Plus sign and bracket. */
const prefixLength = (text: string, { start }: DigitGroup): number =>
  /(?:\(?\+|\()$/.exec(text.slice(Math.max(0, start - 2), start))?.[0].length ?? 0

function follow(
  { run, first }: Opening,
  limits: { enough: number; most: number; from?: number },
): { last: number; digits: number } {
  let digits = run[first]?.digits.length ?? 0
  let last = first
  for (let i = first + 1; i < run.length; i++) {
    const { digits: own, separator } = run[i] as DigitGroup
    const isAfterArea = i === first + 1 && separator === ' / ' && run[first]?.digits.startsWith('0')
    if ((!SIMPLE_SEPARATOR.test(separator) && !isAfterArea) || digits + own.length > limits.most) break
    const before = run[i - 1]?.separator
    const changes = i > first + 1 && separator !== before && !before?.includes(')') && !before?.includes('(')
    if (changes && digits >= limits.enough) break
    digits += own.length
    last = i
  }
  return { last, digits }
}

const international: Form = (opening) => {
  const { text, run, first } = opening
  const group = run[first] as DigitGroup
  const plus =
    text.charAt(group.start - 1) === '+' &&
    /(?:^|[^\da-z])\+$/i.test(text.slice(Math.max(0, group.start - 2), group.start))
  const code =
    plus || !group.digits.startsWith('00') ? group.digits : group.digits.replace(/^00(?=[1-9]\d{0,3}$)/, '')
  if (!plus && code === group.digits) return undefined
  if (!/^[1-9]/.test(code)) return undefined
  const zeros = group.digits.length - code.length
  const most = code.startsWith('1') ? 11 : LONGEST_INTERNATIONAL
  const { last, digits } = follow(opening, { enough: 9 + zeros, most: most + zeros })
  if (!plus && last === first) return undefined
  return digits - zeros >= (code.startsWith('1') ? 11 : 8) ? last : undefined
}

/** 555-123-4567, (555) 123-4567, 1-555-123-4567: area codes start with 2 to 9. */
const northAmerican: Form = ({ run, first }) => {
  const offset = run[first]?.digits === '1' ? 1 : 0
  const area = run[first + offset]
  const exchange = run[first + offset + 1]
  const line = run[first + offset + 2]
  if (!area || !exchange || !line) return undefined
  if (!/^[2-9]\d\d$/.test(area.digits) || exchange.digits.length !== 3 || line.digits.length !== 4)
    return undefined
  if (offset === 1 && !/^[-. ]\(?$/.test(area.separator)) return undefined
  const bracketed = /^\)[ -]?$/.test(exchange.separator)
  if (!/^[-. \u2011\u00a0]$/.test(line.separator) || (!bracketed && exchange.separator !== line.separator))
    return undefined
  return first + offset + 2
}

/** (37) 788-063 */
const bracketedAreaCode: Form = (opening) => {
  const { text, run, first } = opening
  const area = run[first] as DigitGroup
  const second = run[first + 1]
  if (text.charAt(area.start - 1) !== '(' || !second?.separator.startsWith(')')) return undefined
  if (!/^\d{2,5}$/.test(area.digits) || /^(?:19|20)\d\d$/.test(area.digits)) return undefined
  const { last, digits } = follow(opening, { enough: 7, most: 12 })
  const groups = run.slice(first + 1, last + 1)
  const least = groups.length >= 3 ? 2 : 3
  return digits >= 7 && groups.every((group) => group.digits.length >= least) ? last : undefined
}

const GERMAN_MOBILE = /^01[567]\d$/

/** 138 0013 8000, a Chinese mobile. */
const chineseMobile: Form = ({ run, first }) => {
  const network = run[first]
  const middle = run[first + 1]
  const last = run[first + 2]
  if (!network || !/^1[3-9]\d$/.test(network.digits) || middle?.digits.length !== 4) return undefined
  const isOneNumber =
    last?.digits.length === 4 && /^[ -]$/.test(last.separator) && last.separator === middle.separator
  return isOneNumber && run.length === first + 3 ? first + 2 : undefined
}

/** 0341 8387176, 01.84.17.61.18: zero, area code, one or more groups. */
const leadingZero: Form = (opening) => {
  const { run, first } = opening
  const area = run[first] as DigitGroup
  if (!/^0[1-9]\d{0,3}$/.test(area.digits)) return undefined
  const most = GERMAN_MOBILE.test(area.digits) ? 12 : 11
  const { last, digits } = follow(opening, { enough: 9, most })
  const groups = run.slice(first + 1, last + 1)
  // Bytes go on after it.
  const next = run[last + 1]
  if (next?.separator === ' ' && [next, area, ...groups].every(({ digits: own }) => own.length === 2))
    return undefined
  if (digits < 9 || isDate(run.slice(first, first + 3))) return undefined
  if (groups.length === 1)
    return area.digits.length >= 3 && (groups[0]?.digits.length ?? 0) >= 6 ? last : undefined
  return groups.every(({ digits }) => digits.length >= 2 && digits.length <= 4) ? last : undefined
}

const YEAR = /^(?:19|20)\d\d$/
const isDate = ([first, second, third]: NumberRun): boolean =>
  second?.digits.length === 2 &&
  ((first?.digits.length === 2 && YEAR.test(third?.digits ?? '')) ||
    (third?.digits.length === 2 && YEAR.test(first?.digits ?? '')))

/** 69138.50 */
const isDecimal = ([, fraction, ...more]: NumberRun): boolean =>
  fraction?.separator === '.' && fraction.digits.length <= 2 && more.length === 0

const formOf = (opening: Opening): number | undefined =>
  international(opening) ??
  northAmerican(opening) ??
  bracketedAreaCode(opening) ??
  leadingZero(opening) ??
  chineseMobile(opening)

/** Seven to thirteen digits. */
function labelledForm(opening: Opening, previous: Found | undefined): number | undefined {
  const { text, run, first } = opening
  const group = run[first] as DigitGroup
  const { last, digits } = follow(opening, { enough: 7, most: LONGEST_LABELLED })
  if (digits < 7) return undefined
  const groups = run.slice(first, last + 1)
  const end = (run[last] as DigitGroup).end
  return isLabelledAsPhone(text, group.start, end, previous) && !isDate(groups) && !isDecimal(groups)
    ? last
    : undefined
}
