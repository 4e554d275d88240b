import data from '../../../../resources/words/translations.json' with { type: 'json' }
import { foldWord } from '../../text/words/char-classes.ts'
import { stemOf } from '../../text/words/stem.ts'
import { isUnspaced, type Language } from '../../text/words/word-lists.ts'

/** By language: English words, and words of the language that mean them. */
const LISTS: Readonly<Record<Language, Readonly<Record<string, string>> | undefined>> = data
/** Shorter words are no part of a longer one: "Speicherplatz", "Aufräumfunktionen", "sunucunun". */
const LEAST_PART = 5

/** By stem, in unspaced languages by word; made when a goal of the language asks. */
const tables = new Map<Language, ReadonlyMap<string, readonly string[]>>()

/** English words for a folded word of a goal in another language: most tools write English. */
export function englishOf(word: string, language: Language): readonly string[] {
  const table = tableOf(language)
  const known = table.get(stemOf(word, language))
  if (known !== undefined) return known
  let longest = ''
  for (const stem of table.keys())
    if (stem.length >= LEAST_PART && stem.length > longest.length)
      if (word.startsWith(stem) || word.endsWith(stem)) longest = stem
  return table.get(longest) ?? []
}

/** The same for a run of signs without blanks: each word in it, with its English words. */
export const englishWithin = (run: string, language: Language): [string, readonly string[]][] =>
  [...tableOf(language)].filter(([word]) => run.includes(word))

function tableOf(language: Language): ReadonlyMap<string, readonly string[]> {
  const known = tables.get(language)
  if (known !== undefined) return known
  const table = new Map<string, string[]>()
  for (const [english, words] of Object.entries(LISTS[language] ?? {}))
    for (const word of words.split(' ')) {
      const key = isUnspaced(language) ? word : stemOf(foldWord(word), language)
      table.set(key, [...(table.get(key) ?? []), ...english.split(' ')])
    }
  tables.set(language, table)
  return table
}
