import data from '../../../../resources/words/synonyms.json' with { type: 'json' }
import { asList, findByStem, type WordList } from '../../text/words/find-by-stem.ts'
import { stemOf } from '../../text/words/stem.ts'

const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')

const groups = asList([...data.groups, ...NUMBERS.map((word, value) => `${word} ${value}`)])
const hints = asList(Object.entries(data.hints).map(([word, near]) => `${word} ${near}`))

const code = asList(data.code)

/** Words of the same groups. */
export const synonymsOf = (word: string): ReadonlySet<string> => othersIn(groups, word, 'anywhere')
/** What programmers write for an everyday word, and the other way round. */
export const codeWordsOf = (word: string): ReadonlySet<string> => othersIn(code, word, 'anywhere')

/** Words likely near the answer of a question with the word ("who": author). */
export const hintsOf = (word: string): ReadonlySet<string> => othersIn(hints, word, 'first')

function othersIn(list: WordList, wanted: string, where: 'anywhere' | 'first'): ReadonlySet<string> {
  const found = findByStem(list, stemOf(wanted), where)
  return new Set(found.flatMap(({ word, line }) => line.split(' ').filter((other) => other !== word)))
}
