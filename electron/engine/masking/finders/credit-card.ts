import type { Found, Scan } from '../personal-data.ts'
import { isInsideEncodedData, isWordAt, isWordBefore } from './boundaries.ts'
import type { DigitGroup, NumberRun } from './number-runs.ts'
import { isOtherNumber } from './other-numbers.ts'

const SHORTEST = 12
const LONGEST = 19
/** Prefixes and lengths: Visa, Amex, Diners, JCB, UnionPay and Discover, Mastercard, long Maestro numbers. */
const ISSUED =
  /^(?:4(?:\d{12}|\d{15}|\d{17}|\d{18})|3[47]\d{13}|3(?:0[0-5]|095|[689])\d{11,16}|(?:2131|1800)\d{11}|35\d{14,17}|6(?:011|4[4-9]|5|2)\d{12,17}|(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)\d{12,14}|(?:50|5[6-9]|6)\d{14,17})$/
const MASTERCARD = /^(?:5[1-5]|2[2-7])/
/** One group, or the groups printed on cards. */
const PRINTED = /^(?:\d+|4-4-4-4(?:-[1-3])?|4-6-[45]|4-4-5|4-4-4)$/
export const CARD_LABEL = /(?<![a-z])(?:cards?|cc|credit|debit|visa|master ?card|maestro|amex|pan)(?![a-z])/i
const LABEL = new RegExp(String.raw`${CARD_LABEL.source}[^\d\n]{0,30}$`, 'i')
const LABEL_REACH = 48
const UUID_TAIL = /[0-9a-f]{4}-$/i

export function findCreditCards({ text, numberRuns }: Scan): Found[] {
  const found: Found[] = []
  for (const run of numberRuns) {
    for (let i = 0; i < run.length; i++) {
      const last = lastGroupOfCard(text, run, i)
      if (last === undefined) continue
      found.push({ start: (run[i] as DigitGroup).start, end: (run[last] as DigitGroup).end })
      i = last
    }
  }
  return found
}

function lastGroupOfCard(text: string, run: NumberRun, first: number): number | undefined {
  const start = run[first]
  if (!start || (start.digits.length !== 4 && start.digits.length < SHORTEST)) return undefined
  if (!startsNumber(text, run, first)) return undefined
  let digits = ''
  let lengths = ''
  let end: number | undefined
  for (let i = first; i < run.length; i++) {
    const group = run[i] as DigitGroup
    if (
      i > first &&
      (!/^[ .\u00a0\u2011-]$/.test(group.separator) || group.separator !== run[first + 1]?.separator)
    )
      break
    digits += group.digits
    lengths += i === first ? group.digits.length : `-${group.digits.length}`
    if (digits.length > LONGEST) break
    if (digits.length < SHORTEST || !PRINTED.test(lengths) || !endsNumber(text, run, i)) continue
    if (!hasLuhnCheckDigit(digits)) continue
    // Only cards are written in these groups; one long number behind "order" is the order's.
    const isOther = i === first && isOtherNumber(text, start.start)
    if (isLabelled(text, start) || (isIssued(digits) && !isOther)) end = i
  }
  if (end === undefined) return undefined
  return isInsideEncodedData(text, start.start, (run[end] as DigitGroup).end) ? undefined : end
}

function startsNumber(text: string, run: NumberRun, index: number): boolean {
  const { start, separator } = run[index] as DigitGroup
  if (index > 0) return separator !== '.'
  if (isWordBefore(text, start)) return false
  const before = text.charAt(start - 1)
  if (before === '.') return !/\d/.test(text.charAt(start - 2))
  // A cell, unless it is what follows a decimal comma.
  if (before === ',' && FRACTION.test(text.slice(Math.max(0, start - 3), start)))
    return text.charAt((run.at(-1) as DigitGroup).end) === ','
  return !(before === '-' && UUID_TAIL.test(text.slice(Math.max(0, start - 5), start)))
}

function endsNumber(text: string, run: NumberRun, index: number): boolean {
  const { end } = run[index] as DigitGroup
  if (isWordAt(text, end)) return false
  return !/^\.\d/.test(text.slice(end, end + 2))
}

/** One digit and a comma. */
const FRACTION = /(?<![\d,])\d,$/

/** But for the check digit. */
function isIssued(digits: string): boolean {
  return ISSUED.test(digits) && (!MASTERCARD.test(digits) || digits.length === 16)
}

const isLabelled = (text: string, { start }: DigitGroup): boolean => isLabelledAsCard(text, start)

export const isLabelledAsCard = (text: string, start: number): boolean =>
  LABEL.test(text.slice(Math.max(0, start - LABEL_REACH), start))

/** `goesOn`: the break between the parts may be anywhere in a group. */
export function isBrokenCard(parts: readonly string[], goesOn = false): boolean {
  const groups = parts.flatMap((part) => part.match(/\d+/g) ?? [])
  const digits = groups.join('')
  if (!goesOn && !PRINTED.test(groups.map(({ length }) => length).join('-'))) return false
  return isIssued(digits) && hasLuhnCheckDigit(digits)
}

/** ISO/IEC 7812-1, annex B. */
function hasLuhnCheckDigit(digits: string): boolean {
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - 48
    const doubled = digit * 2
    sum += i % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}
