import { asWords } from './as-words.ts'
import { mayLabel } from './finders/column-labels.ts'
import { secretNamedBy } from './finders/named-secret.ts'
import { nameOfPair } from './naming-keys.ts'
import type { LabelledColumn } from './table-cells.ts'

const CLOSING = /<\/([a-zA-Z][\w:.-]{0,40})>/g
/** Elements that name what follows them: `<dt>Passport</dt><dd>C01X00T47</dd>`, `<td>Passport:</td><td>…</td>` */
const NAMING = new Set(['th', 'dt', 'td', 'label', 'strong', 'b'])
const FOLLOWING = /\s{0,20}(?:<(?:br|td|dd|span|div|p)\b[^<>]{0,120}>\s{0,20}){0,2}([^<>\n]{3,200})/y
/** Elements of HTML, which name nothing. */
const HTML =
  /^(?:a|p|b|i|li|ul|ol|tr|td|th|em|dd|dt|h[1-6]|div|span|code|table|tbody|thead|strong|script|style|body|html|head|title|button|label|option|select|form|pre|sup|sub|small|section|svg|path|figure|nav|main|cite|time)$/i
const LETTERS = /\p{L}{2}/u
const LONGEST_NAME = 40
const LONGEST_VALUE = 400
/** What is counted by its device or place. */
const COUNTED =
  /^(?:mobile|mob|cell|cellular|mobil|m[óo]vil|contacts?|home|work|office|desk|direct|main|signal|calls?)$/i
const FEWEST_DIGITS = 9
/** "Nagpur-Agra Pass" */
const OTHER_PASS = /\S[\s-]+pass$/i

/** Values of XML and HTML with the names of their elements, or of what is before them, as columns of one cell. */
export function markedUpLabels(text: string): LabelledColumn[] {
  if (!text.includes('</')) return []
  const found: LabelledColumn[] = []
  const headers = new Map<string, string | undefined>()
  const headerOf = (name: string): string | undefined => {
    if (!headers.has(name)) headers.set(name, OTHER_PASS.test(name) ? undefined : nameOfPair([asWords(name)]))
    return headers.get(name)
  }
  const ofHtml = new Map<string, boolean>()
  const isHtml = (tag: string): boolean => {
    let known = ofHtml.get(tag)
    if (known === undefined) ofHtml.set(tag, (known = HTML.test(tag)))
    return known
  }
  const add = (header: string, start: number, value: string): void => {
    const trimmed = value.trim()
    if (isCounted(header, trimmed)) return
    const from = start + value.indexOf(trimmed)
    if (trimmed !== '')
      found.push({
        header,
        isOther: !mayLabel(header),
        cells: [{ start: from, end: from + trimmed.length }],
        filled: 1,
      })
  }
  for (const { index, 0: whole, 1: tag = '' } of text.matchAll(CLOSING)) {
    const open = text.lastIndexOf('>', index - 1) + 1
    const isNaming = NAMING.has(tag)
    if (index - open < 2 || index - open > (isNaming ? LONGEST_NAME : LONGEST_VALUE)) continue
    const content = text.slice(open, index)
    if (isNaming) {
      FOLLOWING.lastIndex = index + whole.length
      const value = FOLLOWING.exec(text)?.[1]
      if (value === undefined || !LETTERS.test(content)) continue
      const end = FOLLOWING.lastIndex
      const name = content.trim().replace(/\s*[:\uff1a]$/, '')
      // Without digits only a secret is one.
      if (!/\d/.test(value) && secretNamedBy(asWords(name)) === undefined) continue
      const header = headerOf(name)
      if (header !== undefined) add(header, end - value.length, value)
    } else if (!isHtml(tag) && !content.includes('<') && opens(text, open, tag)) {
      const header = headerOf(tag.slice(tag.lastIndexOf(':') + 1))
      if (header !== undefined && !content.includes('\n')) add(header, open, content)
    }
  }
  return found
}

/** "Mobile: 1200345" are visits. */
export const isCounted = (header: string, value: string): boolean =>
  COUNTED.test(header) && (value.match(/\d/g)?.length ?? 0) < FEWEST_DIGITS

/** Whether the tag right before is the one that begins the element. */
const opens = (text: string, end: number, tag: string): boolean =>
  text.startsWith(`<${tag}`, text.lastIndexOf('<', end - 1))
