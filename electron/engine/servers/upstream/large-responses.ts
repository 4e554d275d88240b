import { keepIds, readMessage } from '../../protocol/exact-message.ts'
import type { JsonRpcMessage, RequestId } from '../../protocol/json-rpc.ts'
import { RpcErrorCode } from '../../protocol/json-rpc.ts'
import { LineReader } from '../../protocol/line-reader.ts'
import type { LargeLine, OversizedLine } from '../../protocol/line-reader.ts'
import { salvageId } from '../../protocol/salvage-id.ts'
import { PlaceholderMessages } from '../../protocol/placeholder-messages.ts'
import type { ParseLarge } from '../../work/large-messages.ts'
import { tooLarge } from '../../work/large-messages.ts'
import { isNear, largestNear } from '../../work/near.ts'
import { ReadingRoom, type Place } from '../../work/reading-room.ts'

export interface LargeResponsesOptions {
  readonly fetch: typeof fetch
  readonly maxMessageBytes: number
  readonly parseLarge: ParseLarge
  /** Shared by servers. */
  readonly room?: ReadingRoom | undefined
  readonly onAnswerLost: (id: RequestId, error: Error) => void
}

const DATA = 'data:'

/**
 * The SDK's HTTP transports parse answers on the main thread and without limit. This parses before them, large
 * messages in a worker, gives the transport a small placeholder and swaps it back; oversized answers become an error
 * of their request.
 */
export class LargeResponses {
  readonly #options: LargeResponsesOptions
  readonly #standIns = new PlaceholderMessages()
  readonly #room: ReadingRoom

  constructor(options: LargeResponsesOptions) {
    this.#options = options
    this.#room = options.room ?? new ReadingRoom()
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

  restore(message: JsonRpcMessage): JsonRpcMessage {
    return this.#standIns.restore(message)
  }

  async #json(body: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
    const { maxMessageBytes } = this.#options
    const chunks: Uint8Array[] = []
    const place = this.#room.place()
    let bytes = 0
    try {
      for await (const chunk of body) {
        bytes += chunk.length
        if (bytes > maxMessageBytes) throw tooLarge(bytes, maxMessageBytes)
        chunks.push(chunk)
        await place.read(bytes)
      }
      if (isNear('parse', bytes)) return this.#placeholder(Buffer.concat(chunks, bytes))
      place.parse(bytes)
      return await this.#largePlaceholder(chunks)
    } finally {
      place.leave()
    }
  }

  #events(): TransformStream<Uint8Array, Uint8Array> {
    const lines: (Buffer | LargeLine | OversizedLine)[] = []
    const reader = new LineReader({
      maxLineBytes: this.#options.maxMessageBytes,
      onLine: (line) => lines.push(line),
      onOversized: (line) => lines.push(line),
      large: { from: largestNear('parse'), onLine: (line) => lines.push(line) },
    })
    const place = this.#room.place()
    const flush = async (controller: TransformStreamDefaultController<Uint8Array>): Promise<void> => {
      try {
        for (const line of lines.splice(0)) controller.enqueue(await this.#line(line, place))
      } catch (error) {
        place.leave()
        throw error
      }
    }
    return new TransformStream({
      transform: async (chunk, controller) => {
        reader.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
        await flush(controller)
        await place.read(reader.unfinishedBytes)
      },
      flush: async (controller) => {
        reader.end()
        await flush(controller)
        place.leave()
      },
      cancel: () => place.leave(),
    })
  }

  async #line(line: Buffer | LargeLine | OversizedLine, place: Place): Promise<Uint8Array> {
    const lineFeed = Buffer.from('\n')
    if (Buffer.isBuffer(line)) {
      const isData = line.toString('latin1', 0, DATA.length) === DATA
      const shown = isData
        ? Buffer.concat([Buffer.from(DATA), this.#placeholder(line.subarray(DATA.length))])
        : line
      return Buffer.concat([shown, lineFeed])
    }
    if (!('pieces' in line)) return Buffer.from(`${DATA}${this.#refuse(line)}\n`)
    if (line.head.toString('latin1', 0, DATA.length) !== DATA)
      return Buffer.concat([...line.pieces, lineFeed])
    place.parse(line.bytes)
    const placeholder = await this.#largePlaceholder(withoutFirst(DATA.length, line.pieces))
    return Buffer.concat([Buffer.from(DATA), placeholder, lineFeed])
  }

  async #largePlaceholder(pieces: readonly Uint8Array[]): Promise<Buffer<ArrayBuffer>> {
    const message = await this.#options.parseLarge(pieces)
    keepIds(message)
    return Buffer.from(JSON.stringify(this.#standIns.of(message)))
  }

  /** Other content stays: sign-in answers, multi-line events. */
  #placeholder<Bytes extends Buffer>(json: Bytes): Bytes | Buffer<ArrayBuffer> {
    const message = readMessage(json.toString())
    const shown = this.#standIns.of(message)
    return shown === message ? json : Buffer.from(JSON.stringify(shown))
  }

  /** Without an error the transport would reconnect the stream. */
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
