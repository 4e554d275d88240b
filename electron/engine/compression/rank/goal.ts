import { foldWord } from '../../text/words/char-classes.ts'
import { lookUp, pairsOf, type Query } from '../../text/words/query.ts'
import { partsOf, wordsOf } from '../../text/words/scan-words.ts'
import { stemOf } from '../../text/words/stem.ts'
import { isUnspaced, type Language, languageOf, stateIn, wordSet } from '../../text/words/word-lists.ts'
import { type Intent, namesOrder, readIntent } from './intent.ts'
import { phrasesIn } from './phrases.ts'
import { codeWordsOf, hintsOf, synonymsOf } from './synonyms.ts'
import { englishOf, englishWithin } from './translations.ts'

export interface GoalTerm {
  readonly text: string
  /**
   * 'exact' also counts the written word: "sales" isn't "sale". 'order' names an order ("largest"): rankers that
   * order values give it no weight. 'alike' counts words that only begin alike.
   */
  readonly kind: 'stem' | 'exact' | 'joined' | 'light' | 'part' | 'synonym' | 'alike' | 'order'
  readonly weight: number
  /** Of a negated word: see softenDenied. */
  readonly isDenied?: boolean
  /** Stems that a 'synonym' also counts. */
  readonly also?: readonly string[]
  /** Stem of the word that a 'synonym' is used instead of. */
  readonly insteadOf?: string
}

export interface Goal extends Query, Intent {
  readonly text: string
  readonly language: Language
  readonly terms: readonly GoalTerm[]
  /** Content words, lower-case, without accents. */
  readonly words: readonly string[]
}

const WEIGHT = {
  stem: 1,
  exact: 0.3,
  joined: 0.8,
  light: 0.5,
  part: 0.6,
  synonym: 0.3,
  alike: 0.3,
  order: 0.5,
} as const
/** Longer goals (a file as an argument) are cut: matching units store a count per term. */
const MAX_TEXT = 4000
const MAX_WORDS = 60
/** Shorter words have no typical beginning. */
const LEAST_ALIKE = 5

/** Goals of one request are asked of many results. */
const kept = new Map<string, Goal>()
const MOST_KEPT = 8

/** `isOfCode`: with what programmers call things. Parses a goal in any of the languages with word lists. Without content words, its other words count. */
export function parseGoal(text: string, isOfCode = false): Goal {
  const key = isOfCode ? `code ${text}` : text
  const known = kept.get(key)
  if (known !== undefined) return known
  const goal = readGoal(text, isOfCode)
  if (text.length <= MAX_TEXT) {
    if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value ?? '')
    kept.set(key, goal)
  }
  return goal
}

function readGoal(text: string, isOfCode: boolean): Goal {
  const cut = text.slice(0, MAX_TEXT)
  const all = wordsOf(cut)
  const folded = all.map(foldWord)
  const language = languageOf(cut, folded)
  const intent = readIntent(cut.toLowerCase(), folded, language)
  const {
    stems,
    exacts,
    english,
    terms: exactTerms,
    words,
  } = isUnspaced(language) ? termsOfPairs(cut, language) : termsOfWords(cut, all, folded, language, isOfCode)
  const alike = [...new Set(words)]
    .filter((word) => word.length >= LEAST_ALIKE && /^\p{L}+$/u.test(word))
    .slice(0, MAX_WORDS)
    .map((word, i) => ({ word, id: exactTerms.length + i }))
  const terms = [
    ...exactTerms,
    ...alike.map(({ word }): GoalTerm => ({ text: `${word}…`, kind: 'alike', weight: WEIGHT.alike })),
  ]
  return {
    ...intent,
    text,
    language,
    terms,
    words,
    pairs: pairsOf(folded, stems, terms.length, language),
    ...lookUp(stems, exacts, language, alike, english),
  }
}

interface Terms {
  readonly stems: ReadonlyMap<string, number>
  readonly exacts: ReadonlyMap<string, number>
  /** By stem, for goals in other languages. */
  readonly english: ReadonlyMap<string, number>
  readonly terms: readonly GoalTerm[]
  readonly words: readonly string[]
}

class TermList {
  readonly stems = new Map<string, number>()
  readonly exacts = new Map<string, number>()
  readonly english = new Map<string, number>()
  readonly terms: GoalTerm[] = []

  /** The heavier of two equal terms counts. */
  add(text: string, kind: GoalTerm['kind'], weight: number = WEIGHT[kind]): void {
    const index = kind === 'exact' ? this.exacts : this.stems
    const known = index.get(text)
    if (known === undefined) {
      index.set(text, this.terms.length)
      this.terms.push({ text, kind, weight })
    } else if ((this.terms[known]?.weight ?? 0) < weight) this.terms[known] = { text, kind, weight }
  }

  /** One term for all English synonyms of a word or phrase: together they tell as much as one word. */
  addSynonyms(word: string, others: Iterable<string>, insteadOf: string, index = this.stems): void {
    const also = [...new Set([...others].map((other) => stemOf(other)))].filter((stem) => !index.has(stem))
    if (also.length === 0) return
    for (const stem of also) index.set(stem, this.terms.length)
    this.terms.push({ text: `${word}~`, kind: 'synonym', weight: WEIGHT.synonym, also, insteadOf })
  }

  /** For a word of another language, by its stem. */
  addEnglish(stem: string, words: readonly string[]): void {
    this.addSynonyms(stem, words, stem, this.english)
  }

  with(words: readonly string[]): Terms {
    const { stems, exacts, english, terms } = this
    return { stems, exacts, english, terms, words }
  }
}

