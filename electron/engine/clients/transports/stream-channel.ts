import type { Readable, Writable } from 'node:stream'
import { messageOf, SluiceError } from '../../ground/errors.ts'
import type { MessageChannel } from '../../protocol/channel.ts'
import { keepIds, parseMessage, stringifyMessage } from '../../protocol/exact-message.ts'
import type { JsonObject, JsonRpcMessage, RequestId } from '../../protocol/json-rpc.ts'
import {
  isFailure,
  isJsonObject,
  isNotification,
  isRequest,
  isResult,
  RpcErrorCode,
} from '../../protocol/json-rpc.ts'
import type { LargeLine, OversizedLine } from '../../protocol/line-reader.ts'
import { LineReader } from '../../protocol/line-reader.ts'
import { createLineWriter, type LineWriter } from '../../protocol/line-writer.ts'
import { salvageId } from '../../protocol/salvage-id.ts'
import { waitForDrain } from '../../protocol/wait-for-drain.ts'
import { isWrittenInTurns, writeInTurns } from '../../protocol/write-in-turns.ts'
import type { ParseLarge } from '../../work/large-messages.ts'
import { largestNear } from '../../work/near.ts'
import { BatchReplies } from './batch-replies.ts'

export interface StreamChannelOptions {
  readonly input: Readable
  readonly output: Writable
  readonly maxMessageBytes: number
  readonly graceMs?: number
  /** In another thread; default: here, blocking. */
  readonly parseLarge?: ParseLarge | undefined
}

/** MCP's stdio framing: one JSON-RPC message per line. Ends the output on close. */
export class StreamChannel implements MessageChannel {
  onmessage?: ((message: JsonRpcMessage) => void) | undefined
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined

  readonly #options: StreamChannelOptions
  readonly #reader: LineReader
  readonly #batches = new BatchReplies()
  readonly #unanswered = new Set<RequestId>()
  readonly #drained: () => Promise<void>
  readonly #writer: LineWriter
  readonly #backlog: (Buffer | LargeLine)[] = []
  #isDraining = false
  /** Waiting for, or written in, pieces: nothing may come between. */
  #writing: Promise<void> | undefined
  #graceTimer: NodeJS.Timeout | undefined
  #probeTimer: NodeJS.Timeout | undefined
  #inputEnded = false
  #closed = false

