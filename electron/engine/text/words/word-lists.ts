import de from '../../../../resources/words/de.json' with { type: 'json' }
import en from '../../../../resources/words/en.json' with { type: 'json' }
import es from '../../../../resources/words/es.json' with { type: 'json' }
import fr from '../../../../resources/words/fr.json' with { type: 'json' }
import it from '../../../../resources/words/it.json' with { type: 'json' }
import ja from '../../../../resources/words/ja.json' with { type: 'json' }
import ko from '../../../../resources/words/ko.json' with { type: 'json' }
import nl from '../../../../resources/words/nl.json' with { type: 'json' }
import pl from '../../../../resources/words/pl.json' with { type: 'json' }
import pt from '../../../../resources/words/pt.json' with { type: 'json' }
import ru from '../../../../resources/words/ru.json' with { type: 'json' }
import tr from '../../../../resources/words/tr.json' with { type: 'json' }
import zh from '../../../../resources/words/zh.json' with { type: 'json' }
import { foldWord } from './char-classes.ts'

/**
 * Word lists, data in resources/words. A row has its words, an example that contains one, and a counter-example.
 * Bars separate the patterns of a row; `\w` is any letter.
 */
const LISTS: Readonly<Record<string, Readonly<Record<string, { readonly words: string } | undefined>>>> = {
  en,
  de,
  fr,
  es,
  pt,
  it,
  nl,
  ru,
  pl,
  tr,
  zh,
  ja,
  ko,
}

export type Language = string
export const LANGUAGES: readonly Language[] = Object.keys(LISTS)

/** Written without blanks between words, or with particles on them: character pairs are their terms. */
export const isUnspaced = (language: Language): boolean => /^(?:zh|ja|ko)$/.test(language)

const sets = new Map<string, ReadonlySet<string>>()

/** A row's words without case and accents. */
export function wordSet(language: Language, role: string): ReadonlySet<string> {
  const key = `${language} ${role}`
  const known = sets.get(key)
  if (known !== undefined) return known
  const words = LISTS[language]?.[role]?.words ?? ''
  const made = new Set(words.split(/[\s·]+/).map((word) => (isUnspaced(language) ? word : foldWord(word))))
  made.delete('')
  sets.set(key, made)
  return made
}

const patterns = new Map<string, RegExp | undefined>()

/** Finds a row's words in a folded goal, its words separated by single blanks; in a text as it is without blanks. */
export function patternOf(language: Language, role: string): RegExp | undefined {
  const key = `${language} ${role}`
  if (patterns.has(key)) return patterns.get(key)
  const words = LISTS[language]?.[role]?.words
  const folded = isUnspaced(language) ? words : words?.split('|').map(foldWord).join('|')
  // A folded goal has no other signs between blanks, and the class of all letters takes milliseconds to compile.
  const body = folded?.replaceAll(String.raw`\w`, isUnspaced(language) ? String.raw`[\p{L}\p{N}]` : '[^ ]')
  const made =
    body === undefined ? undefined : new RegExp(isUnspaced(language) ? body : `(?<= )(?:${body})(?= )`, 'u')
  patterns.set(key, made)
  return made
}

/** Rows that name an order; their words don't describe the answer. */
export const ORDERS = ['most', 'least', 'high', 'low', 'newest', 'oldest', 'last', 'first']

/** "down" of "which servers are down": a function word that names a state there. */
export const stateIn = (folded: readonly string[], language: Language): string | undefined =>
  patternOf(language, 'state')
    ?.exec(` ${folded.join(' ')} `)?.[0]
    .split(' ')
    .at(-1)

/** The language of a question, from its script, its function words and words of order; English when nothing tells. */
export function languageOf(text: string, folded: readonly string[]): Language {
  if (/[\u3040-\u30ff]/.test(text)) return 'ja'
  if (/[\uac00-\ud7af]/.test(text)) return 'ko'
  if (/\p{Script=Han}/u.test(text)) return 'zh'
  if (/\p{Script=Cyrillic}/u.test(text)) return 'ru'
  const words = new Set(folded)
  const letters = new Set(text.toLowerCase().match(/[^\p{ASCII}]/gu))
  let best: Language = 'en'
  let top = 0
  for (const language of LANGUAGES) {
    if (isUnspaced(language) || language === 'ru') continue
    const score = fitOf(language, words, letters)
    if (score > top) [best, top] = [language, score]
  }
  return best
}

/**
 * A word counts for less the more languages have it; letters of few languages count like two words. Words that mean
 * something else in English ("comment", "per", "ca"), and single letters, tell nothing alone.
 */
function fitOf(language: Language, words: ReadonlySet<string>, letters: ReadonlySet<string>): number {
  const functions = wordSet(language, 'function')
  const isShared = (word: string): boolean =>
    language !== 'en' && (wordSet('en', 'shared').has(word) || word.length === 1)
  let fit = 0
  let shared = 0
  let isTelling = language === 'en'
  // What no word of all matches, none matches alone.
  const all = ` ${[...words].join(' ')} `
  const orders = ORDERS.filter((role) => patternOf(language, role)?.test(all))
  for (const word of words) {
    const worth = functions.has(word) ? 1 / (languagesWith().get(word) ?? 1) : 0
    if (isShared(word)) shared += worth
    else fit += worth
    isTelling ||= worth > 0 && !isShared(word) && !wordSet('en', 'function').has(word)
    for (const role of orders)
      if (patternOf(language, role)?.test(` ${word} `) === true) fit += 1 / languagesOf(role, word)
  }
  if (isTelling) fit += shared
  if (fit === 0 || letters.size === 0) return fit
  const own = LISTS[language]?.['letters']?.words ?? ''
  for (const letter of letters) if (own.includes(letter)) fit += 0.4
  return fit
}

/** How many have a word in such a row. */
const languagesOf = (role: string, word: string): number =>
  LANGUAGES.filter((each) => !isUnspaced(each) && patternOf(each, role)?.test(` ${word} `)).length

let counted: Map<string, number> | undefined

function languagesWith(): ReadonlyMap<string, number> {
  if (counted !== undefined) return counted
  counted = new Map()
  for (const language of LANGUAGES)
    for (const word of wordSet(language, 'function')) counted.set(word, (counted.get(word) ?? 0) + 1)
  return counted
}
