import { once } from 'node:events'
import { StringDecoder } from 'node:string_decoder'
import type { Readable, Writable } from 'node:stream'
import type { CustomPattern, PersonalDataType } from '../../../shared/masking-policy.ts'
import { messageOf } from '../errors.ts'
import { findInTexts } from './find-in-texts.ts'
import { replaceSpans } from './mask-texts.ts'
import type { Span } from './personal-data.ts'
import { countFromOne, Vault } from './vault.ts'

export interface BulkMaskOptions {
  readonly types: readonly PersonalDataType[]
  readonly customPatterns?: Readonly<Record<string, CustomPattern>>
  /** Milliseconds from any point in time, e.g. performance.now. */
  readonly now: () => number
}

export interface MaskedText {
  readonly text: string
  readonly spans: readonly Span[]
}

/** One text by itself, its stand-ins counted from 1. */
export function maskText(
  text: string,
  { types, customPatterns = {} }: Omit<BulkMaskOptions, 'now'>,
): MaskedText {
  const vault = new Vault(countFromOne())
  const [spans = []] = findInTexts({ texts: [{ text }], types, customPatterns, names: [], known: [] })
  return { text: replaceSpans(text, spans, ({ type, value }) => vault.placeholderFor(type, value)), spans }
}

/**
 * Masks JSON lines {id, text} from one stream to the other, as {id, text, spans, ms}; a line that is not such a request is
 * answered with {id, error}. Every text has stand-ins of its own. Waits for a slow reader.
 */
export async function maskBulk(input: Readable, output: Writable, options: BulkMaskOptions): Promise<void> {
  for await (const line of linesOf(input)) {
    if (line.trim() === '') continue
    if (!output.write(`${JSON.stringify(answer(line, options))}\n`)) await once(output, 'drain')
  }
}

function answer(line: string, options: BulkMaskOptions): Record<string, unknown> {
  let id: unknown = null
  try {
    const request: unknown = JSON.parse(line)
    if (typeof request !== 'object' || request === null)
      throw new Error('Expected an object {id, text} on each line.')
    id = 'id' in request ? request.id : null
    const text = 'text' in request ? request.text : undefined
    if (typeof text !== 'string') throw new Error('"text" must be a string: the text to mask.')
    const start = options.now()
    const masked = maskText(text, options)
    return { id, ...masked, ms: options.now() - start }
  } catch (error) {
    return { id, error: messageOf(error) }
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
