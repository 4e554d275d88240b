import type { Found, Scan } from '../personal-data.ts'
import { isLetterAt, isLetterBefore, isWordAt, isWordBefore } from './boundaries.ts'
import { matchesOf } from './matches-of.ts'
import { matchesAt } from './pattern-starts.ts'

const MONTH =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?'
const DAY = String.raw`\d{1,2}(?:st|nd|rd|th)?`
const DATE = [
  String.raw`(?:19|20)\d\d[-/.]\d{1,2}[-/.]\d{1,2}`,
  String.raw`\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})`,
  String.raw`\d{1,2} \d{1,2} (?:19|20)\d\d`,
  String.raw`(?:${MONTH})\.? ${DAY},? \d{4}`,
  String.raw`${DAY}(?: of)?[ -](?:${MONTH})\.?,?[ -]\d{4}`,
  // Of any language, because the label decides.
  String.raw`${DAY}\.?(?: de| del)? [^\s\d,.;:]{3,12}\.?(?: de| del| r\.)? (?:19|20)\d\d`,
  /(?:19|20)\d\d ?[年년] ?\d{1,2} ?[月월] ?\d{1,2} ?[日일]/.source,
  String.raw`(?:19|20)\d{6}`,
].join('|')

/** Prose and keys: "date of birth", `date_of_birth`, `dateOfBirth`. */
const BIRTH_WORDS = [
  String.raw`d\.?o\.?b(?![a-z])|date[ _-]?of[ _-]?birth|birth[ _-]?(?:dates?|day)|bday|born`,
  String.raw`gebore?n|geburts(?:datum|tag)|geb\.(?:[ -]?(?:dat(?:um)?\b|am\b|op\b))?|geboorte(?:datum|dag)`,
  String.raw`f(?:echa|ec?\.)?[ _-]*(?:de[ _-])?nac(?:imiento|\.)|nacid[oa]|nac\.`,
  String.raw`date[ _-](?:de[ _-])?naissance|n[ée]{1,2}(?:\(e\))? (?:le|en)`,
  String.raw`d(?:ata)?\.?[ _-](?:d[ei][ _-])?nas(?:cimento|cita|c\.)|nascid[oa]|nat[oa](?: a [^\d\n,;]{2,20})? il`,
  String.raw`data[ _-](?:urodzenia|ur\.)|urodzon[ya]|ur\.`,
  /fødselsdato|født|födelsedatum|född|doğum[ _-]tarihi|(?:d|doğ)\. ?tar(?:ihi|\.)|ngày sinh|sinh ngày/.source,
  String.raw`(?:tanggal )?lahir`,
].join('|')
const BIRTH_IN_OTHER_SCRIPTS =
  /дата рожд(?:ения|\.)|родил(?:ся|ась)|род\.|д[./] ?р\.?(?=[\s:])|出生日期|出生[:：于]|生于|生日|生年月日|생년월일|생일|تاريخ (?:الميلاد|الولادة)|जन्म ?तिथि/
    .source
/** Of any script; "b." only after a name: "(b. 12 May 1980)". */
export const BIRTH_LABEL = new RegExp(
  String.raw`(?<![a-z\d])(?:${BIRTH_WORDS})|(?<=[(,;] ?)b\.(?= ?\d)|${BIRTH_IN_OTHER_SCRIPTS}`,
  'iy',
)
const BIRTH_AFTER = new RegExp(String.raw`^[^\d\n]{0,24}?\b(${DATE})(?!\d)`, 'i')
const BIRTH_BEFORE = new RegExp(String.raw`(?<![\d])(${DATE})[\s([,:;-]{0,4}$`, 'i')
const REACH = 64

export function findDatesOfBirth({ text, starts }: Scan): Found[] {
  const found: Found[] = []
  for (const label of matchesAt(text, BIRTH_LABEL, starts.birth)) {
    const end = label.index + label[0].length
    if (isLetterBefore(text, label.index) || (/b$/i.test(label[0]) && isLetterAt(text, end))) continue
    const hit = dateAfter(text, end) ?? dateBefore(text, label.index)
    if (hit && hit.start >= (found.at(-1)?.end ?? 0)) found.push(hit)
  }
  return found
}

function dateAfter(text: string, from: number): Found | undefined {
  const match = BIRTH_AFTER.exec(text.slice(from, from + REACH))
  const date = match?.[1]
  if (!match || date === undefined) return undefined
  const end = from + match[0].length
  return { start: end - date.length, end }
}

