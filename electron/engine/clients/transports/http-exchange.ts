import type { ServerResponse } from 'node:http'
import { stringifyMessage } from '../../protocol/exact-message.ts'
import type { JsonObject, JsonRpcMessage, RequestId } from '../../protocol/json-rpc.ts'
import { HEADER_MISMATCH, RpcErrorCode } from '../../protocol/json-rpc.ts'
import { leftOut, MAY_BE_MISSED, MOST_UNSENT } from '../../protocol/left-out.ts'
import { RequestCancelled } from '../../protocol/peer.ts'
import { bytesInTurns, isWrittenInTurns } from '../../protocol/write-in-turns.ts'
import { sendBody } from './http-message.ts'

/** Also the delay until a silent call becomes a stream: clients abandon responses without headers. */
const KEEP_ALIVE_MS = 15_000
/** In 2026-07-28; other errors are ordinary answers. */
const STATUS_OF: ReadonlyMap<number, number> = new Map([
  [RpcErrorCode.missingClientCapability, 400],
  [HEADER_MISMATCH, 400],
  [RpcErrorCode.methodNotFound, 404],
])

const EVENT_STREAM_HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
}

/** 2026-07-28: JSON, or a stream once a notification precedes the answer. */
export class HttpExchange {
  /** By the client, by hanging up. */
  readonly signal: AbortSignal
  readonly #response: ServerResponse
  readonly #timer: NodeJS.Timeout
  readonly #onLeftOut: ((error: Error) => void) | undefined
  #finished = false
  /** Also during writing. */
  #isAnswering = false
  /** Notifications since the client stopped reading. */
  #unread = 0

  constructor(
    response: ServerResponse,
    {
      keepAliveMs = KEEP_ALIVE_MS,
      onLeftOut,
    }: { keepAliveMs?: number; onLeftOut?: (error: Error) => void } = {},
  ) {
    this.#response = response
    this.#onLeftOut = onLeftOut
    response.on('drain', () => (this.#unread = 0))
    const controller = new AbortController()
    this.signal = controller.signal
    response.once('close', () => {
      clearInterval(this.#timer)
      if (!this.#finished) controller.abort(new RequestCancelled('The client closed the connection.'))
      this.#finished = true
    })
    this.#timer = setInterval(() => this.#keepAlive(), keepAliveMs)
    this.#timer.unref()
  }

  notify(method: string, params?: JsonObject): void {
    if (this.#finished || this.#isAnswering || this.#isLeftOut(method)) return
    this.#stream(frame({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) }))
  }

  async answer(
    id: RequestId,
    outcome: { result: JsonObject } | { error: { code: number; message: string } },
  ): Promise<void> {
    if (this.#finished) return
    const message: JsonRpcMessage = { jsonrpc: '2.0', id, ...outcome }
    const body = isWrittenInTurns(message)
      ? await this.#bytesOf(message)
      : Buffer.from(stringifyMessage(message))
    if (this.#finished) return
    if (this.#response.headersSent) this.#response.end(Buffer.concat([FRAME, body, FRAME_END]))
    else sendBody(this.#response, ('error' in outcome && STATUS_OF.get(outcome.error.code)) || 200, body)
    this.#finished = true
    clearInterval(this.#timer)
  }

  async #bytesOf(message: JsonRpcMessage): Promise<Buffer> {
    this.#isAnswering = true
    try {
      return await bytesInTurns(message)
    } finally {
      this.#isAnswering = false
    }
  }

  #isLeftOut(method: string): boolean {
    if (!this.#response.writableNeedDrain || this.#unread++ < MOST_UNSENT || !MAY_BE_MISSED.has(method))
      return false
    if (this.#unread === MOST_UNSENT + 1) this.#onLeftOut?.(leftOut())
    return true
  }

  #keepAlive(): void {
    if (!this.#finished && !this.#response.writableNeedDrain) this.#stream(': keepalive\n\n')
  }

  #stream(text: string): void {
    if (!this.#response.headersSent) this.#response.writeHead(200, EVENT_STREAM_HEADERS)
    this.#response.write(text)
  }
}

const FRAME = Buffer.from('event: message\ndata: ')
const FRAME_END = Buffer.from('\n\n')

const frame = (message: JsonRpcMessage): string => `event: message\ndata: ${stringifyMessage(message)}\n\n`
