import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { messageOf } from './errors.ts'

export type JsonLine = Readonly<Record<string, unknown>>

type Fields = Readonly<Record<string, unknown>>
type Answer = (request: JsonLine) => Fields | Promise<Fields>

/**
 * Answers have their request's `id`; {id, error} if it isn't an object, or `answer` rejects. Waits for a slow reader.
 */
export async function answerJsonLines(input: Readable, output: Writable, answer: Answer): Promise<void> {
  for await (const line of linesOf(input)) {
    if (line.trim() === '') continue
    if (!output.write(`${JSON.stringify(await answerLine(line, answer))}\n`)) await once(output, 'drain')
  }
}

async function answerLine(line: string, answer: Answer): Promise<Record<string, unknown>> {
  let id: unknown = null
  try {
    const request: unknown = JSON.parse(line)
    if (typeof request !== 'object' || request === null || Array.isArray(request)) {
      throw new Error('Expected an object {id, text, …} on each line.')
    }
    id = 'id' in request ? request.id : undefined
    return { id, ...(await answer(request as JsonLine)) }
  } catch (error) {
    return { id, error: messageOf(error) }
  }
}

/** At \n only: readline also splits at U+2028, which JSON leaves unescaped. */
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
