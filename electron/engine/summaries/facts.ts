import { amountsInWords } from './amounts-in-words.ts'

/** Can be checked in the source. */
export interface Fact {
  readonly text: string
  /** `number`: in any form. `name`: case-insensitive. `exact`: verbatim. */
  readonly kind: 'number' | 'name' | 'exact'
  /** Value of a number in words. */
  readonly amount?: number
}

const URL = /\b[a-z][a-z\d+.-]{1,11}:\/\/[^\s"'`<>()[\]{}]+/gi
const EMAIL = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g
const QUOTE = /"([^"\n]{2,300})"|“([^”\n]{2,300})”|`([^`\n]{2,300})`|«([^»\n]{2,300})»/g
/** Absolute and relative, with either slash, but not "and/or". */
const PATH =
  /(?<![\w/\\])(?:[A-Za-z]:\\|~?\/|\.{1,2}[\\/])[\w.@+~-]+(?:[\\/][\w.@+~-]+)*|(?<![\w/\\])[\w.@+~-]+(?:[\\/][\w.@+~-]+){2,}|(?<![\w/\\])[\w@+~-]+[\\/][\w@+~-]+\.[a-z]\w{0,5}\b/g
/** Including dates and versions. */
const WITH_DIGIT =
  /(?:(?<=^|[\s(])[-−](?=[\d.]))?[\p{L}_$#@]?[\p{L}\p{N}_$#@.,:/+–-]*\p{N}[\p{L}\p{N}_$#@.,:/+%–-]*/gu
const SNAKE_OR_CAMEL =
  /\b(?:[A-Za-z]\w*_\w+|_\w{2,}|[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*|[A-Za-z]{2,}(?:\.[A-Za-z]{2,})+)\b/g
const NUMBER = /^[^\p{L}\p{N}]*([\d.,]*\d)(?:%|\p{L}{1,4})?$/u
const RANGE = /^(\d[\d.,]*)[–-](\d[\d.,]*)%?$/
const LIST_MARK = /^\s*(?:[-*•]\s+|\d{1,2}[.)]\s+)+/

/** Identifiers, numbers, URLs, paths and quotes. */
export function factsOf(line: string): Fact[] {
  const facts: Fact[] = []
  /** Removes matches, so that nothing is checked twice. */
  const take = (text: string, pattern: RegExp, found: (match: string, ...groups: string[]) => void): string =>
    text.replaceAll(pattern, (match: string, ...rest: unknown[]) => {
      found(match, ...rest.filter((group): group is string => typeof group === 'string'))
      return ' '
    })
  const exact = (text: string): void => {
    const bare = trimmed(text)
    if (bare !== '') facts.push({ text: bare, kind: 'exact' })
  }
  let rest = line.replace(LIST_MARK, '')
  rest = take(rest, URL, exact)
  rest = take(rest, EMAIL, exact)
  rest = take(rest, QUOTE, (_, quoted = '') => facts.push({ text: trimmed(quoted), kind: 'name' }))
  rest = take(rest, PATH, exact)
  rest = take(rest, WITH_DIGIT, (match) => facts.push(...factsOfDigits(trimmed(match))))
  for (const { text, amount } of amountsInWords(rest)) facts.push({ text, kind: 'number', amount })
  take(rest, SNAKE_OR_CAMEL, (match) => {
    if (!/^(?:e\.g|i\.e|etc|vs)\b/i.test(match)) facts.push({ text: match, kind: 'name' })
  })
  return facts.filter(({ text }) => text !== '')
}

function factsOfDigits(word: string): Fact[] {
  const range = RANGE.exec(word)
  if (range) return range.slice(1, 3).flatMap((number) => factsOfDigits(trimmed(number)))
  const number = NUMBER.exec(word)?.[1]
  // Two or more points: a version, address or date.
  if (number !== undefined && (number.match(/\./g)?.length ?? 0) < 2) return [{ text: word, kind: 'number' }]
  return [{ text: word, kind: 'exact' }]
}

const trimmed = (text: string): string => text.trim().replace(/^[#@(]+(?=\d)|[.,:;!?–/-]+$/g, '')

/** A hyphen after a word or number isn't a sign. Parts of a time aren't numbers: 12:57:07 contains no seven. */
const ANY_NUMBER = /(?:(?<![\p{L}\p{N}_)\]])[-−])?(?<!\d:)(?<![\d.,])\d[\d,]*(?:\.\d+)?(?!:\d|\d)/gu

/** "1,234.50" equals "1234.5"; "-7" and "7" differ. */
const plainNumber = (text: string): string => {
  const [found = ''] = /[-−]?\d[\d,]*(?:\.\d+)?/.exec(text) ?? []
  const digits = found
    .replace(/^[-−]/, '')
    .replaceAll(',', '')
    .replace(/^0+(?=\d)/, '')
  const plain = digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits
  return /^[-−]/.test(found) ? `-${plain}` : plain
}

const plainFact = ({ text, amount }: Fact): string =>
  amount === undefined ? plainNumber(text) : amount.toString()

/** In none of the texts. */
export function missingFacts(facts: readonly Fact[], texts: readonly string[]): Fact[] {
  let missing = [...new Map(facts.map((fact) => [`${fact.kind} ${fact.text}`, fact])).values()]
  for (const text of texts) {
    if (missing.length === 0) return []
    const source = evened(text)
    const lower = source.toLowerCase()
    missing = missing.filter((fact) => {
      const wanted = evened(fact.text)
      const isInWords = fact.kind === 'name' || fact.amount !== undefined
      return isInWords ? !stands(wanted.toLowerCase(), lower) : !stands(wanted, source)
    })
    missing = withoutNumbers(missing, source)
  }
  return missing
}

function withoutNumbers(facts: readonly Fact[], source: string): Fact[] {
  const wanted = new Set(facts.filter(({ kind }) => kind === 'number').map(plainFact))
  if (wanted.size === 0) return [...facts]
  for (const [number] of source.matchAll(ANY_NUMBER)) {
    const plain = plainNumber(number)
    wanted.delete(plain)
    // "It fell by 7" expresses -7, but not vice versa.
    wanted.delete(plain.replace('-', ''))
    if (wanted.size === 0) break
  }
  return facts.filter((fact) => fact.kind !== 'number' || wanted.has(plainFact(fact)))
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
}

const evened = (text: string): string =>
  text
    .replaceAll(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => ENTITIES[entity] ?? entity)
    .replaceAll(/\\(["'/])/g, '$1')
    .replaceAll(/\\[nrt]/g, ' ')
    .replaceAll(/[“”„«»]/g, '"')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/\s+/g, ' ')

/** As a whole: 12 isn't in 4123. */
function stands(wanted: string, source: string): boolean {
  for (let at = source.indexOf(wanted); at >= 0; at = source.indexOf(wanted, at + 1)) {
    const before = source[at - 1]
    const after = source[at + wanted.length]
    if (!goesOn(before, wanted[0]) && !goesOn(wanted.at(-1), after)) return true
  }
  return false
}

/** "5 GB" equals "5GB", and a date ends at "T". */
const goesOn = (left: string | undefined, right: string | undefined): boolean =>
  left !== undefined &&
  right !== undefined &&
  ((/\p{N}/u.test(left) && /\p{N}/u.test(right)) || (/\p{L}/u.test(left) && /\p{L}/u.test(right)))
