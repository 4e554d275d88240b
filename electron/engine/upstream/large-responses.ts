import type { JsonRpcMessage, RequestId } from '../protocol/json-rpc.ts'
import { isJsonObject, isResult, RpcErrorCode } from '../protocol/json-rpc.ts'
import { LineReader } from '../protocol/line-reader.ts'
import type { LargeLine, OversizedLine } from '../protocol/line-reader.ts'
import { salvageId } from '../protocol/salvage-id.ts'
import type { ParseLarge } from './large-messages.ts'
import { LARGE_BYTES, tooLarge } from './large-messages.ts'

export interface LargeResponsesOptions {
  readonly fetch: typeof fetch
  readonly maxMessageBytes: number
  readonly parseLarge: ParseLarge
  /** The answer to this request came, but cannot be had. */
  readonly onAnswerLost: (id: RequestId, error: Error) => void
}

const DATA = 'data:'
const STAND_IN = 'sluice/large'
const MAX_WAITING = 64

/**
 * The SDK's HTTP transports parse every answer on the main thread and know no limit. Between them and the network,
 * this parses large answers elsewhere, lets the transports see a small stand-in of each, and puts the answer in its
 * place when the stand-in comes out; answers over the limit are turned into an error for the one request.
 */
export class LargeResponses {
  readonly #options: LargeResponsesOptions
  readonly #results = new Map<number, unknown>()
  #nextKey = 1

  constructor(options: LargeResponsesOptions) {
    this.#options = options
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const response = await this.#options.fetch(input, init)
    const type = response.headers.get('content-type') ?? ''
    if (!response.ok || !response.body) return response
    if (/^text\/event-stream\b/i.test(type))
      return copyOf(response, response.body.pipeThrough(this.#events()))
    if (!/^application\/json\b/i.test(type)) return response
    return copyOf(response, await this.#json(response.body))
  }

  /** The message that a stand-in stands for; any other message as it is. */
  restore(message: JsonRpcMessage): JsonRpcMessage {
    const key = isResult(message) ? message.result[STAND_IN] : undefined
    if (!isResult(message) || typeof key !== 'number') return message
    const result = this.#results.get(key)
    this.#results.delete(key)
    return isJsonObject(result) ? { ...message, result } : message
  }

  async #json(body: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
    const { maxMessageBytes } = this.#options
    const chunks: Uint8Array[] = []
    let bytes = 0
    for await (const chunk of body) {
      bytes += chunk.length
      // The request is known to the transport, which rejects it with what is thrown here.
      if (bytes > maxMessageBytes) throw tooLarge(bytes, maxMessageBytes)
      chunks.push(chunk)
    }
    return bytes > LARGE_BYTES ? this.#standIn(chunks) : Buffer.concat(chunks, bytes)
  }

  #events(): TransformStream<Uint8Array, Uint8Array> {
    const lines: (Buffer | LargeLine | OversizedLine)[] = []
    const reader = new LineReader({
      maxLineBytes: this.#options.maxMessageBytes,
      onLine: (line) => lines.push(line),
      onOversized: (line) => lines.push(line),
      large: { from: LARGE_BYTES, onLine: (line) => lines.push(line) },
    })
    const flush = async (controller: TransformStreamDefaultController<Uint8Array>): Promise<void> => {
      for (const line of lines.splice(0)) controller.enqueue(await this.#line(line))
    }
    return new TransformStream({
      transform: (chunk, controller) => {
        reader.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
        return flush(controller)
      },
      flush: (controller) => {
        reader.end()
        return flush(controller)
      },
    })
  }

  async #line(line: Buffer | LargeLine | OversizedLine): Promise<Uint8Array> {
    const lineFeed = Buffer.from('\n')
    if (Buffer.isBuffer(line)) return Buffer.concat([line, lineFeed])
    if (!('pieces' in line)) return Buffer.from(`${DATA}${this.#refuse(line)}\n`)
    if (line.head.toString('latin1', 0, DATA.length) !== DATA)
      return Buffer.concat([...line.pieces, lineFeed])
    const standIn = await this.#standIn(withoutFirst(DATA.length, line.pieces))
    return Buffer.concat([Buffer.from(DATA), standIn, lineFeed])
  }

  async #standIn(pieces: readonly Uint8Array[]): Promise<Buffer<ArrayBuffer>> {
    const message = await this.#options.parseLarge(pieces)
    if (!isJsonObject(message) || !isJsonObject(message['result']))
      return Buffer.from(JSON.stringify(message))
    const key = this.#nextKey++
    this.#results.set(key, message['result'])
    // Left behind by calls that were cancelled just then.
    if (this.#results.size > MAX_WAITING) this.#results.delete(key - MAX_WAITING)
    return Buffer.from(JSON.stringify({ ...message, result: { [STAND_IN]: key } }))
  }

  /** The transport is told of an error too: to it, a stream without an answer would be one to reconnect to. */
  #refuse(line: OversizedLine): string {
    const error = tooLarge(line.bytes, this.#options.maxMessageBytes)
    const head = line.head.subarray(line.head.indexOf('{'))
    const id = salvageId({ head, tail: line.tail })
    if (id === undefined) return '{}'
    this.#options.onAnswerLost(id, error)
    return JSON.stringify({
      jsonrpc: '2.0',
      id,
      error: { code: RpcErrorCode.internal, message: error.message },
    })
  }
}

function withoutFirst(bytes: number, pieces: readonly Buffer[]): Buffer[] {
  let left = bytes
  return pieces.map((piece) => {
    const rest = piece.subarray(left)
    left -= piece.length - rest.length
    return rest
  })
}

const copyOf = (response: Response, body: ConstructorParameters<typeof Response>[0]): Response => {
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  headers.delete('content-encoding')
  return new Response(body, { status: response.status, statusText: response.statusText, headers })
}
