import { codesOf } from '../text-codes.ts'
import { type Mark, markBit } from './marks.ts'
import { AT, COMMAND, SLASH, UNDERSCORE } from './sentence-signs.ts'
import type { Sentence } from './sentences.ts'

/** Signs that these patterns need, beside those of a sentence. */
const NUMBERED = 1 << 8
const SECRET_NAME = 1 << 9
const OPENING = 1 << 10

/** Each with the signs of which its texts hold one. */
const PATTERNS: readonly (readonly [Mark, number, RegExp])[] = [
  ['url', SLASH, /\bhttps?:\/\//i],
  ['url', NUMBERED, /\bwww\.|\b(?:\d{1,3}\.){3}\d{1,3}\b/],
  ['email', AT, /[\w.+-]@[\w-]+\.\w/],
  ['path', SLASH, /~\/\.|\/etc\//],
  ['path', SECRET_NAME, /\.env\b|\.ssh\b|id_rsa|id_ed25519|\.aws\b|\.netrc|\.npmrc|passwd/],
  ['placeholder', OPENING, /[?&=/][\w-]*[{<[$#(]|\{\{|!\[[^\]]{0,80}\]\(/],
  [
    'shell',
    COMMAND,
    /\bcurl\b|\bwget\b|\|\s{0,4}(?:ba)?sh\b|\brm -rf\b|\bsudo\b|\bnc -|\bchmod\b|\bpip install\b|\bgit push\b|\bpowershell\b/,
  ],
  ['snake', UNDERSCORE, /[a-z]_[a-z]/],
]
const DOT = 1
const LOW_LINE = 2
const W = 3
const OPENS = 4
const SIGNS = new Uint8Array(0x10000)
SIGNS[0x2e] = DOT
SIGNS[0x5f] = LOW_LINE
SIGNS[0x77] = W
for (const sign of '{<[$#(') SIGNS[sign.charCodeAt(0)] = OPENS

/** The signs of the sentence that only these patterns need. */
function moreSigns(codes: Uint16Array, start: number, end: number): number {
  let signs = 0
  for (let i = start; i < end; i++) {
    const sign = SIGNS[codes[i] ?? 0]
    if (sign === 0) continue
    if (sign === OPENS) signs |= OPENING
    else if (i === start) {
      if (sign === DOT) signs |= SECRET_NAME
    } else if (sign === DOT) {
      const before = codes[i - 1] ?? 0
      if (before === 0x77 || (before >= 48 && before <= 57)) signs |= NUMBERED
      // The n of .env and .netrc, the s of .ssh, the a of .aws.
      const next = codes[i + 1] ?? 0
      if (next === 0x61 || next === 0x65 || next === 0x6e || next === 0x73) signs |= SECRET_NAME
    } else if (sign === LOW_LINE) {
      if (codes[i - 1] === 0x64) signs |= SECRET_NAME
    } else if (codes[i - 1] === 0x73 && codes[i + 1] === 0x64) signs |= SECRET_NAME
  }
  return signs
}

const isBlank = (code: number): boolean =>
  code === 32 || (code >= 9 && code <= 13) || (code >= 0xa0 && /\s/.test(String.fromCharCode(code)))

const QUOTES_BEFORE = 1
const QUOTES_BEHIND = 2
const QUOTES = new Uint8Array(0x10000)
for (const sign of `"'“‘\`«`) QUOTES[sign.charCodeAt(0)] = QUOTES_BEFORE
for (const sign of `"'”’\`»`) QUOTES[sign.charCodeAt(0)] = (QUOTES[sign.charCodeAt(0)] ?? 0) | QUOTES_BEHIND

const COMMENTS = ['//', '#', '/*', '<!--', '*', '--']
const BEFORE_COMMENTS = [...COMMENTS, ';', '%', 'REM']
/** What they begin and end with. */
const mayComment = (code: number): boolean => code < 0x40
const mayEndComment = (code: number): boolean => code < 0x40 || code === 0x4d

const endsComment = (text: string, line: number, end: number): boolean =>
  BEFORE_COMMENTS.some((sign) => {
    const from = end - sign.length
    return (
      from >= line && text.startsWith(sign, from) && (from === line || isBlank(text.charCodeAt(from - 1)))
    )
  })

const AHEAD = 30
const LINE_FEED = 10
const QUOTED = markBit('quoted')
const COMMENT = markBit('comment')

/** The marks that take a closer look, for sentences that may give an order. */
export function closerMarks(text: string, { start, end, signs }: Sentence): number {
  const codes = codesOf(text)
  const all = signs | moreSigns(codes, start, end)
  let raw: string | undefined
  let marks = 0
  for (const [mark, needed, pattern] of PATTERNS)
    if ((all & needed) !== 0 && pattern.test((raw ??= text.slice(start, end)))) marks |= markBit(mark)

  let first = start
  while (first < end && isBlank(codes[first] ?? 0)) first++
  let last = end - 1
  while (last >= start && isBlank(codes[last] ?? 0)) last--
  let line = start
  while (line > 0 && start - line < AHEAD && codes[line - 1] !== LINE_FEED) line--
  let before = start - 1
  while (before >= line && isBlank(codes[before] ?? 0)) before--
  const isQuoted =
    (first < end && ((QUOTES[codes[first] ?? 0] ?? 0) & QUOTES_BEFORE) !== 0) ||
    (last >= start && ((QUOTES[codes[last] ?? 0] ?? 0) & QUOTES_BEHIND) !== 0) ||
    (before >= line && ((QUOTES[codes[before] ?? 0] ?? 0) & QUOTES_BEFORE) !== 0)
  if (isQuoted) marks |= QUOTED
  const isComment =
    (mayComment(codes[first] ?? 0) &&
      COMMENTS.some((sign) => first + sign.length <= end && text.startsWith(sign, first))) ||
    (before >= line && mayEndComment(codes[before] ?? 0) && endsComment(text, line, before + 1))
  if (isComment) marks |= COMMENT
  return marks >>> 0
}
