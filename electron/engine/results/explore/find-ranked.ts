import { SluiceError } from '../../ground/errors.ts'
import type { Match, Matches } from './find-regex.ts'
import type { TextUnit } from './text-units.ts'

/** Usual parameters of Okapi BM25 (Robertson and Zaragoza 2009). */
const K1 = 1.2
const B = 0.75
const MOST = 200
const MAX_TERMS = 32

/**
 * Passages ranked by BM25 for the words of a query. Words are found inside longer ones too (getUser, errors), and texts
 * without blanks between words (Chinese, Japanese) by pairs of characters. Lengths count in characters throughout.
 */
export function findRanked(text: string, units: readonly TextUnit[], query: string): Matches {
  const terms = termsOf(query)
  if (terms.length === 0) {
    throw new SluiceError('BAD_INPUT', 'mode "bm25" needs at least one word to look for in "pattern".')
  }
  const counts = countTerms(text, units, terms)
  const containing = terms.map(() => 0)
  for (const each of counts.values())
    each.forEach((count, term) => (containing[term] = (containing[term] ?? 0) + (count > 0 ? 1 : 0)))
  const average = units.reduce((sum, unit) => sum + unit.end - unit.start, 0) / Math.max(1, units.length)
  const scored = [...counts].map(([index, each]) => {
    const unit = units[index] ?? { start: 0, end: 0 }
    const length = (unit.end - unit.start) / average
    const score = each.reduce((sum, count, term) => {
      const seen = containing[term] ?? 0
      const rarity = Math.log(1 + (units.length - seen + 0.5) / (seen + 0.5))
      return sum + (rarity * count * (K1 + 1)) / (count + K1 * (1 - B + B * length))
    }, 0)
    return { unit, score }
  })
  const matches = scored
    .toSorted((a, b) => b.score - a.score || a.unit.start - b.unit.start)
    .slice(0, MOST)
    .map(({ unit, score }): Match => ({ ...unit, note: `score ${score.toFixed(2)}` }))
  return { matches, total: scored.length, isCapped: false }
}

/** How often each term stands in each passage that has any. */
function countTerms(
  text: string,
  units: readonly TextUnit[],
  terms: readonly string[],
): Map<number, number[]> {
  const counts = new Map<number, number[]>()
  terms.forEach((term, termIndex) => {
    // The terms are plain words, escaped: this cannot backtrack.
    const isShort = term.length < 3 && /^[\p{L}\p{N}]+$/u.test(term) && !CJK.test(term)
    const word = term.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    const regex = new RegExp(isShort ? `(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])` : word, 'giu')
    let index = 0
    for (const match of text.matchAll(regex)) {
      while (index < units.length && (units[index]?.end ?? 0) <= match.index) index++
      const unit = units[index]
      if (!unit) break
      if (match.index < unit.start) continue
      const each = counts.get(index) ?? terms.map(() => 0)
      each[termIndex] = (each[termIndex] ?? 0) + 1
      counts.set(index, each)
    }
  })
  return counts
}

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const CJK_RUN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu

/** The words of a query without endings; runs of Chinese or Japanese characters as overlapping pairs. */
export function termsOf(query: string): string[] {
  const lower = query.toLowerCase()
  const words = lower.replaceAll(CJK_RUN, ' ').match(/[\p{L}\p{N}]+/gu) ?? []
  const pairs = (lower.match(CJK_RUN) ?? []).flatMap((run) =>
    run.length < 3 ? [run] : Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2)),
  )
  return [...new Set([...words.map(withoutEnding), ...pairs])].slice(0, MAX_TERMS)
}

/** "errors", "failed", "running" are found by what they share with their other forms. */
function withoutEnding(word: string): string {
  for (const ending of ['ies', 'ing', 'ed', 'es', 's']) {
    if (word.endsWith(ending) && word.length - ending.length >= 4 && !word.endsWith('ss')) {
      return word.slice(0, -ending.length)
    }
  }
  return word
}
