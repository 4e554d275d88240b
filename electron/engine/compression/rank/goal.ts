import { foldWord } from '../../text/words/char-classes.ts'
import {
  asksForAmount,
  asksForNeighbour,
  asksForOddity,
  asksForSame,
  findDirection,
  speaksOfTrouble,
  type Direction,
} from './intent.ts'
import { partsOf, wordsOf } from '../../text/words/scan-words.ts'
import { stemOf } from '../../text/words/stem.ts'
import { isFrameWord, isFunctionWord, isLightWord } from '../../text/words/stop-words.ts'
import { synonymsOf } from './synonyms.ts'
import { lookUp, pairsOf, type Query } from '../../text/words/query.ts'

export interface GoalTerm {
  readonly text: string
  /** 'exact' also counts the written word: "sales" isn't "sale". */
  readonly kind: 'stem' | 'exact' | 'joined' | 'light' | 'part' | 'synonym'
  readonly weight: number
}

export interface Goal extends Query {
  readonly text: string
  readonly terms: readonly GoalTerm[]
  /** Content words, lower-case, without accents. */
  readonly words: readonly string[]
  /** "cheapest", "last"; 'both' for ambiguous words. */
  readonly direction: Direction | undefined
  /** "unusual", "rather than", "outlier". */
  readonly asksForOddity: boolean
  readonly speaksOfTrouble: boolean
  /** "何分", "多少": asks for a number, in Chinese or Japanese. */
  readonly asksForAmount: boolean
  /** "before", "after", "next": the answer is adjacent. */
  readonly asksForNeighbour: boolean
  /** "the same year as": the answer shares a value. */
  readonly asksForSame: boolean
}

const WEIGHT = { stem: 1, exact: 0.3, joined: 0.8, light: 0.5, part: 0.6, synonym: 0.35 } as const
/** Longer goals (a file as an argument) are cut: matching units store a count per term. */
const MAX_TEXT = 4000
const MAX_WORDS = 60

/** Parses a goal. Without content words, its other words count. */
export function parseGoal(text: string): Goal {
  const all = wordsOf(text.slice(0, MAX_TEXT))
  const folded = all.map(foldWord)
  const content = folded.filter((word) => !isFunctionWord(word))
  const specific = content.filter((word) => !isFrameWord(word))
  const words = specific.length > 0 ? specific : content.length > 0 ? content : folded
  const kept = new Set([...new Set(words)].slice(0, MAX_WORDS))
  const lowerCase = text.toLowerCase()

  const terms: GoalTerm[] = []
  const stems = new Map<string, number>()
  const exacts = new Map<string, number>()
  const add = (term: string, kind: GoalTerm['kind']) => {
    const index = kind === 'exact' ? exacts : stems
    const known = index.get(term)
    if (known === undefined) {
      index.set(term, terms.length)
      terms.push({ text: term, kind, weight: WEIGHT[kind] })
    } else if ((terms[known]?.weight ?? 0) < WEIGHT[kind])
      terms[known] = { text: term, kind, weight: WEIGHT[kind] }
  }
  const isTooShort = (word: string) => word.length < 2 && /^[a-z]$/.test(word) && words.length > 1
  all.forEach((word, i) => {
    const lower = folded[i] ?? ''
    if (!kept.has(lower) || isTooShort(lower)) return
    add(stemOf(lower), isLightWord(lower) ? 'light' : 'stem')
    add(lower, 'exact')
    const parts = partsOf(word)
    if (parts.length > 1)
      for (const part of parts) if (part.length > 1 || /\d/.test(part)) add(stemOf(foldWord(part)), 'part')
  })
  for (let i = 1; i < folded.length; i++) {
    const [first = '', second = ''] = [folded[i - 1], folded[i]]
    // "API server" is also written "apiserver", "time out" "timeout".
    if (kept.has(first) && isPlain(first) && isPlain(second) && second.length > 1)
      add(stemOf(first + second), 'joined')
  }
  for (const year of decadeYears(lowerCase)) add(year, 'synonym')
  for (const word of [...new Set(folded)].slice(0, MAX_WORDS))
    for (const other of synonymsOf(word)) add(stemOf(other), 'synonym')

  return {
    text,
    terms,
    words,
    pairs: pairsOf(folded, stems, terms.length),
    direction: findDirection(lowerCase),
    asksForOddity: asksForOddity(lowerCase),
    speaksOfTrouble: speaksOfTrouble(lowerCase),
    asksForAmount: asksForAmount(lowerCase),
    asksForNeighbour: asksForNeighbour(lowerCase),
    asksForSame: asksForSame(lowerCase),
    ...lookUp(stems, exacts),
  }
}

const isPlain = (word: string) => /^[a-z]+$/.test(word)

/** "the 1990s": data names single years. */
function decadeYears(goal: string): string[] {
  const decade = /\b(1\d|20)(\d)0'?s\b/.exec(goal)
  if (decade === null) return []
  return Array.from({ length: 10 }, (_, year) => `${decade[1]}${decade[2]}${year}`)
}
