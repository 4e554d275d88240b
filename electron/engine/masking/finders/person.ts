import type { Found, Scan } from '../personal-data.ts'
import { commonWords } from './common-words.ts'
import { nameWords, startsSentence, type NameWord } from './name-words.ts'

const LONGEST_NAME = 6
/** A name follows, even without capital. */
const INTRODUCTION =
  /(?<![\p{L}\d])(?:(?:first |last |full |middle |sur)?name(?: is|'s| was|:|=)|(?:is|was|are|were) called|calls? (?:me|him|her|them)|known as|(?:directed|written|composed|produced|sung) by|follow(?:ing)? up with|dear|hi|hello|hey|regards,|sincerely,|cheers,|attn:?|(?:mr|mrs|ms|miss|dr|prof)\.?)[ \t\n]{1,3}(?=[\p{Ll}\p{Lu}])/giu
const PLAIN_WORD = / ?(\p{L}[\p{L}\p{M}'’-]{0,40}\.?)/uy
/** "eva kleist lives at" */
const LIVES =
  /(?<![\p{L}\p{M}'’-])((?:\p{L}[\p{L}\p{M}'’-]{1,30} ){1,3})(?:lives|lived|resides|was born)(?= (?:at|in|on|near))/giu
const PLACE_BEFORE = /(?<![\p{L}])(?:in|near|at|across|around|throughout|outside|downtown)\s$/iu

/** A guess: capitalised uncommon words, and what follows "my name is". */
export const findPersons = ({ text, properNames }: Scan): Found[] =>
  properNames.filter((name) => !isPlace(text, name))

/** After "in" or "at". */
export const findPlaceNames = ({ text, properNames }: Scan): Found[] =>
  properNames.filter((name) => isPlace(text, name))

const isPlace = (text: string, { start }: Found): boolean =>
  PLACE_BEFORE.test(text.slice(Math.max(0, start - 14), start))

/** Capitalised uncommon words, rare words of texts without capitals, and what follows "my name is". */
export function properNamesIn(text: string): Found[] {
  const found = [...capitalisedNames(text), ...uncommonWords(text), ...introducedNames(text)].sort(
    (a, b) => a.start - b.start || b.end - a.end,
  )
  let end = 0
  return found.filter((name) => {
    if (name.start < end) return false
    end = name.end
    return true
  })
}

function capitalisedNames(text: string): Found[] {
  const words = nameWords(text)
  const found: Found[] = []
  for (let i = 0; i < words.length; i++) {
    const last = lastOfName(text, words, i)
    const first = words[i]
    const end = words[last ?? i]
    if (last === undefined || !first || !end) continue
    found.push({ start: first.start, end: withoutPossessive(text, end) })
    i = last
  }
  return found
}

/** Index. */
function lastOfName(text: string, words: readonly NameWord[], first: number): number | undefined {
  const opening = words[first]
  if (!opening) return undefined
  const afterTitle = words[first - 1]?.kind === 'title' && gap(text, words, first).length <= 2
  const leads = !startsSentence(text, opening.start) || isRare(opening)
  const isNamed = afterTitle || (leads && isFollowedByName(text, words, first + 1))
  const opens = opening.kind === 'name' || (opening.kind === 'capital' && isNamed)
  if (!opens) return undefined
  let last = first
  for (let i = first + 1; i < words.length && i - first < LONGEST_NAME; i++) {
    const word = words[i]
    if (
      !word ||
      !/^\.? $/.test(gap(text, words, i)) ||
      (gap(text, words, i) !== ' ' && words[i - 1]?.kind !== 'initial')
    )
      break
    if (word.kind === 'name' || word.kind === 'initial' || word.kind === 'capital') last = i
    else if (word.kind !== 'particle') break
  }
  // "Anna I" is a name and a pronoun.
  return last > first && words[last]?.kind === 'initial' ? last - 1 : last
}

/** Frequent sentence openings don't count. */
const isRare = ({ text }: NameWord): boolean => !commonWords().frequent.has(text.toLowerCase())

function isFollowedByName(text: string, words: readonly NameWord[], index: number): boolean {
  const [next, second] = [words[index], words[index + 1]]
  if (next?.kind === 'name') return gap(text, words, index) === ' '
  const leads = next?.kind === 'initial' || next?.kind === 'particle'
  return leads && second?.kind === 'name' && /^\.? $/.test(gap(text, words, index + 1))
}

const gap = (text: string, words: readonly NameWord[], index: number): string =>
  text.slice(words[index - 1]?.end ?? 0, words[index]?.start)

function withoutPossessive(text: string, { start, end }: NameWord): number {
  const ending = /['’]s?$/i.exec(text.slice(start, end))?.[0]
  return ending === undefined ? end : end - ending.length
}

const LOWER_WORD = /(?<![\p{L}\d@/._-])\p{Ll}[\p{Ll}\p{M}-]{2,}(?![\p{L}\d@/_(]|\.\p{L})/gu
const FEWEST_WORDS = 4
const COMMON_SHARE = 0.3

/** In texts without capitals, if enough others are ordinary words. */
function uncommonWords(text: string): Found[] {
  let offset = 0
  return text.split('\0').flatMap((part) => {
    const start = offset
    offset += part.length + 1
    if (/\p{Lu}/u.test(part)) return []
    return uncommonIn(part).map((name) => ({ start: start + name.start, end: start + name.end }))
  })
}

function uncommonIn(text: string): Found[] {
  const { frequent, known } = commonWords()
  const words = [...text.matchAll(LOWER_WORD)]
  const common = words.filter(([word]) => frequent.has(word)).length
  if (words.length < FEWEST_WORDS || common < words.length * COMMON_SHARE) return []
  const rare = words.filter(([word]) => word.split('-').every((part) => !known.has(part)))
  return rare.map((match) => ({ start: match.index, end: match.index + match[0].length }))
}

function introducedNames(text: string): Found[] {
  const { frequent } = commonWords()
  const found: Found[] = []
  for (const match of text.matchAll(INTRODUCTION)) {
    const start = match.index + match[0].length
    let end = start
    PLAIN_WORD.lastIndex = start
    for (let count = 0; count < 3; count++) {
      const word = PLAIN_WORD.exec(text)?.[1]
      if (word === undefined || frequent.has(word.replace(/\.$/, '').toLowerCase()) || word.length > 30) break
      end = PLAIN_WORD.lastIndex - (word.endsWith('.') && word.length > 2 ? 1 : 0)
      if (word.endsWith('.') && word.length > 2) break
    }
    if (end - start >= 3) found.push({ start, end })
  }
  for (const match of text.matchAll(LIVES)) {
    const words = (match[1] ?? '').trimEnd().split(' ')
    const own = words.slice(words.findLastIndex((word) => frequent.has(word.toLowerCase())) + 1).join(' ')
    const end = match.index + (match[1] ?? '').trimEnd().length
    if (own.length >= 2) found.push({ start: end - own.length, end })
  }
  return found
}
