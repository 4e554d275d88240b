import { asWords } from './as-words.ts'
import { isSecretNumber, numberKey } from './finders/number-keys.ts'
import type { LabelledColumn } from './table-cells.ts'

/** A number as the value of an object's key, `'pin': 4711`, or in a query, `pin=4711`. */
const VALUE = /(?::[^\S\n]{0,4}|=)(["'`]?)(\d{3,12})\1(?=\s{0,40}(?:[,}&;#]|$)|[\s"'`<>])/g
const KEY = /(?:(["'`])([^"'`\n:{}]{2,40})\1|(?<![\w$.-])([\p{L}_$][\p{L}\w$-]{1,39}))[^\S\n]{0,4}$/u
const REACH = 120
/** Before a key without quotes: in an object of JavaScript, in YAML's braces; in a query. */
const IN_OBJECT = /[{,]\s{0,60}$/
const IN_QUERY = /[?&;]$/
/** A secret's name has one of these. Cheaper than a look at each number. */
const MAY_HAVE =
  /pin|puk|otp|cv[vc]|csc|pass|pwd|code|pa[rs]ol|senha|contrase|kennwort|\u043f[\u0430\u0438]|\u5bc6|\u53e3\u4ee4/i

/** Numbers that are secrets by their key, as columns of one cell. In JSON itself keys are known. */
export function objectPairs(text: string): LabelledColumn[] {
  if (!MAY_HAVE.test(text)) return []
  const pairs: LabelledColumn[] = []
  for (const { index, 0: whole, 1: quote = '', 2: digits = '' } of text.matchAll(VALUE)) {
    const before = text.slice(Math.max(0, index - REACH), index)
    const key = KEY.exec(before)
    const name = key?.[2] ?? key?.[3]
    if (!key || name === undefined || !isKey(before.slice(0, key.index), key[1], whole)) continue
    const header = asWords(name)
    const allowed = numberKey(header)
    if (!allowed || !isSecretNumber(allowed, digits)) continue
    const end = index + whole.length - quote.length
    pairs.push({ header, isOther: false, cells: [{ start: end - digits.length, end }], filled: 1 })
  }
  return pairs
}

function isKey(before: string, quote: string | undefined, value: string): boolean {
  if (value.startsWith('=')) return quote === undefined && IN_QUERY.test(before)
  return quote !== undefined || IN_OBJECT.test(before)
}
