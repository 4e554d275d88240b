import { Tokenizer } from 'htmlparser2'

/** Attributes read from an element; undefined when missing, the first of duplicates. */
export interface ReadAttributes {
  class: string | undefined
  id: string | undefined
  role: string | undefined
  style: string | undefined
  hidden: string | undefined
  ariaHidden: string | undefined
  colspan: string | undefined
  rowspan: string | undefined
  href: string | undefined
}

/** In order, entities decoded, names in lower case. */
export interface HtmlEvents {
  text(text: string): void
  open(name: string, attributes: ReadAttributes): void
  close(name: string): void
}

const FIELDS: ReadonlyMap<string, keyof ReadAttributes> = new Map([
  ['class', 'class'],
  ['id', 'id'],
  ['role', 'role'],
  ['style', 'style'],
  ['hidden', 'hidden'],
  ['aria-hidden', 'ariaHidden'],
  ['colspan', 'colspan'],
  ['rowspan', 'rowspan'],
  ['href', 'href'],
])
/**
 * Elements with text up to their own closing tag. Entities stay: only titles and forms may have them, which aren't
 * read.
 */
const TEXT_ONLY = new Set('script style title textarea xmp iframe noembed noframes'.split(' '))

const NONE: ReadAttributes = {
  class: undefined,
  id: undefined,
  role: undefined,
  style: undefined,
  hidden: undefined,
  ariaHidden: undefined,
  colspan: undefined,
  rowspan: undefined,
  href: undefined,
}

/**
 * Tokenizes tags and texts like the HTML standard. Same output as htmlparser2, which handles each character in a
 * state, at a third of the cost: finds texts, values and comments by their end. Uses that package for entities.
 */
export function scanHtml(html: string, events: HtmlEvents): void {
  const { length } = html
  const text = (from: number, to: number, hasEntities = true): void => {
    if (from >= to) return
    const raw = html.slice(from, to)
    events.text(hasEntities && raw.includes('&') ? decodeText(raw) : raw)
  }
  let at = 0
  while (at < length) {
    const tag = html.indexOf('<', at)
    if (tag < 0) break
    text(at, tag)
    const next = html.charCodeAt(tag + 1)
    if (isLetter(next)) at = scanTag(html, tag + 1, events, text)
    else if (next === SLASH) {
      const first = html.charCodeAt(tag + 2)
      if (tag + 2 >= length) return text(tag, length)
      if (isLetter(first)) {
        const nameEnd = endOfName(html, tag + 2)
        if (nameEnd < length) events.close(html.slice(tag + 2, nameEnd).toLowerCase())
        at = after(html, '>', nameEnd)
      } else at = first === GREATER ? tag + 3 : after(html, '>', tag + 3)
    } else if (next === EXCLAMATION) at = endOfDeclaration(html, tag + 2)
    else if (next === QUESTION) at = after(html, '>', tag + 2)
    else {
      // A "<" that begins nothing is text.
      const end = html.indexOf('<', tag + 1)
      at = end < 0 ? length : end
      text(tag, at)
    }
  }
  text(at, length)
}

