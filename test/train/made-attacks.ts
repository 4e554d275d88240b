import { capitalise, fill, pick, readPhrases, type Random } from './phrase-maker.ts'

const phrases = readPhrases('attacks.txt')

/** Attacks composed from phrases written for this purpose, with wordings that no data set has. */
export function makeAttack(random: Random): string {
  const order = makeOrder(random)
  const kind = random()
  if (kind < 0.45) return order
  if (kind < 0.55) return fill(phrases['leaks'], phrases, random)
  if (kind < 0.63) return fill(phrases['personas'], phrases, random)
  return fill(phrases['wrappers'], { ...phrases, order: [order] }, random)
}

/** One instruction that serves the attacker, without context. */
function makeOrder(random: Random): string {
  const kind = random()
  const list = kind < 0.62 ? 'actions' : kind < 0.85 ? 'replies' : 'code'
  const body = fill(phrases[list], phrases, random)
  const opening = pick(phrases['openings'], random)
  const text = opening === '' ? body : `${opening} ${body.charAt(0).toLowerCase()}${body.slice(1)}`
  return capitalise(text) + pick(phrases['endings'], random)
}
