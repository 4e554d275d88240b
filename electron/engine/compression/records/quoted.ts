import { foldWord } from '../../text/words/char-classes.ts'
import { wordsOf } from '../../text/words/scan-words.ts'
import { wordSet } from '../../text/words/word-lists.ts'
import { kindOf, NODE, valueOf } from '../../text/tree/json-document.ts'
import type { Goal } from '../rank/goal.ts'
import type { Items } from './items.ts'

const MOST_WORDS = 8
/** Goals beyond this hold documents. */
const LONGEST_GOAL = 80
const LONGEST = 90

/** By leaf: 1 where the goal has its whole value, word for word; less for a common one. Undefined when none. */
export function findQuoted({ leaves }: Items, goal: Goal): Float32Array | undefined {
  const { document } = leaves
  const phrases = phrasesOf(goal)
  if (phrases.size === 0) return undefined
  const beginnings = new Set(Array.from(phrases, (phrase) => beginningOf(phrase, 0, phrase.length)))
  const found = new Map<string, number[]>()
  for (let leaf = 0; leaf < leaves.count; leaf++) {
    const node = leaves.nodes[leaf] ?? 0
    const kind = kindOf(document, node)
    const start = document.starts[node] ?? 0
    const stop = document.stops[node] ?? 0
    if (stop - start > LONGEST || (kind !== NODE.string && kind !== NODE.text && kind !== NODE.number))
      continue
    const beginning = beginningOf(document.text, start, stop)
    if (beginning !== UNKNOWN && !beginnings.has(beginning)) continue
    const phrase = wordsOf(valueOf(document, node)).map(foldWord).join(' ')
    if (!phrases.has(phrase)) continue
    const same = found.get(phrase)
    if (same === undefined) found.set(phrase, [leaf])
    else same.push(leaf)
  }
  if (found.size === 0) return undefined
  const quoted = new Float32Array(leaves.count)
  for (const same of found.values()) for (const leaf of same) quoted[leaf] = 1 / (1 + Math.log(same.length))
  return quoted
}

function phrasesOf(goal: Goal): Set<string> {
  const functions = wordSet(goal.language, 'function')
  const isFunctionWord = (word: string): boolean => functions.has(word)
  const isTelling = (word: string): boolean => (word.length > 2 && !functions.has(word)) || /\d/.test(word)
  const words = wordsOf(goal.text).slice(0, LONGEST_GOAL).map(foldWord)
  const phrases = new Set<string>()
  for (let first = 0; first < words.length; first++)
    for (let end = first + 1; end <= Math.min(words.length, first + MOST_WORDS); end++) {
      const part = words.slice(first, end)
      if (part.length > 1 ? !part.every(isFunctionWord) : isTelling(part[0] ?? ''))
        phrases.add(part.join(' '))
    }
  return phrases
}

/** The first letters and digits up to the end of their word, in lower case; anything but ASCII is unknown. */
function beginningOf(text: string, start: number, stop: number): number {
  let beginning = 0
  let length = 0
  for (let i = start; i < stop && length < LETTERS; i++) {
    const code = text.charCodeAt(i)
    if (code > 127 || code === BACKSLASH) return UNKNOWN
    const isCapital = code >= 65 && code <= 90
    if (isCapital || (code >= 97 && code <= 122) || (code >= 48 && code <= 57)) {
      beginning = beginning * 128 + (isCapital ? code + 32 : code)
      length++
    } else if (length > 0) {
      if (code === COMMA) return UNKNOWN
      break
    }
  }
  return beginning
}

const LETTERS = 4
const UNKNOWN = -1
const BACKSLASH = 92
/** Of thousands. */
const COMMA = 44
