import type { Found, Scan } from '../personal-data.ts'
import { isWordCode } from './boundaries.ts'
import { matchesOf } from './matches-of.ts'

const LONGEST_LOCAL_PART = 64
const LONGEST_DOMAIN = 254
const LOCAL_MARK = /[.%+'-]/
const FOREIGN_LETTER = /[\p{L}\p{N}]/u
/** `domainAt` has checked that non-ASCII characters are letters. */
const DOMAIN =
  /^(?:[A-Za-z0-9\x80-\uffff](?:[A-Za-z0-9\x80-\uffff-]{0,61}[A-Za-z0-9\x80-\uffff])?\.){1,8}(?:[Xx][Nn]--[A-Za-z0-9-]{2,59}|[A-Za-z\x80-\uffff]{2,24})/
/** RFC 5321, 4.1.3. */
const ADDRESS_LITERAL = /^\[(?:IPv6:[0-9a-f:.]{2,45}|(?:\d{1,3}\.){3}\d{1,3})\]/i
/** `icon@2x.png` and `module@v1.ts` are files. */
const FILE_ENDING =
  /\.(?:png|jpe?g|gif|svg|webp|avif|css|scss|m?js|tsx?|jsx|vue|json|html?|map|md|ya?ml|lock)$/i
/** `git@github.com:owner/project` names a repository. */
const SERVICE_LOCAL_PART = /^(?:git|hg|svn)$/i

/** `@` in addresses, also in an address within one, and in HTML. */
const ENCODED_AT = /%(?:25)?40|&(?:#0{0,4}64|#x0{0,4}40|commat);/gi

/** Found at `@` or one of its encodings. */
export function findEmails({ text }: Scan): Found[] {
  const found: Found[] = []
  if (!/[@＠]/.test(text) && text.search(ENCODED_AT) < 0) return findObfuscated(text)
  let last = 0
  for (const at of positionsOfAt(text)) {
    const start = localPartStart(text, at.index, last)
    const rest = at.index + at.length
    const domain = domainAt(text, rest)
    if (start === at.index || domain === undefined || FILE_ENDING.test(domain)) continue
    last = rest + domain.length
    if (SERVICE_LOCAL_PART.test(text.slice(start, at.index)) && /^:\S/.test(text.slice(last, last + 2)))
      continue
    found.push({ start, end: last })
  }
  return [...found, ...findObfuscated(text)].sort((a, b) => a.start - b.start)
}

/** As written against harvesters: "ada (at) example (dot) org", "ada[at]example.org". */
const OBFUSCATED =
  /[a-z0-9][a-z0-9._%+-]{0,63} ?(?:\(at\)|\[at\]|\{at\}|<at>) ?[a-z0-9-]{1,63}(?: ?(?:\.|\(dot\)|\[dot\]|\{dot\}|<dot>|\[\.\]) ?[a-z0-9-]{2,63}){1,4}(?![a-z0-9])/gi

const findObfuscated = (text: string): Found[] =>
  /[([{<]at[)\]}>]/i.test(text)
    ? matchesOf(text, OBFUSCATED).map(({ index, 0: whole }) => ({ start: index, end: index + whole.length }))
    : []

function isLocalPart(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  if (isWordCode(code)) return true
  return code < 128 ? LOCAL_MARK.test(text.charAt(index)) : FOREIGN_LETTER.test(text.charAt(index))
}

function* positionsOfAt(text: string): Generator<{ index: number; length: number }> {
  // Each is looked for only behind the last one: a text without the wide sign would be read to its end at each "@".
  let wide = text.indexOf('＠')
  let narrow = text.indexOf('@')
  const nextPlain = (from: number): number => {
    if (wide >= 0 && wide < from) wide = text.indexOf('＠', from)
    if (narrow >= 0 && narrow < from) narrow = text.indexOf('@', from)
    return wide < 0 || (narrow >= 0 && narrow < wide) ? narrow : wide
  }
  const encoded = text.matchAll(ENCODED_AT)
  let plain = nextPlain(0)
  let next = encoded.next().value
  while (plain >= 0 || next) {
    if (plain >= 0 && (!next || plain < next.index)) {
      yield { index: plain, length: 1 }
      plain = nextPlain(plain + 1)
    } else if (next) {
      yield { index: next.index, length: next[0].length }
      next = encoded.next().value
    }
  }
}

function domainAt(text: string, index: number): string | undefined {
  const after = text.slice(index, index + LONGEST_DOMAIN)
  const literal = ADDRESS_LITERAL.exec(after)?.[0]
  if (literal !== undefined) return literal
  const isForeign = /[^\0-\x7f]/.test(after)
  const end = isForeign ? after.search(/[^\p{L}\p{N}.-]/u) : -1
  return DOMAIN.exec(end < 0 ? after : after.slice(0, end))?.[0]
}

/** `at` if there is none. */
function localPartStart(text: string, at: number, notBefore: number): number {
  const lowest = Math.max(notBefore, at - LONGEST_LOCAL_PART)
  // RFC 5321, 4.1.2: a quoted local part.
  if (text.charAt(at - 1) === '"' && text.charAt(at - 2) !== '\\') {
    const quote = text.lastIndexOf('"', at - 2)
    if (quote >= lowest && quote < at - 2 && !text.slice(quote, at).includes('\n')) return quote
  }
  let start = at
  while (start > lowest && isLocalPart(text, start - 1)) start--
  if (text.charAt(start - 1) === '\\' && /[nrt]/.test(text.charAt(start))) start++
  while (start < at && /[.'%+-]/.test(text.charAt(start))) start++
  return start
}