  constructor(options: StreamChannelOptions) {
    this.#options = options
    this.#drained = waitForDrain(options.output)
    this.#writer = createLineWriter(options.output, this.#drained)
    this.#reader = new LineReader({
      maxLineBytes: options.maxMessageBytes,
      onLine: (line) => this.#receiveLine(line),
      onOversized: (line) => this.#refuseOversized(line),
      ...(options.parseLarge && {
        large: { from: largestNear('parse'), onLine: (line: LargeLine) => this.#wait(line) },
      }),
    })
  }

  async start(): Promise<void> {
    const { input, output } = this.#options
    input.on('data', this.#onData)
    input.once('end', this.#onInputEnd)
    input.once('close', this.#onInputEnd)
    input.on('error', this.#onStreamError)
    output.once('close', this.#onOutputClose)
    output.on('error', this.#onStreamError)
    if (input.readableEnded || input.destroyed) this.#onInputEnd()
    else input.resume()
  }

  async send(message: JsonRpcMessage): Promise<void> {
    if (this.#closed) throw new Error('The connection is closed.')
    if (!isResult(message) && !isFailure(message)) return this.#write(message)
    const { id } = message
    if (id === undefined || id === null) return this.#write(message)
    const batch = this.#batches.collect(id, message)
    const writing = batch === 'held' ? undefined : this.#write(batch ?? message)
    if (writing) await writing
    this.#settle(id)
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    clearTimeout(this.#graceTimer)
    clearInterval(this.#probeTimer)
    const { input, output } = this.#options
    input.off('data', this.#onData)
    input.pause()
    this.#writer.flush()
    const end = (): void => {
      if (!output.destroyed) output.end()
    }
    // Completes the current message.
    if (this.#writing) void this.#writing.then(end, end)
    else end()
    this.onclose?.()
  }

  readonly #onData = (chunk: Buffer): void => this.#reader.push(chunk)

  readonly #onInputEnd = (): void => {
    if (this.#inputEnded || this.#closed) return
    this.#inputEnded = true
    this.#reader.end()
    this.#graceTimer = setTimeout(() => void this.close(), this.#options.graceMs ?? 0)
    this.#probeTimer = setInterval(() => this.#probe(), PROBE_MS)
    this.#closeWhenAnswered()
  }

  /**
   * A half-closed and a killed client look alike until a write. A space is ignored by JSON parsers and fails if the
   * client is gone.
   */
  #probe(): void {
    const { output } = this.#options
    if (this.#writing || !output.writable || output.writableNeedDrain) return
    this.#writer.flush()
    output.write(' ')
  }

  readonly #onOutputClose = (): void => void this.close()

  readonly #onStreamError = (error: Error): void => {
    if (!this.#closed) this.onerror?.(error)
    void this.close()
  }

  #receiveLine(line: Buffer): void {
    if (this.#closed || isBlank(line)) return
    if (this.#isDraining) this.#wait(line)
    else this.#receiveParsed(parse(line))
  }

  #wait(line: Buffer | LargeLine): void {
    this.#backlog.push(line)
    if (!this.#isDraining) void this.#drain()
  }

  async #drain(): Promise<void> {
    const { input, parseLarge } = this.#options
    this.#isDraining = true
    input.pause()
    for (let line = this.#backlog.shift(); line && !this.#closed; line = this.#backlog.shift()) {
      if (Buffer.isBuffer(line)) this.#receiveParsed(parse(line))
      else if (parseLarge) this.#receiveParsed(await parseElsewhere(line, parseLarge), line)
    }
    this.#isDraining = false
    if (this.#closed) return
    if (this.#inputEnded) this.#closeWhenAnswered()
    else input.resume()
  }

  #receiveParsed(parsed: Parsed, line?: LargeLine): void {
    if (this.#closed) return
    if ('error' in parsed)
      this.#refuse(
        (parsed.isSound && line ? salvageId(line) : undefined) ?? null,
        RpcErrorCode.parse,
        `Parse error: ${parsed.error}`,
      )
    else if (Array.isArray(parsed.value)) this.#receiveBatch(parsed.value)
    else if (isMessage(parsed.value)) this.#deliver(parsed.value)
    else this.#refuse(idOf(parsed.value), RpcErrorCode.invalidRequest, NO_MESSAGE)
  }

  #receiveBatch(elements: readonly unknown[]): void {
    if (elements.length === 0) {
      this.#refuse(null, RpcErrorCode.invalidRequest, 'Invalid request: the batch is empty.')
      return
    }
    const messages = elements.filter(isMessage)
    const refused = elements
      .filter((element) => !isMessage(element))
      .map((element) => failure(idOf(element), RpcErrorCode.invalidRequest, NO_MESSAGE))
    const requests = messages.filter(isRequest)
    if (requests.length > 0)
      this.#batches.begin(
        requests.map(({ id }) => id),
        refused,
      )
    else if (refused.length > 0) this.#reply(refused)
    for (const message of messages) this.#deliver(message)
  }

  #deliver(received: JsonRpcMessage): void {
    const message = withoutNull(received)
    if (isRequest(message)) this.#unanswered.add(message.id)
    this.onmessage?.(message)
    if (isNotification(message) && message.method === 'notifications/cancelled')
      this.#cancelled(message.params?.['requestId'])
  }

  /** Cancelled requests get no answer. */
  #cancelled(id: unknown): void {
    if (typeof id !== 'string' && typeof id !== 'number') return
    const batch = this.#batches.cancel(id)
    if (batch && batch !== 'held' && batch.length > 0) this.#reply(batch)
    this.#settle(id)
  }

  #refuseOversized(line: OversizedLine): void {
    const { maxMessageBytes } = this.#options
    const text = `This message has ${line.bytes} bytes; ${maxMessageBytes} are allowed (limits.maxMessageBytes in config.json). It was not read.`
    this.onerror?.(new Error(text))
    this.#refuse(salvageId(line) ?? null, RpcErrorCode.invalidRequest, text)
  }

  #refuse(id: RequestId | null, code: number, text: string): void {
    this.#reply(failure(id, code, text))
  }

  #reply(reply: JsonRpcMessage | readonly JsonRpcMessage[]): void {
    Promise.try(() => this.#write(reply)).catch((error: unknown) =>
      this.onerror?.(new Error(messageOf(error))),
    )
  }

  #settle(id: RequestId): void {
    this.#unanswered.delete(id)
    this.#closeWhenAnswered()
  }

  #closeWhenAnswered(): void {
    if (this.#inputEnded && !this.#isDraining && this.#unanswered.size === 0) void this.close()
  }

  /** Undefined: taken at once. */
  #write(message: JsonRpcMessage | readonly JsonRpcMessage[]): Promise<void> | undefined {
    const { output } = this.#options
    if (!output.writable) throw new Error('The other side no longer reads.')
    if (this.#writing || isWrittenInTurns(message)) return this.#writeInTurns(message)
    return this.#writer.write(stringifyMessage(message))
  }

  async #writeInTurns(message: JsonRpcMessage | readonly JsonRpcMessage[]): Promise<void> {
    this.#writer.flush()
    const before = this.#writing
    const write = async (): Promise<void> => {
      await before?.catch(() => {})
      await writeInTurns(this.#options.output, message, this.#drained)
    }
    const written = write()
    this.#writing = written
    try {
      await written
    } finally {
      if (this.#writing === written) this.#writing = undefined
    }
  }
}

const PROBE_MS = 200
const NO_MESSAGE = 'Invalid request: this is not a JSON-RPC 2.0 message.'

const failure = (id: RequestId | null, code: number, message: string): JsonRpcMessage => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})

const isBlank = (line: Buffer): boolean => line.length < 80 && line.toString().trim() === ''

type Parsed = { readonly value: unknown } | { readonly error: string; readonly isSound?: boolean }

async function parseElsewhere({ pieces }: LargeLine, parseLarge: ParseLarge): Promise<Parsed> {
  try {
    const value = await parseLarge(pieces)
    keepIds(value)
    return { value }
  } catch (error) {
    // Invalid JSON has no reliable id.
    return { error: messageOf(error), isSound: error instanceof SluiceError }
  }
}

function parse(line: Buffer): Parsed {
  try {
    const value = parseMessage(line.toString())
    return { value }
  } catch (error) {
    return { error: messageOf(error) }
  }
}

/** Checks the outline only. */
const isMessage = (value: unknown): value is JsonRpcMessage =>
  isJsonObject(value) && value['jsonrpc'] === '2.0' && (isCalled(value) || isAnswer(value))

/** Some clients write `id: null` in notifications. */
const isCalled = ({ id, method, params }: JsonObject): boolean =>
  typeof method === 'string' &&
  (params === undefined || params === null || isJsonObject(params)) &&
  (id === undefined || idOf({ id }) !== null || (id === null && method.startsWith('notifications/')))

/** Some clients write `params: null`. */
function withoutNull(message: JsonRpcMessage): JsonRpcMessage {
  if (!('params' in message) || (message.params as unknown) !== null) return message
  const { params: _null, ...rest } = message
  return rest
}

const isAnswer = ({ id, method, result, error }: JsonObject): boolean =>
  method === undefined &&
  (id === undefined || id === null || idOf({ id }) !== null) &&
  (isJsonObject(result) || isJsonObject(error))

const idOf = (value: unknown): RequestId | null => {
  const id = isJsonObject(value) ? value['id'] : undefined
  return typeof id === 'string' || typeof id === 'number' ? id : null
}
