import { mergeFound } from '../merge-found.ts'
import type { Found, Scan } from '../personal-data.ts'
import { ADDRESS_CUE, CONNECTING, isStreetWord, STREET_ENDING, UNIT_WORD } from './address-words.ts'
import { isWordBefore } from './boundaries.ts'
import { commonWords } from './common-words.ts'
import { findPlaceNames } from './person.ts'

interface Word {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly kind: 'number' | 'unit' | 'street' | 'capital' | 'connecting' | 'other'
  /** To the previous word. */
  readonly gap: string
}

const WORD =
  /\d+(?:-\d{3,4})?[a-z]?(?![\p{L}\d])|P\.? ?O\.?(?= Box)|\p{L}[\p{L}\p{M}]*(?:['’-][\p{L}\p{M}]+)*/giu
const GAP = /^(?:\.?,? {1,3}|\.?,?[ \t]*\n[ \t]*,?[ \t]*|[ ,.]{1,2}\n?[ \t]*| ?\(|\)? ?)$/
const LONGEST = 24
const LONGEST_WORD = 40
const CUE_REACH = 60

/** With place names after "in" or "at". A guess, like names. */
export const findAddresses = (scan: Scan): Found[] =>
  mergeFound(mergeFound(postalAddresses(scan.text), countries(scan.text)), findPlaceNames(scan))

function postalAddresses(text: string): Found[] {
  const words = wordsOf(text)
  const found: Found[] = []
  for (let i = 0; i < words.length; i++) {
    const last = lastOfAddress(text, words, i)
    const [first, end] = [words[i], last === undefined ? undefined : words[last]]
    if (last === undefined || !first || !end) continue
    found.push({ start: first.start, end: withCountry(text, end.end) })
    i = last
  }
  return found
}

function wordsOf(text: string): Word[] {
  let end = 0
  return [...text.matchAll(WORD)].map((match) => {
    const word = { start: match.index, end: match.index + match[0].length, text: match[0] }
    const gap = text.slice(end, word.start)
    end = word.end
    return { ...word, kind: kindOf(text, word), gap }
  })
}

function kindOf(text: string, { text: word, start }: { text: string; start: number }): Word['kind'] {
  if (/^\d/.test(word))
    return /^\d{1,6}(?:-\d{3,4})?[a-z]?$/i.test(word) && !isWordBefore(text, start) ? 'number' : 'other'
  if (word.length > LONGEST_WORD) return 'other'
  if (UNIT_WORD.test(word) || (word.startsWith('P') && word.includes('.'))) return 'unit'
  if (isStreetWord(word) || STREET_ENDING.test(word)) return 'street'
  if (CONNECTING.test(word)) return 'connecting'
  if (!/^\p{Lu}/u.test(word)) return 'other'
  return 'capital'
}

function lastOfAddress(text: string, words: readonly Word[], first: number): number | undefined {
  const opening = words[first]
  if (!opening || opening.kind === 'other' || opening.kind === 'connecting') return undefined
  if (opening.kind === 'capital' && isCommon(opening) && words[first + 1]?.kind !== 'street') return undefined
  let last = first
  const seen = {
    numbers: opening.kind === 'number' ? 1 : 0,
    names: opening.kind === 'capital' ? 1 : 0,
    marks: isMark(words, first) ? 1 : 0,
  }
  for (let i = first + 1; i < words.length && i - first < LONGEST; i++) {
    const word = words[i]
    if (!word || !GAP.test(word.gap) || !continues(text, words, i, seen)) break
    if (word.kind === 'number') seen.numbers++
    if (word.kind === 'capital' || word.kind === 'street') seen.names++
    if (isMark(words, i)) seen.marks++
    if (word.kind !== 'connecting') last = i
  }
  if (last === first || seen.numbers === 0 || seen.names === 0) return undefined
  const isCued = ADDRESS_CUE.test(text.slice(Math.max(0, opening.start - CUE_REACH), opening.start))
  const hasStreet = words.slice(first, last + 1).some(({ kind }) => kind === 'street')
  return isCued || (seen.marks > 0 && (hasStreet || seen.numbers >= 2)) ? last : undefined
}

const isMark = (words: readonly Word[], index: number): boolean =>
  words[index]?.kind === 'street' || (words[index]?.kind === 'unit' && words[index + 1]?.kind === 'number')

function continues(text: string, words: readonly Word[], index: number, seen: { numbers: number }): boolean {
  const word = words[index]
  if (!word || word.kind === 'other') return false
  const isNewLine = word.gap.includes('\n')
  // "Mobile:" and "Best regards," begin another part.
  if (isNewLine && (text.charAt(word.end) === ':' || (word.kind === 'capital' && isCommon(word))))
    return false
  if (word.kind === 'connecting')
    return ['capital', 'street', 'connecting', 'number'].includes(words[index + 1]?.kind ?? '') && !isNewLine
  if (word.kind === 'number' && isNewLine) return seen.numbers > 0 && word.text.length >= 4
  return !(word.kind === 'capital' && isCommon(word) && /[.]/.test(word.gap))
}

const isCommon = ({ text }: Word): boolean => commonWords().frequent.has(text.toLowerCase())

function withCountry(text: string, end: number): number {
  const gap = /^(?:,? ?\n?[ \t]*,?[ \t]*)/.exec(text.slice(end, end + 20))?.[0] ?? ''
  const pattern = new RegExp(countryNames(), 'uy')
  pattern.lastIndex = end + gap.length
  const country = gap === '' ? undefined : pattern.exec(text)?.[0]
  if (country === undefined) return end
  const after = end + gap.length + country.length
  return (
    after +
    (/^(?: \(\p{L}+\))?,? \d{3,6}(?:-\d{3,4})?(?!\d)/u.exec(text.slice(after, after + 40))?.[0].length ?? 0)
  )
}

/** In English. */
const countries = (text: string): Found[] =>
  [...text.matchAll(countryNames())].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }))

let pattern: RegExp | undefined

/** As the runtime knows them. */
function countryNames(): RegExp {
  if (pattern) return pattern
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index))
  const known = letters.flatMap((first) => letters.flatMap((second) => names.of(first + second) ?? []))
  const plain = known.filter(
    (name) => /^[A-Z][\p{L} .'-]+$/u.test(name) && !/^(?:World|Outlying|Pseudo)/.test(name),
  )
  const longestFirst = [...new Set([...plain, 'Czech Republic'])].sort((a, b) => b.length - a.length)
  pattern = new RegExp(
    `(?<![\\p{L}\\d])(?:${longestFirst.join('|').replaceAll('.', '\\.')})(?![\\p{L}\\d])`,
    'gu',
  )
  return pattern
}
