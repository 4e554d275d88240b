import { type JoinedTexts, textsOf } from '../joined-texts.ts'
import { countTokens } from './count-tokens.ts'
import { measureTokens } from './measure-tokens.ts'

/** Longer texts are estimated: a second to count 50 MB would decide nothing. Characters. */
const COUNTED_EXACTLY = 1_000_000

/** Tokens of a text: exact up to a million characters, above an estimate, usually within one or two percent. */
export const tokensOf = (text: string): number =>
  text.length <= COUNTED_EXACTLY ? countTokens(text) : measureTokens(text)

/** Tokens of each document, its texts counted separately. */
export const measureTexts = (documents: readonly JoinedTexts[]): number[] =>
  documents.map((document) => {
    let sum = 0
    for (const text of textsOf(document)) sum += tokensOf(text)
    return sum
  })
