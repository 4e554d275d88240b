import { isWordCode } from './boundaries.ts'
import { commonWords } from './common-words.ts'

type WordKind =
  /** Capitalised uncommon word. */
  | 'name'
  /** Between first and last name. */
  | 'initial'
  /** Capitalised common word: a name only beside one. */
  | 'capital'
  | 'title'
  /** van, de, von */
  | 'particle'
  | 'other'

export interface NameWord {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly kind: WordKind
}

const WORD = /\p{L}[\p{L}\p{M}]*(?:['’-]\p{L}[\p{L}\p{M}]*)*/gu
const TITLE = /^(?:mr|mrs|ms|miss|mx|dr|prof|professor|herr|frau|mme|monsieur|madame|sr|sra|señor|señora)$/i
const PARTICLE =
  /^(?:de|del|della|di|da|do|dos|du|van|von|der|den|ten|ter|la|le|el|al|bin|ibn|af|av|zu|y|e|i)$/
const CALENDAR =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|april|june|july|august|september|october|november|december|jan|feb|apr|jun|jul|aug|sept?|oct|nov|dec)s?$/i
/** McDonald, MacLean, O'Brien, DeVito; other inner capitals mean a brand or identifier. */
const INNER_CAPITAL = /^(?!(?:Mc|Mac|De|Di|La|Le|Van|Fitz)\p{Lu}\p{Ll}+$)\p{L}*\p{Ll}\p{Lu}/u
const TIED_BEFORE = /[@/\\_#$=<&]/
const TIED_AFTER = /[@/\\_=(]/
const LONGEST_ACRONYM = 4
const LONGEST_WORD = 40

/** With their possible roles. */
export function nameWords(text: string): NameWord[] {
  const words: NameWord[] = []
  for (const match of text.matchAll(WORD)) {
    const end = match.index + match[0].length
    words.push({ start: match.index, end, text: match[0], kind: kindOf(text, match[0], match.index, end) })
  }
  return words
}

function kindOf(text: string, word: string, start: number, end: number): WordKind {
  if (word.length > LONGEST_WORD || isTied(text, start, end)) return 'other'
  if (TITLE.test(word)) return 'title'
  if (PARTICLE.test(word)) return 'particle'
  if (!/^\p{Lu}/u.test(word)) return 'other'
  if (word.length === 1) return 'initial'
  const [base = word] = word.split(/['’]/)
  if (base.length < 2 && !/^[OD]['’]\p{Lu}/u.test(word)) return 'other'
  if (CALENDAR.test(base) || INNER_CAPITAL.test(word.replaceAll(/[-'’]/g, ' ').split(' ')[0] ?? ''))
    return 'other'
  const { frequent, known } = commonWords()
  const lower = base.toLowerCase()
  if (word === word.toUpperCase() && (word.length <= LONGEST_ACRONYM || known.has(lower))) return 'other'
  if (frequent.has(lower)) return 'capital'
  return known.has(lower) && startsSentence(text, start) ? 'capital' : 'name'
}

function isTied(text: string, start: number, end: number): boolean {
  const before = text.charAt(start - 1)
  const after = text.charAt(end)
  if (TIED_BEFORE.test(before) || TIED_AFTER.test(after)) return true
  // name.next, 3rd, v2
  if (isWordCode(text.charCodeAt(start - 1)) || isWordCode(text.charCodeAt(end))) return true
  return (
    (before === '.' && /[\p{L}\d]/u.test(text.charAt(start - 2))) ||
    (after === '.' && /[\p{L}\d]/u.test(text.charAt(end + 1)))
  )
}

const SENTENCE_MARK = /[.!?:;…\n\r\0"“”'‘([{>|•*-]\s*$/u

export function startsSentence(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 6), start)
  return before.trim() === '' || SENTENCE_MARK.test(before)
}
