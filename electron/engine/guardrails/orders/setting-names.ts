/** Of two to four words, as names of settings are; a sentence that is joined to hide it has more. */
const NAME =
  /(?<![\p{L}\d_-])(?:-{1,2})?(?:[A-Za-z]{1,16}(?:[_-][A-Za-z]{1,16}){1,3}|[a-z]{1,16}(?:[A-Z][a-z]{1,16}){1,3})(?![\p{L}\d_-])/gu
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
  let found = false
  const plain = text.replace(NAME, (name, index: number) => {
    if (!MAY_ORDER.test(name)) return name
    const before = text.slice(Math.max(0, index - REACH), index)
    const after = text.slice(index + name.length, index + name.length + REACH)
    if (!(name.startsWith('--') || BEFORE.test(before) || AFTER.test(after))) return name
    found = true
    return FILLER.repeat(name.length)
  })
  return found ? plain : undefined
}

const VERBS =
  'ignor|disregard|forget|overrid|bypass|reveal|leak|skip|hide|obey|follow|drop|disab|delet|send|print|show'
/** Begins with the verb of an order; other names cost no second look. */
const MAY_ORDER = new RegExp(
  String.raw`^-{0,2}(?:(?:should|allow|can|do|dont|no|never|always|must)[_-]?)?(?:${VERBS})`,
  'i',
)
const MAY_HOLD = new RegExp(
  String.raw`(?:${VERBS.replaceAll(/(?<=\||^)[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)})[a-z]{0,4}[A-Z_-]`,
)
