import { DEFAULT_PERSONAL_DATA_TYPES, type PersonalDataType } from '../../../shared/masking-policy.ts'
import type { CompiledPattern } from './custom-patterns.ts'
import { findAddresses } from './finders/address.ts'
import { findApiKeys } from './finders/api-key.ts'
import { findCreditCards } from './finders/credit-card.ts'
import { findEmails } from './finders/email.ts'
import { findIbans } from './finders/iban.ts'
import { findIpAddresses } from './finders/ip-address.ts'
import { findDatesOfBirth, findDriverLicenses, findPassports } from './finders/labelled.ts'
import { numberRunsIn } from './finders/number-runs.ts'
import { findPersons, properNamesIn } from './finders/person.ts'
import { findPhones } from './finders/phone.ts'
import { findSsns } from './finders/ssn.ts'
import { mergeFound } from './merge-found.ts'
import type { Finder, Scan, Span } from './personal-data.ts'

export interface FindOptions {
  /** Default: all but `person` and `address`. */
  readonly types?: readonly PersonalDataType[] | undefined
  readonly custom?: readonly CompiledPattern[] | undefined
}

/** Most short texts hold no digit at all, and then there is nothing to search for. */
const NEEDS_DIGIT: ReadonlySet<PersonalDataType> = new Set([
  'iban',
  'credit_card',
  'ssn',
  'ip_address',
  'date_of_birth',
  'passport',
  'driver_license',
  'phone',
])

/** In the order in which they win where two overlap: the surest first. */
const FINDERS: readonly (readonly [PersonalDataType, Finder])[] = [
  ['api_key', findApiKeys],
  ['email', findEmails],
  ['iban', findIbans],
  ['credit_card', findCreditCards],
  ['ssn', findSsns],
  ['ip_address', findIpAddresses],
  ['date_of_birth', findDatesOfBirth],
  ['passport', findPassports],
  ['driver_license', findDriverLicenses],
  ['phone', findPhones],
  ['address', findAddresses],
  ['person', findPersons],
]

/** Personal data in a text, ordered by start, without overlaps; the same text always gives the same spans. */
export const findPersonalData = (text: string, { types, custom = [] }: FindOptions = {}): Span[] =>
  mergeFound(findByPattern(text, custom), findByType(text, types))

/** Hits of the built-in types. */
export function findByType(
  text: string,
  types: readonly PersonalDataType[] = DEFAULT_PERSONAL_DATA_TYPES,
): Span[] {
  const scan = scanOf(text)
  const hasDigit = /\d/.test(text)
  let spans: Span[] = []
  for (const [type, find] of FINDERS) {
    if (!types.includes(type) || (!hasDigit && NEEDS_DIGIT.has(type))) continue
    const found = find(scan)
    if (found.length > 0) spans = mergeFound(spans, named(text, type, found))
  }
  return spans
}

/** Hits of custom patterns; the pattern listed first wins. */
export const findByPattern = (text: string, patterns: readonly CompiledPattern[]): Span[] =>
  patterns.reduce<Span[]>(
    (spans, pattern) => mergeFound(spans, named(text, pattern.placeholder, pattern.find(text))),
    [],
  )

const named = (text: string, type: string, found: readonly { start: number; end: number }[]): Span[] =>
  found.map(({ start, end }) => ({ type, start, end, value: text.slice(start, end) }))

function scanOf(text: string): Scan {
  let numberRuns: Scan['numberRuns'] | undefined
  let properNames: Scan['properNames'] | undefined
  return {
    text,
    get numberRuns() {
      return (numberRuns ??= numberRunsIn(text))
    },
    get properNames() {
      return (properNames ??= properNamesIn(text))
    },
  }
}
