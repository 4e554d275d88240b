import { foldWord } from './char-classes.ts'
import { placeOfBeginning } from './place-of-beginning.ts'
import { wordsOf } from './scan-words.ts'
import { irregularFormsOf, stemOf } from './stem.ts'
import type { Language } from './word-lists.ts'

/** Term ids index `terms` and every TermCounts. */
export interface Query {
  readonly terms: readonly { readonly weight: number; readonly text?: string; readonly insteadOf?: string }[]
  /** Adjacent terms, as `first * terms.length + second`. */
  readonly pairs: ReadonlySet<number>
  /** Term ids of a folded word: stem first, then the exact form. */
  termsOf(word: string): readonly number[]
  /** By placeOfBeginning: 0 when no word with this beginning can match, which avoids the look-up. */
  readonly beginnings: Uint8Array
}

/** A synonym counts for more where the word itself is nowhere. */
export function weightsFor({ terms }: Pick<Query, 'terms'>, frequencies: ArrayLike<number>): number[] {
  return terms.map(({ weight, insteadOf }) => {
    if (insteadOf === undefined) return weight
    const own = terms.findIndex(({ text }) => text === insteadOf)
    return weight * (own >= 0 && (frequencies[own] ?? 0) > 0 ? PRESENT : ABSENT)
  })
}
const PRESENT = 0.4
const ABSENT = 2

export const WORD_CACHE = 50_000
/** Longer queries (a file as an argument) are cut: matching units store a count per term. */
const MAX_WORDS = 60

/** By stem, with equal weights. */
export function queryOf(text: string): Query {
  const words = wordsOf(text).map(foldWord).slice(0, MAX_WORDS)
  const stems = new Map<string, number>()
  for (const word of words) if (!stems.has(stemOf(word))) stems.set(stemOf(word), stems.size)
  return {
    terms: [...stems.keys()].map(() => ({ weight: 1 })),
    pairs: pairsOf(words, stems, stems.size),
    ...lookUp(stems, new Map()),
  }
}

/** For consecutive words. */
export function pairsOf(
  words: readonly string[],
  stems: ReadonlyMap<string, number>,
  terms: number,
  language: Language = 'en',
): Set<number> {
  const pairs = new Set<number>()
  for (let i = 1; i < words.length; i++) {
    const first = stems.get(stemOf(words[i - 1] ?? '', language))
    const second = stems.get(stemOf(words[i] ?? '', language))
    if (first !== undefined && second !== undefined) pairs.add(first * terms + second)
  }
  return pairs
}

/** Counts words that begin like `word` where no other term is met. */
export interface AlikeTerm {
  readonly word: string
  readonly id: number
}

const SHARED = 4
const LEAST_ALIKE = 5
const SHARE_ALIKE = 0.65

/** One abbreviates the other, or most letters are equal, as in related languages: "config", "configuración". */
function beginAlike(one: string, other: string): boolean {
  const shortest = Math.min(one.length, other.length)
  let same = SHARED
  while (same < shortest && one[same] === other[same]) same++
  return same === shortest || same >= Math.max(LEAST_ALIKE, SHARE_ALIKE * Math.max(one.length, other.length))
}

/** By stem and exact form, then by the stem of an `english` word, else by beginning. */
export function lookUp(
  stems: ReadonlyMap<string, number>,
  exacts: ReadonlyMap<string, number>,
  language: Language = 'en',
  alike: readonly AlikeTerm[] = [],
  english: ReadonlyMap<string, number> = new Map(),
): Pick<Query, 'termsOf' | 'beginnings'> {
  const cache = new Map<string, readonly number[]>()
  const none: readonly number[] = []
  const byBeginning = Map.groupBy(alike, ({ word }) => word.slice(0, SHARED))
  const beginningAlike = (word: string): readonly number[] => {
    const near = byBeginning.get(word.slice(0, SHARED))?.filter((term) => beginAlike(term.word, word)) ?? []
    return near.length > 0 ? near.map(({ id }) => id) : none
  }
  return {
    termsOf(word) {
      const known = cache.get(word)
      if (known !== undefined) return known
      const stem =
        stems.get(stemOf(word, language)) ?? (english.size > 0 ? english.get(stemOf(word)) : undefined)
      const ids = [stem, exacts.get(word)].filter((id) => id !== undefined)
      const found = ids.length > 0 ? ids : beginningAlike(word)
      if (cache.size < WORD_CACHE) cache.set(word, found)
      return found
    },
    beginnings: beginningsOf([...stems.keys(), ...exacts.keys(), ...english.keys()]),
  }
}

/** Marks the first three letters of all possible matches: a stem, its irregular forms, any ending of a short stem. */
function beginningsOf(terms: readonly string[]): Uint8Array {
  const filter = new Uint8Array(2 ** 15)
  const mark = (word: string, third: number) => {
    filter[placeOfBeginning(word.charCodeAt(0), word.charCodeAt(1) || 0, third)] = 1
  }
  for (const term of terms)
    for (const form of [term, ...irregularFormsOf(term)]) {
      mark(form, form.charCodeAt(2) || 0)
      if (form.length < 4) for (let third = 97; third <= 122; third++) mark(form, third)
    }
  return filter
}
