import { type JoinedTexts, textsOf } from '../joined-texts.ts'
import { countTokens } from './count-tokens.ts'
import { measureTokens } from './measure-tokens.ts'

/** Characters; a second to count 50 MB would decide nothing. */
const COUNTED_EXACTLY = 1_000_000

/** Exact up to a million characters, above estimated, usually within one or two percent. */
export const tokensOf = (text: string): number =>
  text.length <= COUNTED_EXACTLY ? countTokens(text) : measureTokens(text)

/** A document's texts are counted separately. */
export const measureTexts = (documents: readonly JoinedTexts[]): number[] =>
  documents.map((document) => {
    let sum = 0
    for (const text of textsOf(document)) sum += tokensOf(text)
    return sum
  })
