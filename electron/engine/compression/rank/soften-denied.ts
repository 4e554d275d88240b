import { foldWord } from '../../text/words/char-classes.ts'
import { wordsOf } from '../../text/words/scan-words.ts'
import { stemOf } from '../../text/words/stem.ts'
import type { Goal } from './goal.ts'

const NEGATION =
  /\b(?:not|never|no longer|(?:is|are|was|were|did|does|do|has|have|had)n't|except|other than)\s+(?:yet |in |the |a |an |being |been )*/gi
const DENIED = 0.02

/** "Pods that are not running": the named value isn't what is wanted. */
export function softenDenied(goal: Goal): Goal {
  const [phrase] = [...goal.text.matchAll(NEGATION)].slice(-1)
  if (phrase === undefined) return goal
  const [word = ''] = wordsOf(goal.text.slice(phrase.index + phrase[0].length))
  const denied = [foldWord(word), stemOf(foldWord(word))]
  return {
    ...goal,
    terms: goal.terms.map((term) =>
      denied.includes(term.text) ? { ...term, weight: term.weight * DENIED, isDenied: true } : term,
    ),
  }
}
