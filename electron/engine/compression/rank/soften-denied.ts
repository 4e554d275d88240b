import { foldWord } from '../../text/words/char-classes.ts'
import { wordsOf } from '../../text/words/scan-words.ts'
import { stemOf } from '../../text/words/stem.ts'
import type { Goal } from './goal.ts'

const NEGATION =
  /\b(?:not|neither|cannot|can't|never|no longer|(?:is|are|was|were|did|does|do|has|have|had)n't|except(?: for)?|other than)\s+(?:yet |in |under |of |by |from |with |at |on |for |the |a |an |be |being |been |(?:use[sd]?|using|contain(?:s|ing)?|includ(?:es?|ing)|mention(?:s|ing)?|belong to|come|start|begin|end) (?=\p{L}))*/giu
/** A further word that the same negation denies. */
const FURTHER = /^\W*n?or\s+(?:(?:is|are|was|were|be|being|been|in|the|an?)\s+)*(?=\p{L})/iu
/** A list before its last word: "MIT, ISC, BSD or", "MIT, ISC and". */
const LISTED = /^[^\s,]+(?:, [^\s,]+)+,? (?:n?or|and)(?= \p{L})/iu
const DENIED = 0.02

/** What is quoted is searched, and asks for nothing. */
export const unquoted = (goal: string): string =>
  goal.replace(/"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|`[^`]*`/g, (quoted) => ' '.repeat(quoted.length))

/**
 * "Pods that are not running": the named value isn't what is wanted. A text that has the state in these words
 * ("not-found", "NotReady") is searched for them.
 */
export function softenDenied(goal: Goal, text: string): Goal {
  const [phrase] = [...unquoted(goal.text).matchAll(NEGATION)].slice(-1)
  if (phrase === undefined) return goal
  const words = wordsDenied(goal.text.slice(phrase.index + phrase[0].length))
  const [word = ''] = words
  const denied = words.flatMap((each) => [foldWord(each), stemOf(foldWord(each))])
  const isState = words.length === 1 && /^not\s+$/i.test(phrase[0]) && /^\p{L}+$/u.test(word)
  const state = isState ? new RegExp(`\\bnot([-_ ]?)${word}\\b`, 'i').exec(text) : null
  if (state !== null && state[1] !== '') return goal
  const joined = state === null ? undefined : foldWord(state[0])
  return {
    ...goal,
    terms: goal.terms.map((term) => {
      if (!denied.includes(term.text)) return term
      return joined === undefined
        ? { ...term, weight: term.weight * DENIED, isDenied: true }
        : { ...term, text: term.text === denied[0] ? joined : stemOf(joined) }
    }),
  }
}

/** The first word, and those behind "or", "nor", or of a list. */
function wordsDenied(text: string): string[] {
  const list = LISTED.exec(text)?.[0]
  if (list !== undefined) return [...wordsOf(list).slice(0, -1), wordsOf(text.slice(list.length))[0] ?? '']
  const [word = ''] = wordsOf(text)
  const rest = text.slice(text.indexOf(word) + word.length)
  const further = word === '' ? null : FURTHER.exec(rest)
  return further === null ? [word] : [word, ...wordsDenied(rest.slice(further[0].length))]
}
