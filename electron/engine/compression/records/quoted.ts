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
  const beginnings = new Set([...phrases].map((phrase) => phrase.charCodeAt(0)))
  const found = new Map<string, number[]>()
  for (let leaf = 0; leaf < leaves.count; leaf++) {
    const node = leaves.nodes[leaf] ?? 0
    const kind = kindOf(document, node)
    const start = document.starts[node] ?? 0
    const stop = document.stops[node] ?? 0
    if (stop - start > LONGEST || (kind !== NODE.string && kind !== NODE.text && kind !== NODE.number))
      continue
    if (!startsLike(document.text, start, stop, beginnings)) continue
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

/** The first letter or digit, in lower case. */
function startsLike(text: string, start: number, stop: number, beginnings: ReadonlySet<number>): boolean {
  for (let i = start; i < stop; i++) {
    const code = text.charCodeAt(i)
    if (code > 127) return true
    const isCapital = code >= 65 && code <= 90
    if (isCapital || (code >= 97 && code <= 122) || (code >= 48 && code <= 57))
      return beginnings.has(isCapital ? code + 32 : code)
  }
  return false
}
