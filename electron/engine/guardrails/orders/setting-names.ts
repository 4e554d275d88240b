/** Of two to four words, as names of settings are; a sentence that is joined to hide it has more. */
const NAME =
  /(?:-{1,2})?(?:[A-Za-z]{1,16}(?:[_-][A-Za-z]{1,16}){1,3}|[a-z]{1,16}(?:[A-Z][a-z]{1,16}){1,3})(?![\p{L}\d_-])/uy
/** The longest is 2 + 4 · 16 + 3. */
const LONGEST = 69
const KIND =
  'flag|option|setting|parameter|param|variable|field|property|attribute|argument|switch|toggle|env(?:ironment)?(?: variable)?|key'
const VALUE = String.raw`(?:true|false|on|off|yes|no|null|none|enabled|disabled|[01]|\d{1,6})(?![\w-])`
const BEFORE = new RegExp(
  String.raw`(?:\b(?:set|sets|setting|enable[sd]?|disable[sd]?|unset|toggle|${KIND}s?)\s+(?:the\s+)?["'${'`'}]?)$`,
  'i',
)
const AFTER = new RegExp(
  String.raw`^["'${'`'}]?(?:\s{0,2}(?:=|:=|:)\s{0,2}["']?${VALUE}|\s+(?:(?:is\s+set\s+|defaults?\s+)?to|is|as)\s+["'${'`'}]?${VALUE}|\s+(?:${KIND})\b)`,
  'i',
)
const REACH = 30
const FILLER = 'o'

/**
 * The text with other letters for names of settings: where a value is set, or beside a word such as "flag", a name is
 * one word, whatever its parts say. Of the same length; undefined without any.
 */
export function withoutSettingNames(text: string): string | undefined {
  if (!MAY_HOLD.test(text)) return undefined
  const pieces: string[] = []
  let kept = 0
  let end = 0
  // A name is all letters, digits, "_" and "-" in a row, so only a verb's own row may be one.
  for (const { index } of text.matchAll(VERB)) {
    if (index < end) continue
    const start = startOfRow(text, index)
    end = index + 1
    if (start < 0) continue
    NAME.lastIndex = start
    const name = NAME.exec(text)?.[0]
    if (name === undefined) continue
    end = start + name.length
    if (!MAY_ORDER.test(name)) continue
    const before = text.slice(Math.max(0, start - REACH), start)
    const after = text.slice(end, end + REACH)
    if (!(name.startsWith('--') || BEFORE.test(before) || AFTER.test(after))) continue
    pieces.push(text.slice(kept, start), FILLER.repeat(name.length))
    kept = end
  }
  return pieces.length === 0 ? undefined : pieces.join('') + text.slice(kept)
}

const isInRow = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  (code >= 48 && code <= 57) ||
  code === 0x5f ||
  code === 0x2d

/** Of the row of letters, digits, "_" and "-" around `index`; -1 where no name may begin so far before it. */
function startOfRow(text: string, index: number): number {
  let start = index
  while (start > 0 && index - start < LONGEST && isInRow(text.charCodeAt(start - 1))) start--
  if (start === 0) return 0
  const before = text.charCodeAt(start - 1)
  return isInRow(before) || (before > 0x7f && LETTER_AT_END.test(text.slice(Math.max(0, start - 2), start)))
    ? -1
    : start
}

const LETTER_AT_END = /\p{L}$/u

const VERBS =
  'ignor|disregard|forget|overrid|bypass|reveal|leak|skip|hide|obey|follow|drop|disab|delet|send|print|show'
const VERB = new RegExp(VERBS, 'gi')
/** Begins with the verb of an order; other names cost no second look. */
const MAY_ORDER = new RegExp(
  String.raw`^-{0,2}(?:(?:should|allow|can|do|dont|no|never|always|must)[_-]?)?(?:${VERBS})`,
  'i',
)
const MAY_HOLD = new RegExp(
  String.raw`(?:${VERBS.replaceAll(/(?<=\||^)[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)})[a-z]{0,4}[A-Z_-]`,
)
