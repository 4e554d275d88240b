import { decodePayloads, type Payload } from './decode-payloads.ts'
import { foldText, type FoldedText } from './fold-text.ts'
import { NOT_ASCII, traitsOf } from './text-traits.ts'

/** What every detector needs to know of a text. */
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

/** What phrases are looked for by. */
export function readCharacters(text: string): Pick<TextReading, 'traits' | 'folded'> {
  const traits = traitsOf(text)
  return { traits, folded: (traits & NOT_ASCII) === 0 ? undefined : foldText(text) }
}
