import { mergeFound } from '../merge-found.ts'
import type { Found, Scan } from '../personal-data.ts'
import { isInsideEncodedData } from './boundaries.ts'
import { matchesOf } from './matches-of.ts'
import { isSecretValue, PASSWORD } from './named-secret.ts'
import { matchesAt } from './pattern-starts.ts'

/** Issuer-defined prefix and shape. */
export const KNOWN_START =
  /\b(?:A(?:KIA|SIA|GPA|ROA|IDA|Iza)|gh[pousr]_|github_pat_|gl(?:pat|ptt|dt|rt)-|sk-|[srp]k_(?:live|test)_|whsec_|xox[abeoprs]-|xapp-|ya29\.|SG\.|npm_|pypi-|hf_|do[op]_v1_|shp(?:at|ss)_|lin_api_|figd_|ntn_|sbp_|glc_|key-|hv[sbr]\.|AGE-SECRET-KEY-1|hooks\.slack\.com\/services\/|ey[JI])/y
const KNOWN_SHAPE = new RegExp(
  [
    String.raw`A(?:KIA|SIA|GPA|ROA|IDA)[A-Z0-9]{16}`,
    String.raw`AIza[A-Za-z0-9_-]{35}`,
    String.raw`gh[pousr]_[A-Za-z0-9]{36,251}`,
    String.raw`github_pat_[A-Za-z0-9_]{22,251}`,
    String.raw`gl(?:pat|ptt|dt|rt)-[A-Za-z0-9_-]{20,64}`,
    String.raw`sk-(?!ssh-|ecdsa-)(?:ant-|proj-|svcacct-|or-)?[A-Za-z0-9_-]{20,200}`,
    String.raw`[srp]k_(?:live|test)_[A-Za-z0-9]{16,200}`,
    String.raw`whsec_[A-Za-z0-9+/=]{24,64}`,
    String.raw`xox[abeoprs]-[A-Za-z0-9-]{10,200}`,
    String.raw`xapp-\d-[A-Za-z0-9-]{20,200}`,
    String.raw`ya29\.[A-Za-z0-9_-]{20,400}`,
    String.raw`SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}`,
    String.raw`(?:npm_|pypi-|hf_|do[op]_v1_|shp(?:at|ss)_|lin_api_|figd_|ntn_|sbp_|glc_)[A-Za-z0-9_-]{30,250}`,
    String.raw`key-[0-9a-f]{32}`,
    String.raw`hv[sbr]\.[A-Za-z0-9_-]{24,300}`,
    String.raw`AGE-SECRET-KEY-1[0-9A-Z]{58}`,
    String.raw`hooks\.slack\.com\/services\/T[A-Z0-9]{6,12}\/B[A-Z0-9]{6,12}\/[A-Za-z0-9]{20,32}`,
    String.raw`ey[JI][A-Za-z0-9_-]{10,4000}\.ey[JI][A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{0,2000}`,
  ].join('|'),
  'y',
)
/** Telegram: number, colon, fixed prefix. */
const BOT_TOKEN = /:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])/g
const KEY_BLOCK = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,6}PRIVATE KEY(?: BLOCK)?-----/g
const LONGEST_KEY_BLOCK = 20_000
/** scheme://user:password@host */
const URL_PASSWORD = /:\/\/[^\s:/@"'<>]{0,100}:([^\s/@"'<>]{3,200})@/g
export const AUTHORIZATION = /\b(?:bearer|basic)\s+([A-Za-z0-9._~+/=-]{16,4000})/iy

/** As in `API_KEY=…` and `"client_secret": "…"`. */
export const SECRET_NAME = new RegExp(
  String.raw`(?:api[_ -]?key|account[_ -]?key|shared[_ -]?access[_ -]?key|access[_ -]?key(?:[_ -]?id)?|secret(?:[_ -]?(?:access[_ -]?)?key)?|private[_ -]?key|token|${PASSWORD}|credentials?|auth(?:orization)?|signature|cookie)`,
  'i',
)
const NAMED = new RegExp(
  String.raw`(${SECRET_NAME.source})["'\]]{0,2}\s{0,3}(?:[:\uff1a]|=>?|:=)\s{0,3}["']?([^\s"'<>{}()[\],;]{3,4000})`,
  'iy',
)
/** Pagination marks, which a server must get back unchanged. */
const PAGE_TOKEN =
  /(?:page|next|prev(?:ious)?|continuation|cursor|sync|resume|resumption|cancel(?:lation)?|progress|delta)[_ -]?$/i
const PASSWORD_NAME = new RegExp(`^(?:${PASSWORD})`, 'i')
const FILE = /^[.~]{0,2}\/(?:.*\.\w{1,5}|(?:[a-z][\w.-]*\/)+[\w.-]*)$/
const PLACEHOLDER = /^(?:\$|%|<|\*+$|x{4,}|\.{3}|your|example|changeme|redacted|undefined|process\.env)/i

/** Known shapes, and random-looking values after names of secrets. */
export function findApiKeys(scan: Scan): Found[] {
  const { text } = scan
  let found: readonly Found[] = []
  const add = (further: readonly Found[]): void => {
    if (further.length > 0) found = mergeFound(found, further)
  }
  // Each search runs only if its cheap marker test succeeds.
  const hasToken = holdsToken(text)
  const hasColon = /[:\uff1a]/.test(text)
  if (hasToken) add(knownShapes(scan))
  if (hasToken && hasColon) add(botTokens(text))
  if (text.includes('-----BEGIN ')) add(keyBlocks(text))
  if (hasColon && text.includes('://')) add(urlPasswords(text))
  if (hasToken) add(authorizations(scan))
  if (hasColon || text.includes('=')) add(namedSecrets(scan))
  return [...found]
}

/** `xoxb-` and ten characters. Bearer tokens are longer. */
const SHORTEST_TOKEN = 15
const TOKEN_UNIT = new Uint8Array(0x10000)
for (const unit of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._~+/=-')
  TOKEN_UNIT[unit.charCodeAt(0)] = 1

/** Fifteen consecutive key characters. Skips most ordinary text. */
function holdsToken(text: string): boolean {
  for (let start = 0; start + SHORTEST_TOKEN <= text.length;) {
    let first = start + SHORTEST_TOKEN
    while (first > start && TOKEN_UNIT[text.charCodeAt(first - 1)] === 1) first--
    if (first === start) return true
    start = first
  }
  return false
}

function knownShapes({ text, starts }: Scan): Found[] {
  const found: Found[] = []
  for (const { index } of matchesAt(text, KNOWN_START, starts.token)) {
    if (index < (found.at(-1)?.end ?? 0)) continue
    KNOWN_SHAPE.lastIndex = index
    const length = KNOWN_SHAPE.exec(text)?.[0].length
    if (length === undefined || (length < 250 && isInsideEncodedData(text, index, index + length))) continue
    found.push({ start: index, end: index + length })
  }
  return found
}

function botTokens(text: string): Found[] {
  return matchesOf(text, BOT_TOKEN).flatMap((match) => {
    const number = /(?<!\w)\d{8,10}$/.exec(text.slice(Math.max(0, match.index - 11), match.index))?.[0]
    return number === undefined
      ? []
      : [{ start: match.index - number.length, end: match.index + match[0].length }]
  })
}

function keyBlocks(text: string): Found[] {
  const found: Found[] = []
  for (const begin of matchesOf(text, KEY_BLOCK)) {
    if (begin.index < (found.at(-1)?.end ?? 0)) continue
    const block = text.slice(begin.index, begin.index + LONGEST_KEY_BLOCK)
    const end = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/.exec(block)
    found.push({ start: begin.index, end: begin.index + (end ? end.index + end[0].length : block.length) })
  }
  return found
}

const urlPasswords = (text: string): Found[] =>
  firstGroups(matchesOf(text, URL_PASSWORD)).filter(
    ({ start, end }) => !PLACEHOLDER.test(text.slice(start, end)),
  )

const authorizations = ({ text, starts }: Scan): Found[] =>
  firstGroups(matchesAt(text, AUTHORIZATION, starts.authorization)).filter(({ start, end }) =>
    looksRandom(text.slice(start, end)),
  )

function namedSecrets({ text, starts }: Scan): Found[] {
  const found: Found[] = []
  for (const match of matchesAt(text, NAMED, starts.secretName)) {
    const [whole, name = '', value = ''] = match
    const end = match.index + whole.length
    if (PLACEHOLDER.test(value) || value.includes('@') || /^(?:https?|file):/i.test(value)) continue
    if (FILE.test(value)) continue
    if (PAGE_TOKEN.test(text.slice(Math.max(0, match.index - 14), match.index))) continue
    const secret = PASSWORD_NAME.test(name)
      ? looksLikePassword(value) || isSet(text, match, value)
      : value.length >= 16 && looksRandom(value)
    if (secret) found.push({ start: end - value.length, end })
  }
  return found
}

const firstGroups = (matches: readonly RegExpExecArray[]): Found[] =>
  matches.map((match) => {
    const value = match[1] ?? ''
    const start = match.index + match[0].lastIndexOf(value)
    return { start, end: start + value.length }
  })

/** Letters mixed with digits or signs. */
const looksLikePassword = (value: string): boolean =>
  value.length >= SHORTEST_ALONE && /\d|[^\p{L}_.-]/u.test(value) && /\p{L}/u.test(value)
const SHORTEST_ALONE = 8

/** A whole text in quotes, or of a line of settings: `DB_PASSWORD=sesame` */
function isSet(text: string, { index, 0: whole }: RegExpExecArray, value: string): boolean {
  const end = index + whole.length
  const start = end - value.length
  const quote = text.charAt(start - 1)
  const isQuoted = /["']/.test(quote) && text.charAt(end) === quote
  return (
    (isQuoted ||
      (/^[\r\n]?$/.test(text.charAt(end)) && isSetting(text.slice(Math.max(0, start - 60), start), value))) &&
    isSecretValue('password', value)
  )
}
const isSetting = (before: string, value: string): boolean =>
  ENVIRONMENT.test(before) || (SETTING.test(before) && WORD_AND_DIGITS.test(value))
const ENVIRONMENT = /(?:^|\n)[ \t]*(?:- |\* )?(?:export |set |ENV |-e |--env )?[A-Z][A-Z\d_]*=$/
/** Of YAML and the like, where a password of a word and digits may be short. */
const SETTING = /(?:^|\n)[ \t]*(?:- )?[\w.-]*:[ \t]+$/
const WORD_AND_DIGITS = /^(?=.*\d)(?=.*[a-z])\S+$/i

const LEAST_ENTROPY = 3

/** Bits per character over the value's own letters, as in secret scanners; words and paths are lower. */
function looksRandom(value: string): boolean {
  if (
    !/\d/.test(value) ||
    !/[A-Za-z]/.test(value) ||
    (/^[a-z]+(?:[._/-][a-z0-9]+)*$/i.test(value) && !/[0-9][a-z]+[0-9]/i.test(value))
  )
    return false
  const counts = new Map<string, number>()
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1)
  let entropy = 0
  for (const count of counts.values()) entropy -= (count / value.length) * Math.log2(count / value.length)
  return entropy >= LEAST_ENTROPY
}
