import type { Found, Scan } from '../personal-data.ts'
import { isInsideEncodedData, isLetterBefore, isWordAt, isWordBefore } from './boundaries.ts'
import { isNationalId, type NationalId } from './national-id-checks.ts'
import { matchesOf } from './matches-of.ts'

/** Written as nothing else is, so that no word beside it is needed. */
const ALONE: readonly (readonly [NationalId, string])[] = [
  ['ch', String.raw`756\.\d{4}\.\d{4}\.\d{2}`],
  ['br', String.raw`\d{3}\.\d{3}\.\d{3}-\d{2}`],
  ['be', String.raw`\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}`],
  ['it', String.raw`[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]`],
  ['mx', String.raw`[A-Z][AEIOUX][A-Z]{2}\d{6}[HM][A-Z]{5}[A-Z\d]\d`],
  ['cn', String.raw`[1-9]\d{5}(?:19|20)\d{9}[\dX]`],
  ['kr', String.raw`\d{6}-[1-8]\d{6}`],
  ['fi', String.raw`\d{6}[-+A]\d{3}[0-9A-FHJ-NPR-Y]`],
  ['se', String.raw`\d{6}[-+]\d{4}`],
  ['es', String.raw`[XYZ]-?\d{7}-?[A-Z]`],
  ['in', String.raw`[A-Z]{3}P[A-Z]\d{4}[A-Z]`],
  ['gb', String.raw`[A-Z]{2} \d{2} \d{2} \d{2} [A-D]`],
  ['fr', String.raw`[12] \d{2} \d{2} \d{2} \d{3} \d{3} \d{2}`],
]
const SHAPES = new RegExp(ALONE.map(([, shape]) => shape).join('|'), 'g')
const WHOLE = ALONE.map(([id, shape]) => [id, new RegExp(`^(?:${shape})$`)] as const)

/** The words for it, and whose numbers follow them. */
const LABELS: readonly (readonly [NationalId, string])[] = [
  ['gb', String.raw`national insurance|nino|ni (?:number|no)|nhs`],
  ['es', String.raw`dni|nie|nif`],
  ['fr', String.raw`n(?:ir|uméro de sécurité sociale)|sécurité sociale|sécu`],
  [
    'de',
    String.raw`steuer[ -]?id(?:entifikationsnummer|nr)?|idnr|personalausweis(?:nummer|nr)?|ausweisnummer`,
  ],
  ['pl', 'pesel'],
  ['nl', String.raw`bsn|burgerservicenummer|sofinummer`],
  ['no', String.raw`fødselsnummer|personnummer`],
  ['dk', String.raw`cpr(?:[ -]nummer|[ -]nr)?`],
  ['at', String.raw`sozialversicherungsnummer|svnr|sv[ -]nummer`],
  ['pt', String.raw`contribuinte|nif`],
  ['br', 'cpf'],
  ['in', 'aadhaar|aadhar|uidai|आधार'],
  ['jp', 'my number|マイナンバー|個人番号'],
  ['au', String.raw`tfn|tax file number|medicare`],
  ['ca', String.raw`sin|social insurance`],
  ['tr', String.raw`t\.?c\.? kimlik|kimlik n|tckn`],
  ['za', String.raw`sa id|south african id|rsa id`],
  ['se', 'personnummer'],
  ['it', 'codice fiscale'],
  ['cn', '身份证|身份證'],
  ['ch', String.raw`ahv|avs`],
  ['be', String.raw`rijksregister|registre national`],
]
/** Only where a word begins, which spares most places. */
export const NATIONAL_ID_LABEL = new RegExp(
  String.raw`(?<![A-Za-z\d])(?:${LABELS.map(([, words]) => words).join('|')})`,
  'gi',
)
const IS_LABEL = LABELS.map(([id, words]) => [id, new RegExp(`^(?:${words})$`, 'i')] as const)
/** After the label: what leads to the number, and letters and digits in groups. */
const NUMBER =
  /^([^\d\n]{0,24}?)((?<![A-Z\d])(?:[A-Z]{0,2}\d|[A-Z\d]{2,9}(?=[ .\d-]))[A-Z\d]*(?:[ ./-]?[A-Z\d]+){0,6})/i
const REACH = 64

/** National numbers of persons, with their check digits where there are any. */
export function findNationalIds({ text }: Scan): Found[] {
  const found: Found[] = []
  for (const match of matchesOf(text, SHAPES)) {
    const [written] = match
    const end = match.index + written.length
    if (!isApart(text, match.index, end)) continue
    if (WHOLE.some(([id, shape]) => shape.test(written) && isNationalId(id, written)))
      found.push({ start: match.index, end })
  }
  for (const { index, 0: label } of matchesOf(text, NATIONAL_ID_LABEL)) {
    const from = index + label.length
    if (isWordBefore(text, index) || isLetterBefore(text, index)) continue
    const [whole, lead = '', number = ''] = NUMBER.exec(text.slice(from, from + REACH)) ?? []
    if (whole === undefined) continue
    const start = from + lead.length
    const end = endOf(text, label, start, number)
    if (end !== undefined && !found.some((other) => other.start < end && start < other.end))
      found.push({ start, end })
  }
  return found.sort((a, b) => a.start - b.start)
}

/** The longest part of what follows that is a number of this kind. */
function endOf(text: string, label: string, start: number, number: string): number | undefined {
  const ids = IS_LABEL.filter(([, words]) => words.test(label)).map(([id]) => id)
  for (let length = number.length; length >= 8; length--) {
    const end = start + length
    const part = number.slice(0, length)
    if (isWordAt(text, end) || /[ ./-]$/.test(part)) continue
    if (ids.some((id) => isNationalId(id, part))) return end
  }
  return undefined
}

const isApart = (text: string, start: number, end: number): boolean =>
  !isWordBefore(text, start) &&
  !isWordAt(text, end) &&
  !/[\d.][.-]$|-$/.test(text.slice(Math.max(0, start - 2), start)) &&
  !/^[.-][\dA-Z]/.test(text.slice(end, end + 2)) &&
  !isInsideEncodedData(text, start, end)
