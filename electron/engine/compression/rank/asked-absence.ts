import { foldWord } from '../../text/words/char-classes.ts'
import { wordsOf } from '../../text/words/scan-words.ts'
import { stemOf } from '../../text/words/stem.ts'
import { unquoted } from './soften-denied.ts'

const BEFORE =
  /\b(?:without|no|lack(?:s|ing)?|missing|ohne|kein\w*|sans|sin|senza|sem)\s+(?:an? |any |the |its |own |eine?[nmrs]? |une? |una? |um )*([\p{L}_]+)/giu
const BEHIND =
  /([\p{L}_]+)\s+(?:(?:is|are|was|were)\s+)?(?:null|empty|missing(?=\s*(?:[?.!,]|$))|blank|unset|undefined|absent|not set|not given)\b/giu
/** "No longer", "no more than": of something else. */
const OTHERS = new Set([
  'longer',
  'more',
  'less',
  'fewer',
  'other',
  'one',
  'matter',
  'later',
  'earlier',
  'sooner',
])

/** What a goal asks not to be there: words as stems, each as the goal has it and by its parts. */
export function absentIn(goal: string): string[] {
  const asked = unquoted(goal)
  const words = [...asked.matchAll(BEFORE), ...asked.matchAll(BEHIND)].map(([, word = '']) => word)
  return words
    .filter((word) => !OTHERS.has(word.toLowerCase()))
    .flatMap((word) => wordsOf(word).map((each) => stemOf(foldWord(each))))
}