/** Reads an opening tag with its name at `start`, and the text of text-only elements; returns the end. */
function scanTag(
  html: string,
  start: number,
  events: HtmlEvents,
  text: (from: number, to: number, hasEntities?: boolean) => void,
): number {
  const { length } = html
  const nameEnd = endOfName(html, start)
  const name = html.slice(start, nameEnd).toLowerCase()
  let attributes = NONE
  let at = nameEnd
  for (;;) {
    let code = html.charCodeAt(at)
    while (code === SLASH || isBlank(code)) code = html.charCodeAt(++at)
    // Unclosed at the end: ignored.
    if (at >= length) return length
    if (code === GREATER) break
    const from = at++
    for (code = html.charCodeAt(at); at < length && code !== EQUALS && !endsName(code);)
      code = html.charCodeAt(++at)
    const field = FIELDS.get(html.slice(from, at).toLowerCase())
    while (isBlank(code)) code = html.charCodeAt(++at)
    let value = ''
    if (code === EQUALS) {
      do code = html.charCodeAt(++at)
      while (isBlank(code))
      if (at >= length) return length
      const isQuoted = code === DOUBLE || code === SINGLE
      const valueStart = isQuoted ? at + 1 : at
      if (isQuoted) {
        at = html.indexOf(code === DOUBLE ? '"' : "'", valueStart)
        if (at < 0) return length
      } else while (at < length && code !== GREATER && !isBlank(code)) code = html.charCodeAt(++at)
      if (field !== undefined) value = html.slice(valueStart, at)
      if (isQuoted) at++
    }
    if (field === undefined) continue
    if (attributes === NONE) attributes = { ...NONE }
    attributes[field] ??= value.includes('&') ? decodeAttribute(value) : value
  }
  events.open(name, attributes)
  at++
  if (name === 'plaintext') {
    text(at, length, false)
    return length
  }
  if (!TEXT_ONLY.has(name)) return at
  const end = endOfTextOnly(html, name, at)
  text(at, end, false)
  return end
}

function endOfTextOnly(html: string, name: string, from: number): number {
  for (let at = html.indexOf('</', from); at >= 0; at = html.indexOf('</', at + 2)) {
    const nameEnd = at + 2 + name.length
    if (nameEnd < html.length && endsName(html.charCodeAt(nameEnd)))
      if (html.slice(at + 2, nameEnd).toLowerCase() === name) return at
  }
  return html.length
}

/** Comments, doctypes and other `<!…>` with text at `from`. */
function endOfDeclaration(html: string, from: number): number {
  if (html.startsWith('[CDATA[', from)) return after(html, ']]>', from + 7)
  if (!html.startsWith('--', from)) return after(html, '>', from)
  if (html.startsWith('>', from + 2)) return from + 3
  if (html.startsWith('->', from + 2)) return from + 4
  COMMENT_END.lastIndex = from + 2
  return COMMENT_END.test(html) ? COMMENT_END.lastIndex : html.length
}

const COMMENT_END = /--!?>/g

function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from)
  return found < 0 ? html.length : found + mark.length
}

function endOfName(html: string, from: number): number {
  let at = from
  while (at < html.length && !endsName(html.charCodeAt(at))) at++
  return at
}

const EXCLAMATION = 33
const DOUBLE = 34
const SINGLE = 39
const SLASH = 47
const EQUALS = 61
const GREATER = 62
const QUESTION = 63

const isBlank = (code: number) => code === 32 || code === 10 || code === 9 || code === 13 || code === 12
const endsName = (code: number) => code === GREATER || code === SLASH || isBlank(code)
const isLetter = (code: number) => (code >= 97 && code <= 122) || (code >= 65 && code <= 90)

/** One tokenizer serves all pages' entities. */
const decoded = { text: '', from: '' }
const ignore = (): void => {}
const decoder = new Tokenizer(
  { decodeEntities: true },
  {
    ontext: (from, to) => {
      decoded.text += decoded.from.slice(from, to)
    },
    ontextentity: (point) => {
      decoded.text += String.fromCodePoint(point)
    },
    onattribdata: (from, to) => {
      decoded.text += decoded.from.slice(from, to)
    },
    onattribentity: (point) => {
      decoded.text += String.fromCodePoint(point)
    },
    onattribend: ignore,
    onattribname: ignore,
    oncdata: ignore,
    onclosetag: ignore,
    oncomment: ignore,
    ondeclaration: ignore,
    onend: ignore,
    onopentagend: ignore,
    onopentagname: ignore,
    onprocessinginstruction: ignore,
    onselfclosingtag: ignore,
  },
)

function decodeText(text: string): string {
  decoder.reset()
  decoded.text = ''
  decoded.from = text
  decoder.write(text)
  decoder.end()
  return decoded.text
}

/** Attributes treat entities without semicolon differently. */
const decodeAttribute = (value: string): string => decodeText(`<a b="${value.replaceAll('"', '&quot;')}">`)
