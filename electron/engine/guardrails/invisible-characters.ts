/** Without a glyph, as ranges; some places need them, see `isLawful`. */
export const INVISIBLE_RANGES: readonly (readonly [number, number])[] = [
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff9, 0xfffb],
]
/** Supplementary planes: musical format characters, tags, ideographs' variation selectors. */
const MUSICAL = 0xd834
const TAGS = 0xdb40

const escaped = (code: number): string => `\\u${code.toString(16).padStart(4, '0')}`

export const INVISIBLE = new RegExp(
  `[${INVISIBLE_RANGES.map(([first, last]) => `${escaped(first)}-${escaped(last)}`).join('')}]|\\ud834[\\udd73-\\udd7a]|\\udb40[\\udc00-\\uddef]`,
)

const TABLE = new Uint8Array(0x10000)
for (const [first, last] of INVISIBLE_RANGES) TABLE.fill(1, first, last + 1)

/** In UTF-16 units; 0 if visible. */
export function invisibleWidth(text: string, index: number): 0 | 1 | 2 {
  const code = text.charCodeAt(index)
  if (TABLE[code] === 1) return 1
  if (code !== TAGS && code !== MUSICAL) return 0
  const low = text.charCodeAt(index + 1)
  const invisible = code === TAGS ? low >= 0xdc00 && low <= 0xddef : low >= 0xdd73 && low <= 0xdd7a
  return invisible ? 2 : 0
}

const RTL_LETTER =
  /[\u05d0-\u05f2\u0620-\u064a\u066e-\u06d3\u06d5-\u08c9\ufb1d-\ufdfb\ufe70-\ufefc]|[\ud802\ud803\ud83a\ud83b][\udc00-\udfff]/
/** Scripts with ZWJ and ZWNJ: Arabic and relatives, Indic, Myanmar, Khmer, Mongolian, Javanese, Balinese. */
const JOINING_SCRIPT =
  // oxlint-disable-next-line no-misleading-character-class -- whole blocks, marks included
  /^[\u0600-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u18af\u1a20-\u1a9f\u1b00-\u1bff\ua840-\ua8df\ua980-\uaaff\uabc0-\uabff\ufb50-\ufdff\ufe70-\ufefc]|^[\ud804-\ud807\ud83a][\udc00-\udfff]/
/** Without spaces: a zero-width space allows line breaks. */
const SPACELESS_SCRIPT =
  // oxlint-disable-next-line no-misleading-character-class -- whole blocks, marks included
  /^[\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u1950-\u19df\u1a20-\u1a9f\ua980-\ua9df]/
const PICTOGRAPH = /^\p{Extended_Pictographic}/u
const BEFORE_JOINER = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f|\u20e3)$/u
/** Bases of variation selectors: pictographs, keycaps, symbols, ideographs, some letters. */
const TAKES_VARIATION =
  /(?:\p{Extended_Pictographic}|\p{Emoji}|\p{Sm}|\p{So}|\p{Po}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Myanmar}|\p{Script=Phags_Pa}|\p{Script=Mongolian}|\p{Script=Manichaean}|[\u3000-\u303f\uff01-\uff60])$/u
const IDEOGRAPH = /\p{Script=Han}$/u
/** Black flag, region in tag letters, end mark: England, Scotland, Wales and similar. */
const FLAG = /^\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}/u
const LONGEST_FLAG = 2 * 8 /* UTF-16 units */

export const hasRtlLetter = (text: string): boolean => RTL_LETTER.test(text)

const codePointBefore = (text: string, index: number): string => {
  const low = text.charCodeAt(index - 1)
  const wide = low >= 0xdc00 && low <= 0xdfff
  return text.slice(Math.max(0, index - (wide ? 2 : 1)), index)
}

/**
 * Whether its script needs the invisible character at `index`. Direction scopes (U+202A–E, U+2066–9) are judged by
 * `unlawfulScopes`.
 */
export function isLawful(text: string, index: number, lineHasRtl: () => boolean): boolean {
  const code = text.charCodeAt(index)
  const width = invisibleWidth(text, index)
  const before = codePointBefore(text, index)
  const after = text.slice(index + width, index + width + 2)
  switch (code) {
    case 0x200b:
      return SPACELESS_SCRIPT.test(before) || SPACELESS_SCRIPT.test(after)
    case 0x200c:
      return JOINING_SCRIPT.test(before) && isLetterLike(after)
    case 0x200d:
      return JOINING_SCRIPT.test(before) || (PICTOGRAPH.test(after) && BEFORE_JOINER.test(before))
    case 0x200e:
    case 0x200f:
    case 0x061c:
      return lineHasRtl() && !(isAsciiLetter(before) && isAsciiLetter(after.charAt(0)))
    case 0x034f:
      return hasRtlLetter(before) || /^[\u0591-\u05c7]/.test(before)
    case 0x115f:
    case 0x1160:
      return /^[\u1100-\u11ff]/.test(before) || /^[\u1100-\u11ff]/.test(after)
    case TAGS:
      return isLawfulTagOrSelector(text, index, before)
    default:
      if (code >= 0x180b && code <= 0x180f) return /^[\u1820-\u18aa]/.test(before)
      return code >= 0xfe00 && code <= 0xfe0f && TAKES_VARIATION.test(before)
  }
}

