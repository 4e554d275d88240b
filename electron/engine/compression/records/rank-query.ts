import { lookUp, WORD_CACHE, type Query } from '../../text/words/query.ts'
import { stemOf } from '../../text/words/stem.ts'
import { absentIn } from '../rank/asked-absence.ts'
import type { Goal, GoalTerm } from '../rank/goal.ts'

/** Fits a 32-bit mask. */
const MOST_TERMS = 30
/** Letters two words must share to be abbreviations of each other. */
const SHORTEST_PREFIX = 4
/** Letters of a word found inside another. */
const SHORTEST_PART = 5

/** A goal for masks: bit `i` is term `i`. Abbreviations match their words ("temp", "temperature"). */
export interface RankQuery extends Query {
  readonly goal: Goal
  readonly terms: readonly GoalTerm[]
  /** Terms of the goal's own words, without synonyms and joined words. */
  readonly own: number
  /** Terms of a negated word ("not running"). */
  readonly denied: number
  /** Terms of what is asked not to be there ("without an owner"). */
  readonly absent: number
  /** With other forms of these words. */
  readonly absentForms: number
  /** Terms that are parts of a name's words ("termcolor", "mockdns"). */
  partsIn(name: string): number
}

/** `limits`: numbers beyond which values are wanted, not these. */
export function rankQueryOf(goal: Goal, limits: readonly string[] = []): RankQuery {
  const unwanted = new Set(limits.flatMap((limit) => [limit, stemOf(limit)]))
  const order = goal.terms.map((term, id) => ({ term, id }))
  const kept = order
    .filter(({ term }) => term.kind !== 'order' && term.kind !== 'alike' && !unwanted.has(term.text))
    .sort((a, b) => b.term.weight - a.term.weight || a.id - b.id)
    .slice(0, MOST_TERMS)
  const terms = kept.map(({ term }) => term)
  const places = new Map(kept.map(({ id }, place) => [id, place]))
  const byText = (isExact: boolean): Map<string, number> =>
    new Map(
      terms.flatMap(({ text, kind, also = [text] }, place) =>
        (kind === 'exact') === isExact ? also.map((each): [string, number] => [each, place]) : [],
      ),
    )
  const maskFor = (isWanted: (term: GoalTerm) => boolean): number =>
    terms.reduce((mask, term, place) => (isWanted(term) ? mask | (1 << place) : mask), 0)
  const absent = absentIn(goal.text)
  const stems = byText(false)
  const long = terms.flatMap(({ text, kind }, place) =>
    kind !== 'synonym' && kind !== 'exact' && text.length >= SHORTEST_PREFIX && isLetters(text)
      ? [{ text, place }]
      : [],
  )
  const parts = terms.flatMap(({ text, kind, also = [text] }, place) =>
    isOwn(kind) || kind === 'synonym'
      ? also
          .filter((each) => each.length >= SHORTEST_PART && isLetters(each))
          .map((each) => ({ text: each, place }))
      : [],
  )
  const { termsOf, beginnings } = lookUp(stems, byText(true))
  const cache = new Map<string, readonly number[]>()
  const find = (word: string): readonly number[] => {
    const found = termsOf(word)
    if (found.some((id) => isOwn(terms[id]?.kind ?? 'stem'))) return found
    if (word.length < SHORTEST_PREFIX || long.length === 0 || !isLetters(word)) return found
    const stem = stemOf(word)
    const near = long.filter(
      ({ text }) => (stem.length >= SHORTEST_PREFIX && text.startsWith(stem)) || word.startsWith(text),
    )
    return near.length === 0 ? found : [...new Set([...near.map(({ place }) => place), ...found])]
  }
  return {
    goal,
    terms,
    own: maskFor(({ kind }) => isOwn(kind)),
    denied: maskFor((term) => term.isDenied === true),
    absent: maskFor(({ text }) => absent.includes(text)),
    absentForms: maskFor(({ text, kind, insteadOf = kind === 'exact' ? stemOf(text) : text }) =>
      absent.includes(insteadOf),
    ),
    pairs: pairsAmong(goal, places, terms.length),
    beginnings,
    partsIn(name) {
      const lower = name.toLowerCase()
      let mask = 0
      for (const { text, place } of parts) if (lower.includes(text)) mask |= 1 << place
      return mask
    },
    termsOf(word) {
      let ids = cache.get(word)
      if (ids === undefined) {
        ids = find(word)
        if (cache.size < WORD_CACHE) cache.set(word, ids)
      }
      return ids
    },
  }
}

const isLetters = (word: string): boolean => /^\p{L}+$/u.test(word)
const isOwn = (kind: GoalTerm['kind']): boolean => kind === 'stem' || kind === 'light'

function pairsAmong(goal: Goal, places: ReadonlyMap<number, number>, size: number): Set<number> {
  const pairs = new Set<number>()
  for (const pair of goal.pairs) {
    const first = places.get(Math.floor(pair / goal.terms.length))
    const second = places.get(pair % goal.terms.length)
    if (first !== undefined && second !== undefined) pairs.add(first * size + second)
  }
  return pairs
}

export function maskOf(counts: readonly number[] | undefined): number {
  let mask = 0
  if (counts !== undefined) for (let id = 0; id < counts.length; id++) if (counts[id]! > 0) mask |= 1 << id
  return mask
}

/** Sums of weights of a mask's terms, by byte. */
export function maskSums(weights: ArrayLike<number>): (mask: number) => number {
  const tables = [0, 8, 16, 24].map((shift) => {
    const sums = new Float64Array(256)
    for (let byte = 1; byte < 256; byte++) {
      const low = 31 - Math.clz32(byte & -byte)
      sums[byte] = sums[byte & (byte - 1)]! + (weights[shift + low] ?? 0)
    }
    return sums
  })
  const [first, second, third, fourth] = tables as [Float64Array, Float64Array, Float64Array, Float64Array]
  return (mask) =>
    mask === 0
      ? 0
      : first[mask & 255]! + second[(mask >>> 8) & 255]! + third[(mask >>> 16) & 255]! + fourth[mask >>> 24]!
}
