import { irregularFormsOf, stemOf } from './stem.ts'

/** Words with one stem begin alike, but for irregular forms. */
const BEGINNING = 2

export interface FoundWord {
  readonly word: string
  /** That it is in. */
  readonly line: string
}

/** A list as one text for `findByStem`. */
export const asList = (lines: readonly string[]): string => `\n${lines.join('\n')}\n`

/**
 * English words with a stem in a list of lines of words, or at the beginnings of lines. Only words that begin like the
 * stem are stemmed: to stem a whole list takes longer than to shorten a small text.
 */
export function findByStem(list: string, stem: string, where: 'anywhere' | 'first'): FoundWord[] {
  const beginnings = new Set([stem, ...irregularFormsOf(stem)].map((form) => form.slice(0, BEGINNING)))
  const found: FoundWord[] = []
  for (const beginning of beginnings)
    for (const before of where === 'first' ? ['\n'] : ['\n', ' ']) {
      const wanted = before + beginning
      for (let at = list.indexOf(wanted); at >= 0; at = list.indexOf(wanted, at + 1)) {
        const word = WORD.exec(list.slice(at + 1, at + LONGEST))?.[0] ?? ''
        if (stemOf(word) !== stem) continue
        const start = list.lastIndexOf('\n', at) + 1
        found.push({ word, line: list.slice(start, list.indexOf('\n', start)) })
      }
    }
  return found
}

const WORD = /^[a-z0-9]+/
const LONGEST = 40
