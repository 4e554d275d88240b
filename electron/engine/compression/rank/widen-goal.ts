import { parseGoal, type Goal } from './goal.ts'

/** Adds words (a text; '' for none) at a lower weight: technical terms for everyday words. */
export function widenGoal(goal: Goal, words: string, weight: number): Goal {
  if (words === '') return goal
  const wide = parseGoal(`${goal.text}\n${words}`)
  const own = new Map(goal.terms.map((term) => [`${term.kind} ${term.text}`, term]))
  const ownText = new Map(goal.terms.map((term) => [term.text, term]))
  const terms = wide.terms.map((term) => {
    const known = own.get(`${term.kind} ${term.text}`) ?? ownText.get(term.text)
    return known ?? { ...term, weight: term.weight * weight }
  })
  const place = new Map(wide.terms.map((term, id) => [`${term.kind} ${term.text}`, id]))
  const placeOf = (id: number): number | undefined => {
    const term = goal.terms[id]
    return term && place.get(`${term.kind} ${term.text}`)
  }
  const pairs = new Set<number>()
  for (const pair of goal.pairs) {
    const first = placeOf(Math.floor(pair / goal.terms.length))
    const second = placeOf(pair % goal.terms.length)
    if (first !== undefined && second !== undefined) pairs.add(first * terms.length + second)
  }
  return { ...goal, termsOf: (word) => wide.termsOf(word), beginnings: wide.beginnings, terms, pairs }
}
