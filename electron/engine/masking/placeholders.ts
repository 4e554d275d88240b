import { LITERAL_PLACEHOLDER, PERSONAL_DATA_TYPES } from '../../../shared/masking-policy.ts'
import type { Span } from './personal-data.ts'

/** `[EMAIL_1]`: a name and a number without leading zeros. */
export const PLACEHOLDER = /\[([A-Z][A-Z0-9_]{0,60})_([1-9]\d{0,8})\]/g

/** The same as models write it: in small letters, or with the backslashes of Markdown, of JSON too. */
const AS_WRITTEN = /\\{0,4}\[([A-Z][A-Z0-9_\\]{0,80}?)\\{0,4}_([1-9]\d{0,8})\\{0,4}\]/gi

export interface WrittenPlaceholder {
  /** As the vault gave it out: `[EMAIL_1]`. */
  readonly placeholder: string
  readonly name: string
  readonly start: number
  readonly end: number
}

/** Stand-ins in a text that came from a model. In other letters than their own they are taken for an index of code after a word. */
export const writtenPlaceholders = (text: string): WrittenPlaceholder[] =>
  [...text.matchAll(AS_WRITTEN)].flatMap((match) => {
    const [written, name = '', number = ''] = match
    const own = name.replaceAll('\\', '').toUpperCase()
    const placeholder = `[${own}_${number}]`
    // The exact form counts wherever it stands, without a backslash before it that belongs to the text.
    const exact = written.indexOf(placeholder)
    if (exact >= 0) {
      const start = match.index + exact
      return [{ placeholder, name: own, start, end: start + placeholder.length }]
    }
    if (/[\w)\]]/.test(text.charAt(match.index - 1))) return []
    return [{ placeholder, name: own, start: match.index, end: match.index + written.length }]
  })

/** Names that stand-ins have without any custom pattern. */
export const BUILT_IN_NAMES: ReadonlySet<string> = new Set([
  ...PERSONAL_DATA_TYPES.map((type) => type.toUpperCase()),
  LITERAL_PLACEHOLDER,
])

/** `email` → `EMAIL`; the names of custom patterns are capital letters already. */
export const nameOf = (type: string): string => type.toUpperCase()

/**
 * Texts that look like a stand-in although nobody put it there. They get one of their own, or restoring would put a
 * stranger's data in their place.
 */
export const findLookalikes = (text: string, names: ReadonlySet<string>): Span[] =>
  [...text.matchAll(PLACEHOLDER)]
    .filter((match) => names.has(match[1] ?? ''))
    .map((match) => ({
      type: LITERAL_PLACEHOLDER,
      start: match.index,
      end: match.index + match[0].length,
      value: match[0],
    }))
