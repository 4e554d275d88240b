import type { GuardText } from '../guard/read-guard-texts.ts'
import { seededRandom } from './seeded-random.ts'

/** Texts of each pool. */
const SALADS = 60
/** Sentences of one, by turns: up to 100 kB. */
const LENGTHS = [12, 60, 250, 1000]
/** Words of a sentence. */
const SHORTEST = 8
const SPREAD = 12
/** Of the words that most sources have: of the first few, most are function words. Left out of training a pool at a time. */
const POOLS = [60, 120, 300, 1000]

const OF_DOCUMENTS: readonly GuardText['set'][] = ['hard benign', 'package documents', 'public ordinary']

/**
 * Ordinary texts of common words in random order, as word lists, filler and test data are. Without them a sentence of
 * function words alone has a few that attacks use more often, and the strongest of thousands hides an attack between them.
 */
export function wordSalads(texts: readonly GuardText[]): GuardText[] {
  const sources = new Map<string, Set<string>>()
  for (const { set, family, text } of texts)
    if (OF_DOCUMENTS.includes(set))
      for (const word of text.toLowerCase().match(/\b[a-z]+\b/g) ?? [])
        sources.set(word, (sources.get(word) ?? new Set()).add(family))
  const words = [...sources].sort((a, b) => b[1].size - a[1].size).map(([word]) => word)
  const random = seededRandom(1)
  const below = (most: number): number => Math.floor(random() * most)
  const sentence = (pool: number): string =>
    `${Array.from({ length: SHORTEST + below(SPREAD) }, () => words[below(pool)] ?? '').join(' ')}.`
  return POOLS.flatMap((pool) =>
    Array.from({ length: SALADS }, (_, index) => ({
      id: `random-words-${pool}-${index}`,
      set: 'random words',
      family: `random-words-${pool}`,
      isAttack: false,
      isOvert: false,
      isMeasuredOnly: false,
      language: 'en',
      carrier: 'direct',
      text: Array.from({ length: LENGTHS[index % LENGTHS.length] ?? 0 }, () => sentence(pool)).join(' '),
    })),
  )
}
