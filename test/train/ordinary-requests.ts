import { fill, readPhrases, type Random } from './phrase-maker.ts'

const phrases = readPhrases('requests.txt')

/**
 * Ordinary requests to an assistant, written for this purpose. They teach the classifier that asking, telling a story
 * or playing a part alone is no injection.
 */
export function makeOrdinaryRequest(random: Random): string {
  const kind = random()
  const list = kind < 0.4 ? 'questions' : kind < 0.65 ? 'tasks' : 'role_play'
  return fill(phrases[list], phrases, random)
}
