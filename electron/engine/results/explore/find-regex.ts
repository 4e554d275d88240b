import { RE2JS } from 're2js'
import { SluiceError, messageOf } from '../../ground/errors.ts'
import type { ExploredText } from './explored-text.ts'

export interface Match {
  readonly start: number
  readonly end: number
  readonly around?: { readonly start: number; readonly end: number }
  /** Such as a score. */
  readonly note?: string
}

export interface Matches {
  readonly matches: readonly Match[]
  /** Including those not returned. */
  readonly total: number
  /** Counting stopped at `total`. */
  readonly isCapped: boolean
}

export interface RegexOptions {
  readonly ignoreCase: boolean
  /** In a long line. */
  readonly apart: number
  /** In a short line, too. */
  readonly allInLine: boolean
}

/** Models don't page further. */
const MOST = 10_000
/** Shorter lines count as one match. */
export const LONG_LINE = 400

/**
 * Matching lines; in long lines each match, except those closer than `apart` to the last. RE2's time is linear for
 * any expression. Throws BAD_INPUT for invalid RE2.
 */
export function findRegex(source: ExploredText, pattern: string, options: RegexOptions): Matches {
  const regex = compile(pattern, options.ignoreCase)
  const matches: Match[] = []
  const spans = /\\n|\n|\(\?[a-z]*s/.test(pattern)
  const lines = spans ? 1 : source.lineCount
  for (let line = 0; line < lines && matches.length < MOST; line++) {
    const start = source.lineStart(line)
    const text = spans ? source.text : source.line(line)
    if (!regex.test(text)) continue
    const matcher = regex.matcher(text)
    let next = start
    while (matches.length < MOST && matcher.find()) {
      const match = { start: start + matcher.start(), end: start + matcher.end() }
      if (match.start < next) continue
      matches.push(match)
      if (!spans && !options.allInLine && text.length <= LONG_LINE) break
      next = match.start + options.apart
    }
  }
  return { matches, total: matches.length, isCapped: matches.length >= MOST }
}

function compile(pattern: string, ignoreCase: boolean): RE2JS {
  try {
    return RE2JS.compile(pattern, RE2JS.MULTILINE | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0))
  } catch (error) {
    throw new SluiceError(
      'BAD_INPUT',
      `The regular expression ${JSON.stringify(pattern.slice(0, 200))} is not valid: ${messageOf(error).replaceAll(/`\(\?\w+\)/g, '`')}. ` +
        'RE2 syntax is spoken here: no look-around, no backreferences; \\ before . ( [ { + * ? for the character itself. ' +
        'For plain words use mode "bm25", for misspelled ones "fuzzy".',
    )
  }
}
