import { LITERAL_PLACEHOLDER, PERSONAL_DATA_TYPES } from '../../../shared/masking-policy.ts'
import type { Span } from './personal-data.ts'

/** `[EMAIL_1]`: no leading zeros. */
const PLACEHOLDER = /\[([A-Z][A-Z0-9_]{0,60})_([1-9]\d{0,8})\]/g

/** In an address that the model encodes: `%5BEMAIL_1%5D`. */
const ENCODED = /%5B([A-Z][A-Z0-9_]{0,60})_([1-9]\d{0,8})%5D/gi

const AS_WRITTEN = /\\{0,4}\[([A-Z][A-Z0-9_\\]{0,80}?)\\{0,4}_([1-9]\d{0,8})\\{0,4}\]/gi

const WHOLE = new RegExp(`^${PLACEHOLDER.source}$`)
/** Nothing but one, as it was given out. */
export const isPlaceholder = (text: string): boolean => text.charCodeAt(0) === 0x5b && WHOLE.test(text)

export interface WrittenPlaceholder {
  /** As assigned: `[EMAIL_1]`. */
  readonly placeholder: string
  readonly name: string
  /** Of an address. */
  readonly isEncoded?: true
  readonly start: number
  readonly end: number
}

/** In other spellings, one after a word counts as a code index. */
export const writtenPlaceholders = (text: string): WrittenPlaceholder[] =>
  text.includes('%5')
    ? [...plainPlaceholders(text), ...encodedPlaceholders(text)].sort((a, b) => a.start - b.start)
    : plainPlaceholders(text)

const encodedPlaceholders = (text: string): WrittenPlaceholder[] =>
  [...text.matchAll(ENCODED)].map(({ index, 0: written, 1: name = '', 2: number = '' }) => ({
    placeholder: `[${name.toUpperCase()}_${number}]`,
    name: name.toUpperCase(),
    isEncoded: true,
    start: index,
    end: index + written.length,
  }))

const plainPlaceholders = (text: string): WrittenPlaceholder[] =>
  [...text.matchAll(AS_WRITTEN)].flatMap((match) => {
    const [written, name = '', number = ''] = match
    const own = name.replaceAll('\\', '').toUpperCase()
    const placeholder = `[${own}_${number}]`
    // The exact form counts anywhere, without a preceding backslash of the text.
    const exact = written.indexOf(placeholder)
    if (exact >= 0) {
      const start = match.index + exact
      return [{ placeholder, name: own, start, end: start + placeholder.length }]
    }
    if (/[\w)\]]/.test(text.charAt(match.index - 1))) return []
    return [{ placeholder, name: own, start: match.index, end: match.index + written.length }]
  })

/** Without custom patterns. */
export const BUILT_IN_NAMES: ReadonlySet<string> = new Set([
  ...PERSONAL_DATA_TYPES.map((type) => type.toUpperCase()),
  LITERAL_PLACEHOLDER,
])

/** `email` → `EMAIL`; custom names are upper case. */
export const nameOf = (type: string): string => type.toUpperCase()

/** Texts that only look like placeholders get their own, because restoring would insert other data. */
export const findLookalikes = (text: string, names: ReadonlySet<string>): Span[] =>
  [...text.matchAll(PLACEHOLDER), ...text.matchAll(ENCODED)]
    .filter((match) => names.has(match[1]?.toUpperCase() ?? ''))
    .sort((a, b) => a.index - b.index)
    .map((match) => ({
      type: LITERAL_PLACEHOLDER,
      start: match.index,
      end: match.index + match[0].length,
      value: match[0],
    }))
