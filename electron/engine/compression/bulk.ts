import type { Readable, Writable } from 'node:stream'
import { answerJsonLines, type JsonLine } from '../ground/json-lines.ts'
import type { ShortenOutput } from './treatment.ts'
import type { CompressTextInput } from './compress-text.ts'
import { CONTENT_KINDS, type ContentKind } from '../text/kinds/content-kinds.ts'

export interface BulkOptions {
  readonly compress: (input: CompressTextInput) => ShortenOutput | Promise<ShortenOutput>
  /** Milliseconds since any origin, e.g. performance.now. */
  readonly now: () => number
}

interface BulkRequest {
  readonly text: string
  readonly goal: string | undefined
  readonly request: string | undefined
  readonly budget: number
  readonly kind: ContentKind | undefined
  readonly lossless: boolean
}

/**
 * Answers JSON lines {id, text, goal?, request?, budget, kind?, lossless?} with {id, text, tokensBefore, tokensAfter, strategy,
 * note?, ms}; invalid ones with {id, error}.
 */
export const compressBulk = (
  input: Readable,
  output: Writable,
  { compress, now }: BulkOptions,
): Promise<void> =>
  answerJsonLines(input, output, async (line) => {
    const request = toRequest(line)
    const start = now()
    const { text, tokensBefore, tokensAfter, strategy, note } = await compress(request)
    return { text, tokensBefore, tokensAfter, strategy, note, ms: now() - start }
  })

function toRequest({ text, goal, request, budget, kind, lossless }: JsonLine): BulkRequest {
  if (typeof text !== 'string') throw new Error('"text" must be a string: the text to compress.')
  if (typeof budget !== 'number')
    throw new Error('"budget" must be a number: how many tokens the answer may have.')
  return {
    text,
    goal: typeof goal === 'string' ? goal : undefined,
    request: typeof request === 'string' ? request : undefined,
    budget,
    kind: CONTENT_KINDS.find((known) => known === kind),
    lossless: lossless === true,
  }
}
