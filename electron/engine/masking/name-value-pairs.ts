import { asWords } from './as-words.ts'
import { mayLabel } from './finders/column-labels.ts'
import { nameOfPair } from './naming-keys.ts'
import type { LabelledColumn } from './table-cells.ts'

/** `value: hunter2`, `'value': 'hunter2'`, `value="hunter2"`, `<value>hunter2</value>` */
const VALUE =
  /(?:value|wert|valeur|valore?|waarde)(?:=([^\s"'`<>]{3,400})|(?:["'*`]{0,3}[ \t]{0,8}[:=]\*{0,2}[ \t]{0,8}|>)(?:(["'`])([^"'`\n]{3,400})\2|([^\s"'`<>][^\n<>]{2,400})))/gi
/** The nearest before it, with nothing but other such pairs between. */
const NAME =
  /(?:name|key|variable|field|parameter|header|property|setting|nom|nombre|clave|schl\u00fcssel|nome|chiave|chave|naam|sleutel)(?:=([^\s"'`<>,;/|]{2,60})|(?:["'*`]{0,3}[ \t]{0,8}[:=][*]{0,2}[ \t]{0,8}|>)(?:(["'`])([^"'`\n]{2,60})\2|([^\s"'`<>,;/|][^\n"'`<>,;/|]{1,60})))/gi
const REACH = 240
/** Of an item of a list, of an object or of a block of lines. */
const ITEM_ENDS = /\n[ \t]*\n|\n[ \t]*-[ \t]|[{}]|<\/?\w+[^>]*>\s*<\/|\/>/
const MOST_LINES = 3
const SHORTEST = 3

/** Values with their names beside them, as columns of one cell. */
export function nameValuePairs(text: string): LabelledColumn[] {
  if (!MAY_HAVE.test(text)) return []
  const pairs: LabelledColumn[] = []
  for (const match of text.matchAll(VALUE)) {
    const header = nameBefore(text, match.index)
    if (header === undefined) continue
    const [whole, assigned, , quoted, plain = ''] = match
    const value = quoted ?? (assigned ?? plain).replace(UNQUOTED_END, '')
    const written = quoted === undefined ? (assigned ?? plain).length : quoted.length + 1
    const start = match.index + whole.length - written
    if (value.length >= SHORTEST)
      pairs.push({
        header,
        isOther: !mayLabel(header),
        cells: [{ start, end: start + value.length }],
        filled: 1,
      })
  }
  return pairs
}

const MAY_HAVE = /value|wert|valeur|valor|waarde/i
/** Of the line, with what may follow a value in it. */
const UNQUOTED_END = /(?:[,;|)}\]](?=\s|$)|\s+(?:#|\/\/)).*$|\s+$/
function nameBefore(text: string, end: number): string | undefined {
  const before = text.slice(Math.max(0, end - REACH), end)
  const last = [...before.matchAll(NAME)].at(-1)
  if (!last) return undefined
  const between = before.slice(last.index + last[0].length)
  if (ITEM_ENDS.test(between) || between.split('\n').length > MOST_LINES + 1) return undefined
  return nameOfPair([asWords((last[1] ?? last[3] ?? last[4] ?? '').trim())])
}
