import { fill, readPhrases, type Random } from './phrase-maker.ts'

const phrases = readPhrases('requests.txt')

/**
 * What people ordinarily ask an assistant, written for this purpose. As a whole text such a request is no attack: it
 * only teaches the classifier that asking, telling a story or playing a part are not by themselves an injection.
 */
export function makeOrdinaryRequest(random: Random): string {
  const kind = random()
  const list = kind < 0.4 ? 'questions' : kind < 0.65 ? 'tasks' : 'role_play'
  return fill(phrases[list], phrases, random)
}
