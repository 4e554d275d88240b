import { once } from 'node:events'
import { StringDecoder } from 'node:string_decoder'
import type { Readable, Writable } from 'node:stream'
import { messageOf } from '../errors.ts'
import type { CompressText } from './compress-text.ts'
import { CONTENT_KINDS, type ContentKind } from './strategy.ts'

export interface BulkOptions {
  readonly compress: CompressText
  /** Milliseconds from any point in time, e.g. performance.now. */
  readonly now: () => number
}

interface BulkRequest {
  readonly id: unknown
  readonly text: string
  readonly goal: string | undefined
  readonly budget: number
  readonly kind: ContentKind | undefined
  readonly lossless: boolean
}

/**
 * Compresses JSON lines {id, text, goal?, budget, kind?, lossless?} from one stream to the other, as {id, text, tokensBefore,
 * tokensAfter, strategy, ms}; a line that is not such a request is answered with {id, error}. Waits for a slow reader.
 */
export async function compressBulk(input: Readable, output: Writable, options: BulkOptions): Promise<void> {
  for await (const line of linesOf(input)) {
    if (line.trim() === '') continue
    if (!output.write(`${JSON.stringify(answer(line, options))}\n`)) await once(output, 'drain')
  }
}

function answer(line: string, { compress, now }: BulkOptions): Record<string, unknown> {
  let id: unknown = null
  try {
    const value = parseObject(line)
    id = value.id
    const request = toRequest(value)
    const start = now()
    const { text, tokensBefore, tokensAfter, strategy } = compress(request)
    return { id, text, tokensBefore, tokensAfter, strategy, ms: now() - start }
  } catch (error) {
    return { id, error: messageOf(error) }
  }
}

type UncheckedRequest = Partial<Record<keyof BulkRequest, unknown>>

function parseObject(line: string): UncheckedRequest {
  const value: unknown = JSON.parse(line)
  if (typeof value !== 'object' || value === null)
    throw new Error('Expected an object {id, text, budget, …} on each line.')
  return value
}

function toRequest({ id, text, goal, budget, kind, lossless }: UncheckedRequest): BulkRequest {
  if (typeof text !== 'string') throw new Error('"text" must be a string: the text to compress.')
  if (typeof budget !== 'number')
    throw new Error('"budget" must be a number: how many tokens the answer may have.')
  return {
    id,
    text,
    goal: typeof goal === 'string' ? goal : undefined,
    budget,
    kind: CONTENT_KINDS.find((known) => known === kind),
    lossless: lossless === true,
  }
}

/** Lines end at \n only: readline would also cut at U+2028, which JSON leaves unescaped. */
async function* linesOf(input: Readable): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let pieces: string[] = []
  for await (const chunk of input) {
    const parts = (typeof chunk === 'string' ? chunk : decoder.write(chunk)).split('\n')
    for (const [i, part] of parts.entries()) {
      pieces.push(part)
      if (i === parts.length - 1) break
      yield pieces.join('')
      pieces = []
    }
  }
  pieces.push(decoder.end())
  yield pieces.join('')
}
