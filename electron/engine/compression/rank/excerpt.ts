import { countTerms } from '../../text/words/count-terms.ts'
import { cutAtWord, isBorder, withMark } from '../lines/cut-line.ts'
import type { Goal } from './goal.ts'

/** Of what is shown: the part that fits the goal. */
const WINDOW = 0.56
const LONGEST_SEARCHED = 60_000

/** The beginning of a text longer than `longest` and the part with most of the goal's words. */
export function excerpt(text: string, longest: number, goal: Goal | undefined): string {
  if (text.length <= longest || goal === undefined) return withMark(text, longest)
  const window = Math.round(WINDOW * longest)
  let best = 0
  let place = 0
  const end = Math.min(text.length, LONGEST_SEARCHED)
  for (let at = 0; at < end; at += Math.ceil(window / 2)) {
    const { counts } = countTerms(text, goal, at, Math.min(text.length, at + window))
    const found =
      counts?.reduce((sum, count, term) => sum + (count > 0 ? (goal.terms[term]?.weight ?? 0) : 0), 0) ?? 0
    if (found > best) {
      best = found
      place = at
    }
  }
  if (best === 0 || place + window <= longest) return withMark(text, longest)
  while (place < end && !isBorder(text.charCodeAt(place))) place++
  return `${cutAtWord(text, longest - window)}… …${withMark(text.slice(place), window)}`
}
