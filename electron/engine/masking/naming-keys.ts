import { asWords } from './as-words.ts'
import { mayLabel } from './finders/column-labels.ts'
import { headsOtherNumbers, isOtherNumber } from './finders/other-numbers.ts'

/** Longer keys and names are sentences. */
export const LONGEST_LABEL = 60

/** What is named is said by the key around it: `{"phone":{"value":"…"}}`, DynamoDB's `{"phone":{"S":"…"}}`. */
const VALUE_KEY = /^(?:[a-z]{0,12}[_-]?value|val|string|(?:string|int|integer|double|number)Value|[SN])$/i
const NUMBER_KEY = /^(?:number|num|no|nr|nummer|numero|numéro|número)$/i
const NAME_KEY =
  /^(?:[a-z]{0,12}[_-]?(?:name|key|label)|k|field|property|variable|var|param(?:eter)?|header|attribute|setting|option)$/i

export const isValueKey = (key: string): boolean => VALUE_KEY.test(key)
export const isNameKey = (key: string): boolean => NAME_KEY.test(key)

/** The label of what is under a key, within what `outer` labels. */
export function labelUnder(key: string, outer: string | undefined): string | undefined {
  if (key.length > LONGEST_LABEL) return undefined
  if (outer === undefined || key.length > 12) return key
  if (NUMBER_KEY.test(key)) return `${outer} ${key}`
  return VALUE_KEY.test(key) ? outer : key
}

/** The first of the names beside a value that is a label: `{"name":"password","value":"…"}`. */
export const nameOfPair = (names: readonly string[]): string | undefined =>
  names.find((name) => name.length <= LONGEST_LABEL && tells(asWords(name)))

const tells = (words: string): boolean =>
  mayLabel(words) || headsOtherNumbers(words) || isOtherNumber(words, words.length)