function dateBefore(text: string, to: number): Found | undefined {
  const from = Math.max(0, to - REACH)
  const match = BIRTH_BEFORE.exec(text.slice(from, to))
  return match?.[1] === undefined
    ? undefined
    : { start: from + match.index, end: from + match.index + match[1].length }
}

/** "Pass" and "PP" are other things, too, but for a number that follows. */
export const PASSPORT_LABEL =
  /pass ?port|reisepass|passe-?port|pasaporte|passaport[eo]|pasaport|paspoort(?:nummer)?|paszport|(?<![a-z\d])(?:pp[ -]?(?:no\b\.?|nr\b\.?|#)|pass(?:[ -]?(?:nr\b\.?|nummer)|\. no\b\.?))|(?<![a-z\d])n[.°º]* pass\.|паспорт[а-я]{0,2}|hộ chiếu|护照(?:号码?)?|護照(?:號碼?)?|パスポート|旅券(?:番号)?|여권(?:번호)?|جواز(?: السفر)?|पासपोर्ट/iy
export const DRIVER_LICENSE_LABEL =
  /\b(?:driv(?:er'?s?'?|ing)|drivers?['’]s?)[ _-]?(?:licen[cs]e|lic\b|permit)|\bDL ?(?:#|no\b|number)|\bDLN\b/iy
/** Between label and number. */
const TO_NUMBER = String.raw`(?:[\s:=#"'>(*.,_-]+(?:number|num|no|nr|nummer|número|numéro|numero|id|is|was|ist|est|es|with|the|my|it|a|us|uk|card)(?![A-Z\d])|[\s:=#"'>(*.,_-]+n[°º])*[\s:=#"'>(*._\uff1a-]*`
const NUMBER_AFTER = new RegExp(String.raw`^(${TO_NUMBER})([A-Z0-9]+(?:-[A-Z0-9]+)*)`, 'i')

/** Six to nine letters and digits after the word for it in one of 14 languages: ICAO Doc 9303 allows nine. */
export const findPassports = (scan: Scan): Found[] => [
  ...findLabelledNumbers(
    scan.text,
    matchesAt(scan.text, PASSPORT_LABEL, scan.starts.passport),
    /^(?=(?:[^\d]*\d){4})[A-Z0-9]{6,9}$/i,
  ),
  ...findMachineReadable(scan),
]

/** Second line of a passport (ICAO Doc 9303, part 4): number, country, birth, sex, expiry, each with its check digit. */
const MACHINE_READABLE =
  /(?<![A-Z0-9<])([A-Z0-9<]{9})(\d)[A-Z<]{3}(\d{6})(\d)[MFX<]\d{7}[A-Z0-9<]{14}[\d<]\d(?![A-Z0-9<])/g

const findMachineReadable = ({ text }: Scan): Found[] =>
  !text.includes('<<')
    ? []
    : matchesOf(text, MACHINE_READABLE).flatMap(
        ({ index, 0: line, 1: number = '', 2: check, 3: birth = '', 4: birthCheck }) =>
          checkDigit(number) === check && checkDigit(birth) === birthCheck
            ? [{ start: index, end: index + line.length }]
            : [],
      )

/** ICAO Doc 9303, part 3, 4.9: weights 7, 3, 1; letters from 10 on; "<" is 0. */
function checkDigit(field: string): string {
  let sum = 0
  for (let i = 0; i < field.length; i++) {
    const code = field.charCodeAt(i)
    const value = code === 0x3c ? 0 : code < 58 ? code - 48 : code - 55
    sum += value * ([7, 3, 1][i % 3] ?? 0)
  }
  return String(sum % 10)
}

/** Formats vary by state and country, so the label decides. */
export const findDriverLicenses = (scan: Scan): Found[] =>
  findLabelledNumbers(
    scan.text,
    matchesAt(scan.text, DRIVER_LICENSE_LABEL, scan.starts.driverLicense),
    /^(?=(?:[^\d]*\d){4})[A-Z0-9-]{5,20}$/i,
  )

function findLabelledNumbers(text: string, labels: readonly RegExpExecArray[], shape: RegExp): Found[] {
  const found: Found[] = []
  for (const match of labels) {
    const from = match.index + match[0].length
    const [whole, , number] = NUMBER_AFTER.exec(text.slice(from, from + REACH)) ?? []
    if (whole === undefined || number === undefined || !shape.test(number)) continue
    const end = from + whole.length
    const start = end - number.length
    if (!isWordAt(text, end) && !isWordBefore(text, start)) found.push({ start, end })
  }
  return found
}
