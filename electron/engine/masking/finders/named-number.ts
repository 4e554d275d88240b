import type { Found, NamedNumbers } from '../personal-data.ts'
import { isWordAt } from './boundaries.ts'
import type { FoundLabel } from './label-index.ts'
import type { NamedNumber, NumberName } from './number-labels.ts'

/** Nothing but signs and words for "is" and "number". */
const LEAD =
  /^[^\S\n]{0,2}(?:[:：=#"'>(*._№-]{0,3}[^\S\n]{0,2}(?:(?:is|was|ist|lautet|est|es|é|è|jest|no|nr|num|number|nummer|numero|número|numéro|id|серия|номер|n)(?![A-Za-z\d])[.°º]{0,2}|[は为是號号码第]|番号))?(?:[^\S\n]|[:：=#"'>(*._№第|-]){0,6}/iu
const GROUP = String.raw`(?:[A-Z]{1,3}(?=[ ./-]\d)|[A-Za-z]{0,2}\d[A-Za-z\d]*)`
const VALUE = new RegExp(String.raw`^(?:[A-Z]{1,4}[ -]?)?\d[A-Za-z\d]*(?:[ ./-]${GROUP}){0,7}`)
const REACH = 80
const FEWEST_DIGITS = 5
const MOST_SIGNS = 30
const DATE = /^(?:\d{1,2}[./-]\d{1,2}[./-](?:19|20)?\d\d|(?:19|20)\d\d[./-]\d{1,2}[./-]\d{1,2})(?:$|[ T])/

/** Numbers after a label that alone proves their type, so that no check digit is needed. */
export function findNamedNumbers(text: string, labels: readonly FoundLabel<NumberName>[]): NamedNumbers {
  const found = new Map<NamedNumber, Found[]>()
  for (const { end: from, name } of labels) {
    if (typeof name !== 'string') continue
    const behind = text.slice(from, from + REACH)
    const lead = LEAD.exec(behind)?.[0].length ?? 0
    const value = VALUE.exec(behind.slice(lead))?.[0]
    if (value === undefined || !isNumber(value) || isWordAt(text, from + lead + value.length)) continue
    const start = from + lead
    const ofName = found.get(name)
    if ((ofName?.at(-1)?.end ?? 0) > start) continue
    if (ofName) ofName.push({ start, end: start + value.length })
    else found.set(name, [{ start, end: start + value.length }])
  }
  return found
}

const isNumber = (value: string): boolean =>
  (value.match(/\d/g)?.length ?? 0) >= FEWEST_DIGITS &&
  value.replaceAll(/[ ./-]/g, '').length <= MOST_SIGNS &&
  !DATE.test(value)
