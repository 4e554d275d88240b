import type { FormatHint } from '../reading.ts'
import { isBlank, lineOf } from '../source-lines.ts'
import type { SourceLines } from '../source-lines.ts'

export interface SettingsStyle {
  /** Between key and value. */
  readonly separator: '=' | ':' | ' '
  readonly isToml: boolean
  readonly hasBlocks: boolean
  /** Values may be lists and tables in brackets. */
  readonly hasCollections: boolean
  /** Keys below sections are indented. */
  readonly isIndented: boolean
  /** Comments with a key and a value are settings that aren't in force. */
  readonly isCommented: boolean
  /** Sign of a comment behind a value, as a code unit; 0 where there are none. */
  readonly trailing: number
}

const SAMPLE = 250
const LONGEST = 400
const EQUALS = /^(?:export )?["']?[\w.$@%*/\\:[\](){}-]+["']?(?: [\w.-]+){0,3}\s*\+?=/
/** Not an address of a disassembly. */
const COLON = /^["']?(?![\da-f]{4,}:)[\w.$-]+["']?\s*:/
const DIRECTIVE = /^[A-Za-z][\w.@*+-]*(?:\s+(?:"[^"]*"|'[^']*'|[^\s;{}"]+)){1,12};?$/
/** Values that tabs divide. */
const IS_ROW = /^\S+\s+[^\s#][^\t#]*\t\s*[^\s#]/
const BLOCK = /^(?:[\w.@-]+(?:\s+(?:"[^"]*"|[^\s"{};=()]+)){0,6}\s*=?\s*\{|<[A-Z]\w*(?:\s[^<>]*)?>)$/
const CLOSE = /^(?:\}[;,]?|<\/[A-Z]\w*>|[\])]+,?)$/
const SECTION = /^\[[^\]]+\]\]?\s*(?:[#;].*)?$/
const TOML_VALUE = /=\s*(?:["'[{]|true\b|false\b|[-+]?\d[\d_.eE:TZ+-]*\s*(?:#|$)|[-+]?(?:inf|nan)\b)/
const SENTENCE = /[.?!]$|, |\b(?:the|is|are|and|of|a)\b/
const ENDINGS = new Set(['ini', 'conf', 'cfg', 'cnf', 'env', 'properties', 'toml', 'tf', 'hcl', 'service'])
/** Least shares of the lines that aren't comments. */
const MOST = 0.6
const TYPED = 0.95

const SEPARATORS = ['=', ':', ' '] as const
const LEAST_COMMENTED = 8
/** Settings in force for each one that is a comment. */
const MOST_IN_FORCE = 0.5
const COMMENTED = {
  '=': /^[#;][ \t]?[\w.$-]{2,60}\s?=\s?(\S.*)?$/,
  ':': /^[#;][ \t]?[\w.-]{2,60}:(?:[ \t]+(\S.*))?$/,
  ' ': /^[#;][A-Za-z][\w.-]{1,60}[ \t]+(\S.*)$/,
} as const
/** Words of a value; more are a sentence. */
const MOST_WORDS = 4

/** "#Port 22", "# prefetch: no": of a trimmed line. */
export function isCommentedSetting(words: string, separator: SettingsStyle['separator']): boolean {
  const value = COMMENTED[separator].exec(words.slice(0, LONGEST))
  if (value === null) return false
  const text = (value[1] ?? '').replace(/[ \t]#.*$/, '').trim()
  return (
    /^["'[{<]/.test(text) || (!SENTENCE.test(text) && text.split(/\s+/, MOST_WORDS + 1).length <= MOST_WORDS)
  )
}

/** How most lines are written; undefined when few are settings. */
export function lookAtSettings(lines: SourceLines, hint?: FormatHint): SettingsStyle | undefined {
  if (lines.text.startsWith('#!')) return undefined
  const seen = {
    all: 0,
    equals: 0,
    colons: 0,
    directives: 0,
    blocks: 0,
    closes: 0,
    sections: 0,
    typed: 0,
    comments: 0,
  }
  const commented = { '=': 0, ':': 0, ' ': 0 }
  let isIndented = false
  let isInside = false
  for (let line = 0; line < lines.count && seen.all < SAMPLE; line++) {
    if (isBlank(lines, line)) continue
    const source = lineOf(lines, line)
    const words = source.slice(0, LONGEST).trim()
    if (/^(?:[#;!]|\/\/|\/\*)/.test(words)) {
      seen.comments++
      for (const separator of SEPARATORS) if (isCommentedSetting(words, separator)) commented[separator]++
      continue
    }
    seen.all++
    if (SECTION.test(words)) seen.sections++
    else if (CLOSE.test(words)) seen.closes++
    else if (BLOCK.test(words)) seen.blocks++
    else if (EQUALS.test(words)) {
      seen.equals++
      if (TOML_VALUE.test(words)) seen.typed++
      isInside = source.endsWith('[')
      if (/^\s/.test(source)) isIndented = true
    } else if (isInside) seen.all--
    else if (COLON.test(words)) seen.colons++
    else if (DIRECTIVE.test(words) && !SENTENCE.test(words) && !IS_ROW.test(words)) seen.directives++
    else if (/^\s/.test(source) && seen.equals > 0) seen.all--
  }
  const structure = seen.sections + seen.blocks + seen.closes
  const hasBlocks = seen.blocks > 0 && seen.closes > 0
  const inForce = separatorOf(seen, structure, hasBlocks, hint)
  const usual = SEPARATORS.reduce((a, b) => (commented[b] > commented[a] ? b : a))
  const mayBeCommented = commented[usual] >= Math.max(LEAST_COMMENTED, seen.all * MOST_IN_FORCE)
  const separator = inForce ?? (mayBeCommented ? usual : undefined)
  if (separator === undefined) return undefined
  const isToml = separator === '=' && seen.equals > 0 && !hasBlocks && seen.typed >= seen.equals * TYPED
  return {
    separator,
    isToml: isToml && (seen.sections > 0 || hint?.ending === 'toml' || !isShell(lines)),
    hasBlocks,
    hasCollections: isToml || (hasBlocks && separator === '='),
    isIndented,
    isCommented: mayBeCommented && separator === usual && !isToml,
    trailing: isToml || hasBlocks ? 0x23 : seen.sections > 0 ? 0x3b : 0,
  }
}

/** `.env` files may have numbers and quoted texts only. */
const isShell = (lines: SourceLines): boolean =>
  /^(?:export |[A-Z_][A-Z\d_]*=)/m.test(lines.text.slice(0, 4000))

function separatorOf(
  seen: Readonly<Record<'all' | 'equals' | 'colons' | 'directives' | 'comments', number>>,
  structure: number,
  hasBlocks: boolean,
  hint: FormatHint | undefined,
): SettingsStyle['separator'] | undefined {
  const least = seen.all * MOST
  if (seen.equals >= 2 && seen.equals >= seen.directives && seen.equals >= seen.colons)
    return seen.equals + structure + (hasBlocks ? seen.directives : 0) >= least ? '=' : undefined
  // A word and others are prose, unless comments, blocks or the file's name tell more.
  const isFile = hint?.ending !== undefined && ENDINGS.has(hint.ending)
  const areDirectives = seen.comments > 0 || hasBlocks || isFile
  if (areDirectives && seen.directives >= 3 && seen.directives > seen.colons)
    return seen.directives + structure + seen.equals >= least ? ' ' : undefined
  return seen.colons >= 2 &&
    (isFile || structure > 0 || seen.comments > 0) &&
    seen.colons + structure >= least
    ? ':'
    : undefined
}
