import { LITERAL_PLACEHOLDER, PERSONAL_DATA_TYPES } from '../../../shared/masking-policy.ts'
import type { Span } from './personal-data.ts'

/** `[EMAIL_1]`: a name and a number without leading zeros. */
export const PLACEHOLDER = /\[([A-Z][A-Z0-9_]{0,60})_([1-9]\d{0,8})\]/g

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
