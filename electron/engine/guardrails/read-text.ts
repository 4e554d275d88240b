import { decodePayloads, type Payload } from './decode-payloads.ts'
import { foldText, type FoldedText } from './fold-text.ts'
import { NOT_ASCII, traitsOf } from './text-traits.ts'

export interface TextReading {
  /** Bits of text-traits.ts. */
  readonly traits: number
  readonly folded: FoldedText | undefined
  readonly payloads: readonly Payload[]
}

export const readText = (text: string): TextReading => ({
  ...readCharacters(text),
  payloads: decodePayloads(text),
})

/** Input of the phrase search. */
export function readCharacters(text: string): Pick<TextReading, 'traits' | 'folded'> {
  const traits = traitsOf(text)
  return { traits, folded: (traits & NOT_ASCII) === 0 ? undefined : foldText(text) }
}
