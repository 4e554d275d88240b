import { irregularFormsOf, stemOf } from './stem.ts'

/** Words with one stem begin alike, but for irregular forms. */
const BEGINNING = 2

export interface FoundWord {
  readonly word: string
  /** That it is in. */
  readonly line: string
}

interface ListedWord extends FoundWord {
  readonly stem: string
}

/** Lines of words for `findByStem`. */
export interface WordList {
  readonly text: string
  /** Of words that goals have looked up before: by what is before them and how they begin. */
  readonly known: Map<string, readonly ListedWord[]>
}

export const asList = (lines: readonly string[]): WordList => ({
  text: `\n${lines.join('\n')}\n`,
  known: new Map(),
})

/**
 * English words with a stem in a list of lines of words, or at the beginnings of lines. Only words that begin like the
 * stem are stemmed: to stem a whole list takes longer than to shorten a small text.
 */
export function findByStem(list: WordList, stem: string, where: 'anywhere' | 'first'): FoundWord[] {
  const beginnings = new Set([stem, ...irregularFormsOf(stem)].map((form) => form.slice(0, BEGINNING)))
  const found: FoundWord[] = []
  for (const beginning of beginnings)
    for (const before of where === 'first' ? ['\n'] : ['\n', ' '])
      for (const word of wordsFrom(list, before + beginning)) if (word.stem === stem) found.push(word)
  return found
}

function wordsFrom({ text, known }: WordList, wanted: string): readonly ListedWord[] {
  const before = known.get(wanted)
  if (before !== undefined) return before
  const words: ListedWord[] = []
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const word = WORD.exec(text.slice(at + 1, at + LONGEST))?.[0] ?? ''
    const start = text.lastIndexOf('\n', at) + 1
    words.push({ word, stem: stemOf(word), line: text.slice(start, text.indexOf('\n', start)) })
  }
  if (words.length > 0) known.set(wanted, words)
  return words
}

const WORD = /^[a-z0-9]+/
const LONGEST = 40
