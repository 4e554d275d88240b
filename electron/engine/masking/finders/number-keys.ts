import { BIRTH_LABEL, DRIVER_LICENSE_LABEL, PASSPORT_LABEL } from './labelled.ts'
import { isSecretValue, secretNamedBy, type NamedSecret } from './named-secret.ts'
import { numberLabelsIn } from './number-labels.ts'
import { SSN_LABEL } from './ssn.ts'

/*
 * JSON numbers are mostly ids, times, sizes and counts, so a key has to end with the name of a person's number:
 * "phone", "phoneNumber", "work_phone", but neither "phone_id" nor "phone_verified_at" nor "mobile_users".
 */

const START = String.raw`(?<![\p{L}\d])`
const END = String.raw`(?:[ _-]?(?:numbers?|num|no|nr|nummer|numero|n\u00famero|num\u00e9ro))?[ _-]?\d?$`
const WHOLE_END = new RegExp(`^${END}`, 'iu')
const NUMBER_WORD = /(?:number|num|no|nr|nummer|numero|número|numéro|番号|号码|номер)s?[ _-]?\d?$/iu

/** Words for nothing else; a few say whose they are. */
const PHONE_WORDS =
  /phones?|telephones?|tel|fax|telefax|telefon|telefono|teléfono|téléphone|telephone|telefone|telefoon|rufnummer|telefonnummer|telefonnr|handynummer|mobilnummer|mobiltelefon|faxnummer|whatsapp|msisdn|telefonszám|puhelin|puhelinnumero|телефон|номер телефона|电话|電話|電話番号|电话号码|手机|手机号|手机号码|手機|携帯|携帯電話|전화|전화번호|휴대폰|هاتف|الهاتف|رقم الهاتف|फ़ोन|फोन/
    .source
const PHONE = new RegExp(
  `(?:${START}(?:${PHONE_WORDS})(?:[ _-](?:home|work|mobile|cell|office|business|main|other|private|primary|secondary|fijo|fixe))?|${START}(?:mobile|cell|contact|cellular|celular|m\u00f3vil|movil|handy|mobil|mobiel|portable|landline|home|work|call|caller|callee|sender|recipient)[ _-]?(?:phone|number|num|no|nr|nummer))${END}`,
  'iu',
)
/** Of devices, of what is sold and of what is counted, too. */
const MAYBE_PHONE = new RegExp(
  String.raw`${START}(?:mobile|mob|cell|cellular|celular|m\u00f3vil|movil|handy|mobil|mobiel|portable|cellulare|gsm|contact|landline)[ _-]?\d?$`,
  'iu',
)
const CARD = new RegExp(
  `(?:${START}(?:(?:credit|debit|bank|payment)?[ _-]?cards?|cc|pan|(?:kredit|bank|giro|debit)karten?|carte(?: bancaire| de cr\u00e9dit| bleue)?|tarjeta(?: de (?:cr\u00e9dito|credito|d\u00e9bito|debito))?|cart[\u00e3a]o(?: de cr[\u00e9e]dito)?|carta di credito|karta|\u043a\u0430\u0440\u0442\u0430|\u043d\u043e\u043c\u0435\u0440 \u043a\u0430\u0440\u0442\u044b)|kartennummer|\u30ab\u30fc\u30c9\u756a\u53f7|\u5361\u53f7)${END}`,
  'iu',
)
const OTHERS = [BIRTH_LABEL, PASSPORT_LABEL, DRIVER_LICENSE_LABEL, SSN_LABEL].map(
  ({ source }) => new RegExp(`(?:${source})${END}`, 'iu'),
)

/** What a key allows. */
export interface NumberKey {
  readonly isPhone: boolean
  /** Only where digits are written as those of a mobile phone with its country. */
  readonly isMaybePhone: boolean
  readonly isCard: boolean
  readonly isOther: boolean
  readonly secret: NamedSecret | undefined
  readonly isId: boolean
  readonly fewestDigits: number
}

const LONGEST_KEY = 60
const known = new Map<string, NumberKey | undefined>()
const MOST_KNOWN = 2000

/** Undefined for keys under which numbers stay. `words`: as as-words.ts writes them. */
export function numberKey(words: string): NumberKey | undefined {
  if (words.length > LONGEST_KEY) return undefined
  const found = known.get(words)
  if (found !== undefined || known.has(words)) return found
  const key = readKey(words)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(words, key)
  return key
}

function readKey(words: string): NumberKey | undefined {
  const isPhone = PHONE.test(words)
  const isMaybePhone = !isPhone && MAYBE_PHONE.test(words)
  // "number" beside an expiry: a finder asks for a network's digits and no name of goods.
  const isCard = CARD.test(words) || NUMBER_WORD.test(words)
  const rest = numberLabelsIn(words).some(({ end }) => WHOLE_END.test(words.slice(end)))
  const isOther = rest || OTHERS.some((label) => words.search(label) >= 0)
  const secret = COUNTS.test(words) ? undefined : secretNamedBy(words)
  if (!isPhone && !isMaybePhone && !isCard && !isOther && secret === undefined) return undefined
  const isId = /id$/i.test(words)
  // A short number of an id is a row's.
  const fewestDigits = isId ? 9 : NUMBER_WORD.test(words) ? 7 : 8
  return { isPhone, isMaybePhone, isCard, isOther, secret, isId, fewestDigits }
}

/** Plurals count, and so does "pass" beside "fail". */
const COUNTS = /(?:s|(?:^|[ _-])pass)$/i
/** A PIN with six digits may be a post code of India. */
export const isSecretNumber = ({ secret }: NumberKey, digits: string): boolean =>
  secret !== undefined && (secret !== 'code' || digits.length !== 5) && isSecretValue(secret, digits)

/** Seconds and milliseconds from 2001 on. */
const TIME = /^1\d{9}(?:\d{3})?$/
/** Mobile phones with the code of their country: digits of this form are hardly ever a count. */
const MOBILE =
  /^(?:1[2-9]\d\d[2-9]\d{6}|79\d{9}|491[567]\d{8,9}|33[67]\d{8}|34[67]\d{8}|393\d{8,9}|447\d{9}|91[6-9]\d{9}|861[3-9]\d{9}|55\d\d9\d{8}|316\d{8}|48[4-8]\d{8}|436\d{8,11}|417[4-9]\d{7}|81[789]0\d{8}|8210\d{8}|3519\d{8}|905\d{9}|467\d{8}|3519\d{8}|324\d{8}|420[67]\d{8}|3670\d{7}|9715\d{8}|9665\d{8}|52\d{10}|84[35789]\d{8}|628\d{8,11})$/
const SHORTEST_PHONE = 8
const LONGEST_PHONE = 15
const BIRTH = /^(?:19|20)\d{6}$/

export const isPhoneUnder = (key: NumberKey, digits: string): boolean =>
  !TIME.test(digits) &&
  (key.isPhone
    ? digits.length >= Math.max(SHORTEST_PHONE, key.fewestDigits) && digits.length <= LONGEST_PHONE
    : key.isMaybePhone && MOBILE.test(digits))

/** Whether a finder's hit is what the key names. */
export function isNumberUnder(key: NumberKey, type: string, digits: string): boolean {
  if (type === 'credit_card') return key.isCard
  if (type === 'phone') return isPhoneUnder(key, digits)
  if (!key.isOther || (key.isId && type === 'iban') || type === 'api_key') return false
  return type === 'date_of_birth' ? BIRTH.test(digits) : digits.length >= key.fewestDigits
}
