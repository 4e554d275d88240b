import { once } from 'node:events'
import { StringDecoder } from 'node:string_decoder'
import type { Readable, Writable } from 'node:stream'
import { messageOf } from '../errors.ts'
import type { ScanText } from './scan-text.ts'

export interface BulkScanOptions {
  readonly scan: ScanText
  /** Milliseconds from any point in time, e.g. performance.now. */
  readonly now: () => number
}

/**
 * Scans JSON lines {id, text} from one stream to the other, as {id, verdict, score, reasons, ms}; a line that is not
 * such a request is answered with {id, error}. Waits for a slow reader.
 */
export async function bulkScan(input: Readable, output: Writable, options: BulkScanOptions): Promise<void> {
  for await (const line of linesOf(input)) {
    if (line.trim() === '') continue
    if (!output.write(`${JSON.stringify(answer(line, options))}\n`)) await once(output, 'drain')
  }
}

function answer(line: string, { scan, now }: BulkScanOptions): Record<string, unknown> {
  let id: unknown = null
  try {
    const request: unknown = JSON.parse(line)
    if (typeof request !== 'object' || request === null)
      throw new Error('Expected an object {id, text} on each line.')
    if ('id' in request) id = request.id
    if (!('text' in request) || typeof request.text !== 'string')
      throw new Error('"text" must be a string: the text to scan.')
    const start = now()
    const { verdict, score, reasons } = scan(request.text)
    return { id, verdict, score, reasons, ms: now() - start }
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
