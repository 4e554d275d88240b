import { asWords } from './as-words.ts'
import { mayLabel } from './finders/column-labels.ts'
import { nameOfPair } from './naming-keys.ts'
import type { LabelledColumn } from './table-cells.ts'

/** `value: hunter2`, `'value': 'hunter2'`, `value="hunter2"`, `<value>hunter2</value>` */
const VALUE =
  /(?:[vV]alue|VALUE|[wW]ert|[vV]aleur|[vV]alore?|[wW]aarde)(?:=([^\s"'`<>]{3,400})|(?:["'*`]{0,3}[ \t]{0,8}[:=]\*{0,2}[ \t]{0,8}|>)(?:(["'`])([^"'`\n]{3,400})\2|([^\s"'`<>][^\n<>]{2,400})))/g
/** The nearest before it, with nothing but other such pairs between. */
const NAME =
  /(?:name|key|type|variable|field|parameter|header|property|setting|nom|nombre|clave|schl\u00fcssel|nome|chiave|chave|naam|sleutel)(?:=([^\s"'`<>,;/|]{2,60})|(?:["'*`]{0,3}[ \t]{0,8}[:=][*]{0,2}[ \t]{0,8}|>)(?:(["'`])([^"'`\n]{2,60})\2|([^\s"'`<>,;/|][^\n"'`<>,;/|]{1,60})))/gi
const REACH = 240
/** Of an item of a list, of an object or of a block of lines. */
const ITEM_ENDS = /<\w+\s|\n[ \t]*\n|\n[ \t]*-[ \t]|[{}]|<\/?\w+[^>]*>\s*<\/|\/>/
const MOST_LINES = 3
const SHORTEST = 3

/** Values with their names beside them, as columns of one cell. */
export function nameValuePairs(text: string): LabelledColumn[] {
  if (!MAY_HAVE.some((word) => text.includes(word))) return []
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

const MAY_HAVE = ['alue', 'VALUE', 'Wert', 'wert', 'aleur', 'alor', 'aarde']
/** Of the line, with what may follow a value in it. */
const UNQUOTED_END = /(?:[,;|)}\]](?=\s|$)|\s+(?:#|\/\/)).*$|\s+$/
function nameBefore(text: string, end: number): string | undefined {
  const before = text.slice(Math.max(0, end - REACH), end)
  for (const name of [...before.matchAll(NAME)].reverse()) {
    const between = before.slice(name.index + name[0].length)
    if (ITEM_ENDS.test(between) || between.split('\n').length > MOST_LINES + 1) return undefined
    const found = nameOfPair([asWords((name[1] ?? name[3] ?? name[4] ?? '').trim())])
    if (found !== undefined) return found
  }
  return undefined
}
