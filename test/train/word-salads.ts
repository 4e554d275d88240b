import type { GuardText } from '../guard/read-guard-texts.ts'
import { seededRandom } from './seeded-random.ts'

const SALADS = 240
const SENTENCES = 60
const SHORTEST = 8
const SPREAD = 12
/** Of the words that most sources have: of which most are function words, and of which few are. */
const WORDS = [60, 600]

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
  const sentence = (of: number): string =>
    Array.from({ length: SHORTEST + below(SPREAD) }, () => words[below(of)] ?? '').join(' ')
  return Array.from({ length: SALADS }, (_, index) => ({
    id: 'word-salad',
    set: 'made',
    family: 'word-salad',
    isAttack: false,
    isOvert: false,
    isMeasuredOnly: false,
    language: 'en',
    carrier: 'direct',
    text: Array.from({ length: SENTENCES }, () => `${sentence(WORDS[index % WORDS.length] ?? 0)}.`).join(' '),
  }))
}
