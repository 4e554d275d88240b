import { DEFAULT_PERSONAL_DATA_TYPES, type PersonalDataType } from '../../../shared/masking-policy.ts'
import type { CompiledPattern } from './custom-patterns.ts'
import { findAddresses } from './finders/address.ts'
import { findApiKeys } from './finders/api-key.ts'
import { findBrokenCards } from './finders/broken-cards.ts'
import { findCreditCards } from './finders/credit-card.ts'
import { findEmails } from './finders/email.ts'
import { findIbans } from './finders/iban.ts'
import { findIpAddresses } from './finders/ip-address.ts'
import { findDatesOfBirth, findDriverLicenses, findPassports } from './finders/labelled.ts'
import { findNamedNumbers } from './finders/named-number.ts'
import { numberLabelsIn, type NamedNumber } from './finders/number-labels.ts'
import { findNationalIds } from './finders/national-id.ts'
import { numberRunsIn } from './finders/number-runs.ts'
import { findPersons, properNamesIn } from './finders/person.ts'
import { findPhones } from './finders/phone.ts'
import { findSsns } from './finders/ssn.ts'
import { startsIn } from './finders/starts.ts'
import { mergeFound } from './merge-found.ts'
import type { Finder, Scan, Span } from './personal-data.ts'

export interface FindOptions {
  /** Default: all but `person` and `address`. */
  readonly types?: readonly PersonalDataType[] | undefined
  readonly custom?: readonly CompiledPattern[] | undefined
}

interface TypeOfData {
  readonly type: PersonalDataType
  readonly find: Finder
  /** Most short texts contain no digit: nothing to search for. */
  readonly needsDigit: boolean
}

const TYPES: readonly TypeOfData[] = [
  { type: 'api_key', find: findApiKeys, needsDigit: false },
  { type: 'email', find: findEmails, needsDigit: false },
  { type: 'iban', find: findIbans, needsDigit: true },
  {
    type: 'credit_card',
    find: (scan) => mergeFound(findCreditCards(scan), findBrokenCards(scan.text)),
    needsDigit: true,
  },
  { type: 'ssn', find: findSsns, needsDigit: true },
  { type: 'ip_address', find: findIpAddresses, needsDigit: true },
  { type: 'date_of_birth', find: findDatesOfBirth, needsDigit: true },
  { type: 'passport', find: findPassports, needsDigit: true },
  { type: 'driver_license', find: findDriverLicenses, needsDigit: true },
  { type: 'national_id', find: findNationalIds, needsDigit: true },
  { type: 'phone', find: findPhones, needsDigit: true },
  { type: 'address', find: findAddresses, needsDigit: false },
  { type: 'person', find: findPersons, needsDigit: false },
]

const NAMED: ReadonlySet<PersonalDataType> = new Set<NamedNumber>([
  'driver_license',
  'iban',
  'national_id',
  'passport',
])

/** Ordered, without overlaps; deterministic. */
export const findPersonalData = (text: string, { types, custom = [] }: FindOptions = {}): Span[] =>
  mergeFound(findByPattern(text, custom), findByType(text, types))

export function findByType(
  text: string,
  types: readonly PersonalDataType[] = DEFAULT_PERSONAL_DATA_TYPES,
): Span[] {
  const plain = withPlainDigits(text)
  const scan = new LazyScan(plain)
  const hasDigit = /\d/.test(plain)
  let spans: Span[] = []
  for (const { type, find, needsDigit } of TYPES) {
    if ((needsDigit && !hasDigit) || !types.includes(type)) continue
    const found = find(scan)
    if (found.length > 0) spans = mergeFound(spans, named(text, type, found))
    const further = NAMED.has(type) ? scan.namedNumbers.get(type as NamedNumber) : undefined
    if (further) spans = mergeFound(spans, named(text, type, further))
  }
  return spans
}

/** Arabic, Persian, Devanagari and full-width digits, each one code unit like the digit that replaces it. */
const FOREIGN_DIGIT = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\uff10-\uff19]/

const withPlainDigits = (text: string): string =>
  FOREIGN_DIGIT.test(text)
    ? text.replace(new RegExp(FOREIGN_DIGIT, 'g'), (digit) => {
        const code = digit.charCodeAt(0)
        const zero = code < 0x66a ? 0x660 : code < 0x700 ? 0x6f0 : code < 0x970 ? 0x966 : 0xff10
        return String(code - zero)
      })
    : text

/** Earlier patterns win. */
export const findByPattern = (text: string, patterns: readonly CompiledPattern[]): Span[] =>
  patterns.reduce<Span[]>(
    (spans, pattern) => mergeFound(spans, named(text, pattern.placeholder, pattern.find(text))),
    [],
  )

const named = (text: string, type: string, found: readonly { start: number; end: number }[]): Span[] =>
  found.map(({ start, end }) => ({ type, start, end, value: text.slice(start, end) }))

/** Most texts don't need it. */
class LazyScan implements Scan {
  readonly text: string
  #starts: Scan['starts'] | undefined
  #numberRuns: Scan['numberRuns'] | undefined
  #numberLabels: Scan['numberLabels'] | undefined
  #namedNumbers: Scan['namedNumbers'] | undefined
  #properNames: Scan['properNames'] | undefined

  constructor(text: string) {
    this.text = text
  }

  get starts(): Scan['starts'] {
    return (this.#starts ??= startsIn(this.text))
  }

  get numberRuns(): Scan['numberRuns'] {
    return (this.#numberRuns ??= numberRunsIn(this.text))
  }

  get namedNumbers(): Scan['namedNumbers'] {
    return (this.#namedNumbers ??= findNamedNumbers(this.text, this.numberLabels))
  }

  get numberLabels(): Scan['numberLabels'] {
    return (this.#numberLabels ??= numberLabelsIn(this.text))
  }

  get properNames(): Scan['properNames'] {
    return (this.#properNames ??= properNamesIn(this.text))
  }
}