function termsOfWords(
  text: string,
  all: readonly string[],
  folded: readonly string[],
  language: Language,
  isOfCode: boolean,
): Terms {
  const functions = wordSet(language, 'function')
  const frames = wordSet(language, 'frame')
  const light = wordSet(language, 'light')
  const state = stateIn(folded, language)
  const content = folded.filter((word) => word === state || !functions.has(word))
  const specific = content.filter((word) => !frames.has(word))
  const words = specific.length > 0 ? specific : content.length > 0 ? content : folded
  const kept = new Set([...new Set(words)].slice(0, MAX_WORDS))
  const list = new TermList()
  const isTooShort = (word: string) => word.length < 2 && /^[a-z]$/.test(word) && words.length > 1
  all.forEach((word, i) => {
    const lower = folded[i] ?? ''
    if (!kept.has(lower) || isTooShort(lower)) return
    if (namesOrder(lower, language)) {
      list.add(stemOf(lower, language), 'order')
      return
    }
    list.add(stemOf(lower, language), light.has(lower) ? 'light' : 'stem')
    list.add(lower, 'exact')
    const parts = partsOf(word)
    if (parts.length > 1)
      for (const part of parts)
        if (part.length > 1 || /\d/.test(part)) list.add(stemOf(foldWord(part), language), 'part')
  })
  for (let i = 1; i < folded.length; i++) {
    const [first = '', second = ''] = [folded[i - 1], folded[i]]
    // "API server" is also written "apiserver", "time out" "timeout".
    if (kept.has(first) && isPlain(first) && isPlain(second) && second.length > 1)
      list.add(stemOf(first + second, language), 'joined')
  }
  for (const year of decadeYears(text.toLowerCase())) list.add(year, 'synonym')
  if (language === 'en') {
    for (const word of isOfCode ? kept : [])
      for (const other of codeWordsOf(word)) list.add(stemOf(other), 'synonym')
    const phrases = phrasesIn(folded)
    for (const { text, meaning } of phrases) list.addSynonyms(text, meaning, stemOf(text))
    const isAlone = (at: number) => !phrases.some(({ first, end }) => at >= first && at < end)
    const alone = new Set(folded.filter((_, at) => isAlone(at)))
    for (const word of [...alone].slice(0, MAX_WORDS))
      list.addSynonyms(
        word,
        [...hintsOf(word), ...(kept.has(word) && !namesOrder(word, language) ? synonymsOf(word) : [])],
        stemOf(word),
      )
  } else for (const word of kept) list.addEnglish(stemOf(word, language), englishOf(word, language))
  return list.with(words)
}

/** Of a pair with signs of a syllabary, of which words have more, and of a sign alone, relative to a pair. */
const MIXED_PAIR = 0.5
const ALONE = 0.25

/** Character pairs, without function words; words of other scripts in between are terms as they are. */
function termsOfPairs(text: string, language: Language): Terms {
  const longestFirst = [...wordSet(language, 'function')].sort((a, b) => b.length - a.length)
  const list = new TermList()
  const found: string[] = []
  for (const run of text.match(/[\p{L}\p{N}\p{M}ー]+/gu) ?? []) {
    let rest = run
    if (language === 'ko') rest = withoutParticles(rest, longestFirst)
    else for (const word of longestFirst) rest = rest.replaceAll(word, ' ')
    for (const piece of rest.split(' ')) if (piece !== '') found.push(piece)
  }
  for (const piece of (found.length > 0 ? found : [text]).slice(0, MAX_WORDS)) {
    const signs = wordsOf(piece)
    for (const [i, sign] of signs.entries()) {
      const next = signs[i + 1] ?? ''
      if (!isSign(sign)) {
        list.add(foldWord(sign), 'stem')
        for (const part of partsOf(sign)) if (part.length > 1) list.add(foldWord(part), 'part')
        continue
      }
      // One syllable of a Korean word tells little.
      if (!isSyllable(sign) && (language !== 'ko' || signs.length === 1))
        list.add(foldWord(sign), 'light', ALONE)
      const syllables = Number(isSyllable(sign)) + Number(isSyllable(next))
      if (isSign(next) && syllables < 2)
        list.add(foldWord(sign + next), 'stem', syllables === 0 && !isPhonetic(sign + next) ? 1 : MIXED_PAIR)
    }
  }
  for (const [word, english] of englishWithin(found.join(' '), language)) list.addEnglish(word, english)
  return list.with(found)
}

/** Words of Korean end in particles; one that is only such is none. */
function withoutParticles(word: string, particles: readonly string[]): string {
  if (particles.includes(word)) return ''
  const particle = particles.find((each) => word.endsWith(each) && word.length - each.length >= 2)
  return particle === undefined ? word : withoutParticles(word.slice(0, -particle.length), particles)
}

const isSign = (word: string) => /^[^\p{ASCII}]$/u.test(word) && /\p{L}/u.test(word)
/** Katakana: names and borrowed words, of many signs each. */
const isPhonetic = (pair: string) => /^[\u30a0-\u30ff]+$/.test(pair)
const isSyllable = (sign: string) => /^[\u3040-\u309f]$/.test(sign)
const isPlain = (word: string) => /^[a-z]+$/.test(word)

/** "the 1990s": data names single years. */
function decadeYears(goal: string): string[] {
  const decade = /\b(1\d|20)(\d)0'?s\b/.exec(goal)
  if (decade === null) return []
  return Array.from({ length: 10 }, (_, year) => `${decade[1]}${decade[2]}${year}`)
}
