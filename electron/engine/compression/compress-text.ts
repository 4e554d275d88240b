import type { ContentKind } from './strategy.ts'

export interface CompressTextInput {
  readonly text: string
  readonly goal?: string | undefined
  /** Tokens (o200k_base) of the whole answer, header line included. */
  readonly budget: number
  /** Overrides detection. */
  readonly kind?: ContentKind | undefined
  /** Forces one strategy by name, e.g. 'preview'. */
  readonly strategy?: string | undefined
  /** Ask for a form from which everything can be rebuilt, at any budget. */
  readonly lossless?: boolean | undefined
  /** Id under which the original is kept; named in the header together with the way back. */
  readonly resultId?: string | undefined
}

export interface CompressTextOutput {
  /** What a model gets, header line included; the input itself when nothing shorter was found. */
  readonly text: string
  readonly strategy: string
  readonly kind: ContentKind
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly omitted: string | undefined
  readonly lossless: boolean
}

export type CompressText = (input: CompressTextInput) => CompressTextOutput