function isLawfulTagOrSelector(text: string, index: number, before: string): boolean {
  const low = text.charCodeAt(index + 1)
  if (low >= 0xdd00) return IDEOGRAPH.test(before)
  const from = Math.max(0, index - LONGEST_FLAG)
  const around = text.slice(from, from + 2 * LONGEST_FLAG + 2)
  const flagAt = around.lastIndexOf('\u{1f3f4}', index - from)
  if (flagAt === -1) return false
  const flag = FLAG.exec(around.slice(flagAt))
  return flag !== null && from + flagAt + flag[0].length > index
}

/** Non-ASCII letters, marks and digits: a non-joiner may precede a suffix. */
const isLetterLike = (after: string): boolean => after !== '' && after.charCodeAt(0) > 0x2ff
const isAsciiLetter = (character: string): boolean => /^[a-z]$/i.test(character)

const OVERRIDES = new Set([0x202d, 0x202e])
const RTL_OPENERS = new Set([0x202b, 0x2067])
const EMBEDDING_OPENERS = new Set([0x202a, 0x202b, 0x202d, 0x202e])
const POP_EMBEDDING = 0x202c
const POP_ISOLATE = 0x2069

export const isScopeCharacter = (code: number): boolean =>
  (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)

/**
 * Marks (1 by index) unneeded direction scope characters of a line: overrides, all in a line without right-to-left
 * letters, right-to-left scopes without such letters, and unpaired ones (CVE-2021-42574).
 */
export function unlawfulScopes(line: string): Uint8Array {
  const unlawful = new Uint8Array(line.length)
  const open: { index: number; code: number }[] = []
  const lineHasRtl = hasRtlLetter(line)
  let lastRtl = -1
  for (let i = 0; i < line.length; i++) {
    const code = line.charCodeAt(i)
    if (code >= 0x5d0 && code <= 0xfefc && RTL_LETTER.test(line.charAt(i))) lastRtl = i
    else if (code >= 0xd802 && code <= 0xd83b && RTL_LETTER.test(line.slice(i, i + 2))) lastRtl = i
    if (!isScopeCharacter(code)) continue
    unlawful[i] = 1
    if (code !== POP_EMBEDDING && code !== POP_ISOLATE) {
      open.push({ index: i, code })
      continue
    }
    const opener = open.at(-1)
    if (!opener || EMBEDDING_OPENERS.has(opener.code) !== (code === POP_EMBEDDING)) continue
    open.pop()
    const needed = lineHasRtl && (!RTL_OPENERS.has(opener.code) || lastRtl > opener.index)
    if (OVERRIDES.has(opener.code) || !needed) continue
    unlawful[i] = 0
    unlawful[opener.index] = 0
  }
  return unlawful
}

/**
 * Marks (1 by index) scopes that can reorder a line: right-to-left overrides and scopes among Latin letters
 * (CVE-2021-42574), and every override in a mixed line. Isolates around names and scopes in mostly right-to-left
 * lines reorder nothing.
 */
export function reorderingScopes(line: string): Uint8Array {
  const unlawful = unlawfulScopes(line)
  const rtl = countOf(line, RTL_LETTERS)
  const isMostlyRtl = rtl > 0 && rtl >= countOf(line, ASCII_LETTERS)
  const isHarmful = (code: number): boolean => {
    if (OVERRIDES.has(code)) return code === 0x202e || rtl > 0
    return isMostlyRtl ? false : rtl > 0 ? isOpener(code) : RTL_OPENERS.has(code)
  }
  let isReordered = false
  for (let i = 0; i < line.length && !isReordered; i++)
    isReordered = unlawful[i] === 1 && isHarmful(line.charCodeAt(i))
  return isReordered ? unlawful : new Uint8Array(line.length)
}

const isOpener = (code: number): boolean => EMBEDDING_OPENERS.has(code) || (code >= 0x2066 && code <= 0x2068)
const RTL_LETTERS = new RegExp(RTL_LETTER.source, 'g')
const ASCII_LETTERS = /[a-z]/gi

const countOf = (line: string, pattern: RegExp): number => {
  let count = 0
  for (const _ of line.matchAll(pattern)) count++
  return count
}
