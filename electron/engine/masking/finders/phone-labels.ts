import type { Found } from '../personal-data.ts'
import { isLetterAt, isLetterBefore } from './boundaries.ts'

const REACH_BEFORE = 72
const REACH_AFTER = 20

const DEVICE = String.raw`tele(?:phone|fax)|tel|phone|mobile|mob|cell(?:phone|ular)?|fax|landline|whatsapp|telegram|signal|viber|pager|hotline|helpline|switchboard|desk|office|home|work|direct|main`
/** German, French, Spanish, Portuguese, Italian, Turkish, Vietnamese; with its number in one word, too. */
const DEVICE_ABROAD =
  /(?:telefon|handy|mobil|ruf|fax)(?:nummer|nr)?|durchwahl|t[ée]l[ée]phone|telefoon|mobiel|portable(?= ?:)|tel[ée]fono|m[óo]vil|celular|telefone|telem[óo]vel|cellulare|cep(?: tel(?:efonu)?)?|gsm|(?:số )?điện thoại|sđt|di động/
    .source
/** Russian, Arabic, Hindi, Chinese, Japanese, Korean, whose words may be joined. */
const DEVICE_IN_OTHER_SCRIPTS =
  /тел(?:ефон)?|моб(?:ильный)?|факс|هاتف|الهاتف|جوال|الجوال|موبايل|फ़ोन|फोन|मोबाइल|दूरभाष|电话|電話|手机|手機|传真|携帯|전화|휴대폰|연락처/
    .source
const NUMBER_IN_OTHER_SCRIPTS = /(?:号码|號碼|号|番号|번호|نمبر| नंबर)?(?:は|은|는)?/.source
const IN_OTHER_SCRIPTS = new RegExp(
  String.raw`(?:${DEVICE_IN_OTHER_SCRIPTS})${NUMBER_IN_OTHER_SCRIPTS}[\s:\uff1a=#"'>(*.+-]*$`,
  'i',
)
/** Words for what has a number, not for what is done with it. */
export const PHONE_DEVICE = new RegExp(
  String.raw`(?<![a-z])(?:${DEVICE}|contact|${DEVICE_ABROAD})|${DEVICE_IN_OTHER_SCRIPTS}`,
  'i',
)

const DEED = String.raw`call(?:ing|ed)?(?: (?:me|us|him|her|them|you|back))?|dial(?:led|ed|ing)?|ring|rang|phon(?:e|ed|ing)|text(?: (?:me|us|him|her|them)|ed|ing)|sms|reach(?: (?:me|us|him|her|them)|able|ed)|contact(?: (?:me|us|him|her|them|details?|info(?:rmation)?|no))?|speak(?: (?:to|with) \w{1,20})?|registered`
/** "card number" and "order number" are other numbers. */
const NUMBER = String.raw`(?:my|his|her|their|our|your|the|this|that|new|same|following|contact|another|a|emergency) (?:number|no\.?|digits)|number (?:for|of|to) [^\d\n]{1,40} (?:is|was)`
const BETWEEN = String.raw`(?:[\s:=#"'>(*\u00a0._-]*(?:number|num|no|nr|is|was|are|at|on|via|under|using|to|back|again|now|please|him|her|me|us|them|the|following|or|and|home|work|mobile|cell|fijo|fixe|fisso|fixo|kom|mobil|privat))*[\s:=#"'>(*\u00a0.+-]*`

const BEFORE = new RegExp(
  String.raw`(?<![a-z])(?:${DEVICE}|${DEVICE_ABROAD}|${DEED}|${NUMBER})${BETWEEN}$`,
  'gi',
)
const AFTER =
  /^[\s,;:()[\]"-]{0,3}(?:tel(?:ephone)?|phone|mobile|mob|cell|fax|landline|whatsapp|(?:desk|office|home|work|direct)(?! *\w))(?![a-z])/i
const NEXT_NUMBER = /^["'\s:=#.]*[(+]?\d/
/** A post code of Brazil, whose word is Turkish for a mobile phone. */
const POST_CODE = /^\d{5}-?\d{3}$/
/** "call 450 0840 or 9472 7916" */
const ENUMERATED = /^\s*(?:,|;|\/|or|and|\||,? ?(?:or|and))\s*\(?\+?$/i

function isEndOfLabel(before: string): boolean {
  BEFORE.lastIndex = 0
  for (let label = BEFORE.exec(before); label; label = BEFORE.exec(before)) {
    if (!isLetterBefore(before, label.index)) return true
    BEFORE.lastIndex = label.index + 1
  }
  return false
}

export function isLabelledAsPhone(
  text: string,
  start: number,
  end: number,
  previous: Found | undefined,
): boolean {
  if (previous && start - previous.end <= 8 && ENUMERATED.test(text.slice(previous.end, start))) return true
  const before = text.slice(Math.max(0, start - REACH_BEFORE), start)
  if (/\bcep[\s:]*$/i.test(before) && POST_CODE.test(text.slice(start, end))) return false
  if (isEndOfLabel(before) || IN_OTHER_SCRIPTS.test(before)) return true
  const after = AFTER.exec(text.slice(end, end + REACH_AFTER))
  if (after === null) return false
  const behind = end + after[0].length
  // A label that is set off is the next number's: "order 10023456, phone 555 0132".
  const isNext = /^[\s)\]"]*[,;]/.test(after[0]) && NEXT_NUMBER.test(text.slice(behind, behind + REACH_AFTER))
  return !isNext && !isLetterAt(text, behind)
}
