import { foldWord } from '../../text/words/char-classes.ts'
import { parseGoal } from '../rank/goal.ts'
import { WORD_CACHE } from '../../text/words/query.ts'
import type { Goal, GoalTerm } from '../rank/goal.ts'
import { partsOf, wordsOf } from '../../text/words/scan-words.ts'
import { stemOf } from '../../text/words/stem.ts'
import { wordSet } from '../../text/words/word-lists.ts'
import type { JsonDocument } from '../../text/tree/json-document.ts'

/** Words for the whole document ("… in this clinical trial record"). */
const CONTEXT = 0.3
/** Words uninformative in prose but field names here ("name", "type", "amount"). */
const FIELD = 0.9
const DENIED = 0.02
const NEGATION =
  /\b(?:not|isn't|aren't|wasn't|weren't|except|other than)\s+(?:yet |in |the |a |an |being |been )*/gi
/** More distinct keys are ids, not field names. */
const MOST_KEYS = 5000

export interface FittedGoal extends Goal {
  /** Term ids of a negated word ("not running"). */
  readonly denied: readonly number[]
}

/** Field names count, words for the whole document count less. */
export function fitGoal(goal: Goal, document: JsonDocument): FittedGoal {
  return findDenied(softenContext(countFields(goal, document)))
}

function countFields(goal: Goal, document: JsonDocument): Goal {
  const known = new Set(goal.words)
  const isLight = (term: GoalTerm): boolean => term.kind === 'light' && term.weight < FIELD
  // The first word is an instruction ("Name the …", "List …"), not a field.
  const left = wordsOf(goal.text)
    .slice(1)
    .map(foldWord)
    .filter((word) => !known.has(word) && !wordSet('en', 'function').has(word))
  const light = goal.terms.filter(isLight).map(({ text }) => text)
  if (left.length === 0 && light.length === 0) return goal
  const fields = fieldsAmong(new Set([...light, ...left.map((word) => stemOf(word))]), document)
  const raised = goal.terms.map((term) =>
    isLight(term) && fields.has(term.text) ? { ...term, weight: FIELD } : term,
  )
  const dropped = left.filter((word) => fields.has(stemOf(word)))
  return dropped.length === 0 ? { ...goal, terms: raised } : withWords({ ...goal, terms: raised }, dropped)
}

function fieldsAmong(stems: ReadonlySet<string>, document: JsonDocument): Set<string> {
  const fields = new Set<string>()
  for (const name of document.keyNames.slice(0, MOST_KEYS)) {
    if (fields.size === stems.size) break
    for (const word of wordsOf(name))
      for (const part of [word, ...partsOf(word)]) {
        const stem = stemOf(foldWord(part))
        if (stems.has(stem)) fields.add(stem)
      }
  }
  return fields
}

/** The goal with words restored that were dropped as uninformative. */
function withWords(goal: Goal, words: readonly string[]): Goal {
  const added = parseGoal(words.join(' '))
  const before = goal.terms.length
  const terms = [
    ...goal.terms,
    ...added.terms.map((term): GoalTerm => ({ ...term, weight: Math.min(term.weight, FIELD) })),
  ]
  const pairs = new Set<number>()
  for (const pair of goal.pairs) pairs.add(Math.floor(pair / before) * terms.length + (pair % before))
  const beginnings = goal.beginnings.slice()
  for (let place = 0; place < beginnings.length; place++)
    if (added.beginnings[place] === 1) beginnings[place] = 1
  const found = new Map<string, readonly number[]>()
  return {
    ...goal,
    terms,
    pairs,
    words: [...goal.words, ...added.words],
    termsOf(word) {
      let ids = found.get(word)
      if (ids === undefined) {
        ids = [...goal.termsOf(word), ...added.termsOf(word).map((id) => id + before)]
        if (found.size < WORD_CACHE) found.set(word, ids)
      }
      return ids
    },
    beginnings,
  }
}

/** "… in this clinical trial record" is the whole document. */
function softenContext(goal: Goal): Goal {
  const [phrase] = [...goal.text.matchAll(/\s(?:in|of|from|for|within|about) (?:this|these) /gi)].slice(-1)
  if (phrase === undefined) return goal
  const asked = stemsIn(goal.text.slice(0, phrase.index))
  const context = stemsIn(goal.text.slice(phrase.index))
  return soften(goal, CONTEXT, (text) => context.has(text) && !asked.has(text))
}

/** "pods that are not running" requests what differs from the named value. */
function findDenied(goal: Goal): FittedGoal {
  const [phrase] = [...goal.text.matchAll(NEGATION)].slice(-1)
  if (phrase === undefined) return { ...goal, denied: [] }
  const [word = ''] = wordsOf(goal.text.slice(phrase.index + phrase[0].length))
  const stems = stemsIn(word)
  const isDenied = ({ text, kind }: GoalTerm): boolean => stems.has(text) && kind !== 'synonym'
  const denied = goal.terms.flatMap((term, id) => (isDenied(term) ? [id] : []))
  return { ...soften(goal, DENIED, (text) => stems.has(text)), denied }
}

const soften = (goal: Goal, factor: number, which: (text: string) => boolean): Goal => ({
  ...goal,
  terms: goal.terms.map((term) => (which(term.text) ? { ...term, weight: term.weight * factor } : term)),
})

const stemsIn = (text: string): Set<string> =>
  new Set(wordsOf(text).flatMap((word) => [foldWord(word), stemOf(foldWord(word))]))
