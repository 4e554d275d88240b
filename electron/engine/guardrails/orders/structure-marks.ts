import { codesOf } from '../text-codes.ts'
import type { Mark } from './marks.ts'

/** A speaker's label or a closed delimiter. Found in the whole text, because it may span sentences. */
export interface PlacedMark {
  readonly mark: Mark
  readonly start: number
  readonly end: number
}

interface Pattern {
  readonly mark: Mark
  /** Bounded, so that each is linear. */
  readonly pattern: RegExp
}

const LINE = 1
const BACKSLASH = 2
const BRACKET = 3
const QUOTE = 4
/** Of words, as bits: `im_`, the f of "end of ", and the colon of "input:". */
const LOW_LINE = 8
const OF = 16
const COLON = 32

/** By the sign that they begin with, sticky. */
const AT_LINE: Pattern = {
  mark: 'speaker',
  pattern:
    /(?:^|\\n)[ \t>*#-]{0,6}(?:\*\*)?(?:system|human|user|assistant|ai|instruction|response|developer|thought|action|observation)(?: (?:prompt|message|notice|update|instruction|input))?(?:\*\*)?\s?:/imy,
}
const AT_BRACKET: readonly Pattern[] = [
  {
    mark: 'template',
    pattern:
      /<\|[a-z_▁ ]{2,30}\|?>|<｜[^｜]{2,30}｜>|\[\/?INST\]|<<\/?SYS(?:TEM)?>>|<(?:start|end)_of_turn>|\{\{[#/]system\}\}|\[\/?SYSTEM[ A-Z]{0,20}\]/y,
  },
  {
    mark: 'boundary',
    pattern:
      /<(?:\/(?:tool_result|tool_output|function_results?|search_results?|untrusted[\w-]*|document|documents|context|content|email|inbox|data|result|results|system[\w-]*|instructions?|user|assistant)>|(?:system[\w-]*|important|admin[\w-]*|instructions?|developer|policy[\w-]*|override|directive|assistant[\w-]*|user|task|secret[\w-]*|hidden[\w-]*|thinking|execute|mcp:[\w-]+|[a-z]{1,12}_(?:info|directive))\b[^<>\n]{0,80}>)/iy,
  },
  { mark: 'boundary', pattern: /\]\]>/y },
  { mark: 'call', pattern: /<invoke name=/iy },
]
const AT_QUOTE: readonly Pattern[] = [
  {
    mark: 'role',
    pattern:
      /["']role["']\s{0,4}:\s{0,4}["'](?:system|developer|assistant|user)["']|["'](?:system(?:_message|_prompt)?|assistant_instructions?|instructions?_(?:to|for)_\w{2,12}|hint_for_\w{2,12}|next_action|developer|llm_\w{2,20}|model_\w{0,4}instructions?)["']\s{0,4}:/iy,
  },
  {
    mark: 'call',
    pattern: /["'](?:tool_use|tool_calls?|function_calls?|action_input|arguments)["']|"tools\/call"/iy,
  },
]
/** Of words; a text without its sign, behind `WORDS_BEFORE`, has none. */
const BY_WORDS: readonly (Pattern & { readonly sign: number })[] = [
  { mark: 'template', sign: LOW_LINE, pattern: /(?<!<\|)\bim_(?:start|end)\b/g },
  {
    mark: 'boundary',
    sign: OF,
    pattern: /\bend of (?:document|text|file|data|results?|input|email|message)\b(?=[\s.\])-]*(?:\n|-|$))/gi,
  },
  { mark: 'call', sign: COLON, pattern: /\bAction Input:/gi },
]

/** A template's mark in the middle of a sentence is named there, and opens nothing. */
const BEFORE_NAME = /\p{Ll},?[ \t][`"'“‘]?$/u
const BEHIND_NAME =
  /^[`"'”’]?(?:[.,;:)?](?:\s|$)|[ \t](?!(?:system|user|assistant|tool|human|model|developer)\b)\p{Ll})/u
const NEARBY = 16

const isNamed = (text: string, start: number, end: number): boolean =>
  BEHIND_NAME.test(text.slice(end, end + NEARBY)) &&
  BEFORE_NAME.test(text.slice(Math.max(0, start - NEARBY), start))

const SIGNS = new Uint8Array(0x10000)
for (const sign of '\n\r\u2028\u2029') SIGNS[sign.charCodeAt(0)] = LINE
SIGNS[0x5c] = BACKSLASH
for (const sign of '<[{]') SIGNS[sign.charCodeAt(0)] = BRACKET
for (const sign of '"\'') SIGNS[sign.charCodeAt(0)] = QUOTE
SIGNS[0x5f] = LOW_LINE
SIGNS[0x46] = SIGNS[0x66] = OF
SIGNS[0x3a] = COLON

/** What is before the sign, and the sign. */
const WORDS_BEFORE = new Map([
  [LOW_LINE, ['im_']],
  [OF, ['end of', 'END OF']],
  [COLON, ['ction Input:', 'ction input:']],
])

const endsWord = (text: string, at: number, sign: number): boolean =>
  WORDS_BEFORE.get(sign)?.some((word) => text.startsWith(word, at + 1 - word.length)) === true

/** The first two letters of what `AT_QUOTE` finds after a quotation mark. */
const QUOTED = new Uint8Array(1 << 10)
const pair = (first: number, second: number): number => ((first & 31) << 5) | (second & 31)
for (const word of 'role system assistant instruction hint next developer llm model tool function action arguments'.split(
  ' ',
))
  QUOTED[pair(word.charCodeAt(0), word.charCodeAt(1))] = 1
/** The first two letters of what `AT_BRACKET` finds in tags; and of what ends in `_info` or `_directive` any. */
const TAGGED = new Uint8Array(1 << 10)
for (const word of 'tool function search untrusted document context content email inbox data result system instructions user assistant important admin developer policy override directive task secret hidden thinking execute mcp start end invoke'.split(
  ' ',
))
  TAGGED[pair(word.charCodeAt(0), word.charCodeAt(1))] = 1
const LONGEST_PREFIX = 12

function mayBeTag(codes: Uint16Array, at: number): boolean {
  const from = codes[at] === 0x2f ? at + 1 : at
  if (TAGGED[pair(codes[from] ?? 0, codes[from + 1] ?? 0)] === 1) return true
  let end = from
  while (end - from <= LONGEST_PREFIX && isLetter(codes[end] ?? 0)) end++
  return end > from && codes[end] === 0x5f
}

const isLetter = (code: number): boolean => (code | 32) >= 97 && (code | 32) <= 122

/** What may be before a speaker, and with what one begins. */
const BEFORE_SPEAKER = new Uint8Array(0x10000)
for (const sign of ' \t>*#-') BEFORE_SPEAKER[sign.charCodeAt(0)] = 1
const MOST_BEFORE = 8
const SPEAKS = new Uint8Array(0x10000)
for (const letter of 'shuairdto') SPEAKS[letter.charCodeAt(0)] = 1
const MOST = 20_000

/** Most brackets open data or code. */
function mayOpen(codes: Uint16Array, at: number): boolean {
  const code = codes[at] ?? 0
  const next = codes[at + 1] ?? 0
  if (code === 0x7b || code === 0x5d) return next === code
  if (code === 0x5b) return next === 0x2f || (next | 32) === 0x69 || (next | 32) === 0x73
  return (
    next === 0x3c ||
    next === 0x7c ||
    next === 0xff5c ||
    ((next === 0x2f || isLetter(next)) && mayBeTag(codes, at + 1))
  )
}

/** In linear time: one pass over the signs that marks begin with. */
export function structureMarks(text: string): PlacedMark[] {
  const codes = codesOf(text)
  const found: PlacedMark[] = []
  const tryAt = ({ mark, pattern }: Pattern, place: number): void => {
    pattern.lastIndex = place
    const match = pattern.exec(text)
    if (!match || found.length >= MOST) return
    const end = place + match[0].length
    if (mark !== 'template' || !isNamed(text, place, end)) found.push({ mark, start: place, end })
  }
  const tryLine = (place: number, from: number): void => {
    let at = from
    while (at - from <= MOST_BEFORE && BEFORE_SPEAKER[codes[at] ?? 0] === 1) at++
    if (SPEAKS[(codes[at] ?? 0) | 32] === 1) tryAt(AT_LINE, place)
  }
  let wordSigns = 0
  tryLine(0, 0)
  for (let i = 0; i < text.length; i++) {
    const sign = SIGNS[codes[i] ?? 0] ?? 0
    if (sign === 0) continue
    if (sign === LINE) tryLine(i + 1, i + 1)
    else if (sign === BACKSLASH) {
      if (codes[i + 1] === 0x6e) tryLine(i, i + 2)
    } else if (sign === BRACKET) {
      if (mayOpen(codes, i)) for (const each of AT_BRACKET) tryAt(each, i)
    } else if (sign >= LOW_LINE) {
      if ((wordSigns & sign) === 0 && endsWord(text, i, sign)) wordSigns |= sign
    } else if (QUOTED[pair(codes[i + 1] ?? 0, codes[i + 2] ?? 0)] === 1)
      for (const each of AT_QUOTE) tryAt(each, i)
  }
  for (const { mark, sign, pattern } of BY_WORDS) {
    if ((wordSigns & sign) === 0) continue
    for (const match of text.matchAll(pattern))
      if (found.length < MOST) found.push({ mark, start: match.index, end: match.index + match[0].length })
  }
  return found
}
