import { textOf } from './decode-codes.ts'

const TAG = String.raw`(?:wbr ?\/?|!--[^<>]{0,80}--|\/?(?:b|i|u|s|a|em|strong|span|font|mark|small|big|code|tt|del|ins)(?: [^<>]{0,120})?)>`
const ENTITY = String.raw`(?:shy|zwnj|zwj|ZeroWidthSpace|#8203|#173|#xad|#x200[b-d]);`
const MARK = String.raw`\*{1,3}|~~|${'`'}{1,2}`

/** Between two letters, and shown as nothing or as emphasis. Begins with what is rare, so that most places are skipped. */
export const BREAK_IN_WORD = new RegExp(
  String.raw`[&<*~${'`'}](?<=\p{L}.)(?:(?<=&)${ENTITY}|(?<=<)${TAG}|(?<=\*)\*{0,2}|(?<=~)~|(?<=${'`'})${'`'}?)(?:<${TAG}){0,4}(?=\p{L})`,
  'giu',
)
const BREAK = new RegExp(`&${ENTITY}|<${TAG}|${MARK}`, 'gi')

/** Around such a break, those at the edges of words, too. */
export const withoutBreaks = (found: string): string => found.replace(BREAK, '')

/** A letter of English in a style sheet: "\69 gnore", "\000069gnore". */
export const CSS_LETTER = /\\{1,2}0{0,4}(?:[46][1-9a-f]|[57][\da])(?: |(?![\da-f])|(?<=\\[\da-f]{6}))/gi

const CSS_LONG = /\\[\da-f]{6} /i

/** One of six digits needs no blank behind it, so that it may be the sentence's: then both readings, one below the other. */
export function fromCssLetters(found: string): string {
  const read = (keepsBlanks: boolean): string =>
    found.replace(CSS_LETTER, (letter) => {
      const plain = String.fromCharCode(Number.parseInt(letter.replaceAll('\\', ''), 16))
      return keepsBlanks && CSS_LONG.test(letter) ? `${plain} ` : plain
    })
  return CSS_LONG.test(found) ? `${read(false)}\n\n${read(true)}` : read(false)
}

/** Words in hexadecimal, each by itself. */
export const HEX_WORDS =
  /\b(?:(?:0x)?(?:[0-9a-f]{2}){2,40}["']?[ ,\n]{1,2}["']?){2,}(?:0x)?(?:[0-9a-f]{2}){2,40}\b/gi

/** Groups of one size are bytes in a row. */
export function fromHexWords(run: string): string | undefined {
  const words = (run.match(/(?:0x)?[0-9a-f]{4,}/gi) ?? []).map((word) => word.replace(/^0x/i, ''))
  const isDump = words.every(({ length }) => length === words[0]?.length)
  return /[4-7][0-9a-f]/i.test(run)
    ? words.map((word) => textOf(Buffer.from(word, 'hex'))).join(isDump ? '' : ' ')
    : undefined
}

/** The end of a word in base64: two of three lengths need a sign. */
export const BASE64_WORD_END = /=(?<=[A-Za-z0-9+/]{2}=)=?(?=[\s,"'.;]|$)/g
const BASE64_WORD =
  /(?<![A-Za-z0-9+/=])(?:[A-Za-z0-9+/]{4}){1,8}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?(?![A-Za-z0-9+/=])|(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{2}(?:==|[A-Za-z0-9+/]=)(?![A-Za-z0-9+/=])/g
const WORD = /^[\p{L}\d'’(]+(?:[-@._/][\p{L}\d]+)*[.,:;!?)]?$/u
const FEWEST_WORDS = 3

/** Empty where hardly a word is one. */
export function fromBase64Words(found: string): string {
  let words = 0
  const decoded = found.replace(BASE64_WORD, (word) => {
    const plain = textOf(Buffer.from(word, 'base64'))
    if (!WORD.test(plain)) return word
    words++
    return plain
  })
  return words < FEWEST_WORDS ? '' : decoded.replaceAll('\n', ' ')
}
