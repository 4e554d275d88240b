import type { MessageChannel, MessageOrigin } from './channel.ts'
import {
  isFailure,
  isJsonObject,
  isNotification,
  isRequest,
  isResult,
  isVersionless,
  type JsonObject,
  type JsonRpcFailure,
  type JsonRpcMessage,
  type JsonRpcRequest,
  type JsonRpcResult,
  type RequestId,
  RpcError,
  OwnRpcError,
  RpcErrorCode,
} from './json-rpc.ts'
import { messageOf } from '../ground/errors.ts'
import { isTooDeep, unwrittenAnswer } from './too-deep.ts'
import { leftOut, MAY_BE_MISSED, MOST_UNSENT } from './left-out.ts'
import { subscriptionOf } from './subscription-id.ts'
import { errorIn, excerpt, failureOf, relation, withProgressToken } from './peer-messages.ts'

export interface IncomingRequest {
  readonly id: RequestId
  readonly method: string
  readonly params: JsonObject | undefined
  /** With `RequestCancelled`, or the closing error. */
  readonly signal: AbortSignal
  readonly notify: (method: string, params?: JsonObject) => void
}

export interface RpcPeerHandlers {
  /** An RpcError is answered unchanged, other errors as -32603 with their message. */
  onRequest(request: IncomingRequest): Promise<JsonObject>
  onNotification(method: string, params: JsonObject | undefined): void
  /** By either side; once, after rejecting everything in flight. */
  onClose?(error: Error): void
  /** Outside any request: broken messages, failed notifications, unexpected answers. */
  onError?(error: Error): void
  /** Default: RpcError(connectionClosed). */
  closingError?(): Error
  /** For errors; default: the method. */
  describe?(method: string, params: JsonObject | undefined): string
  readonly otherSide?: string
}

export interface PeerRequestOptions {
  signal?: AbortSignal
  /** With our token. Without a listener no token is sent. */
  onProgress?: (params: JsonObject) => void
  /** By channel or subscription id. */
  onRelated?: (method: string, params: JsonObject | undefined) => void
  /** Requests tied to this one by the channel; default: the handlers. */
  onQuestion?: (request: IncomingRequest) => Promise<JsonObject>
  timeoutMs?: number
  lateWords?: string
  isHeldUp?: () => boolean
  /** Incoming request that caused this one. */
  relatedRequestId?: RequestId
}

/** `reason` is forwarded. */
export class RequestCancelled extends Error {
  readonly reason: string | undefined

  constructor(reason: string | undefined) {
    super(reason ?? 'The request was cancelled.')
    this.name = 'RequestCancelled'
    this.reason = reason
  }
}

interface Pending {
  readonly method: string
  readonly options: PeerRequestOptions
  readonly resolve: (result: JsonObject) => void
  readonly reject: (error: Error) => void
  readonly timer: NodeJS.Timeout | undefined
  readonly onAbort: (() => void) | undefined
}

const UPDATED = 'notifications/resources/updated'

/**
 * Own ids and progress tokens, so that a relay of two peers never confuses callers; payloads aren't parsed, or copied
 * beyond the token's place.
 */
export class RpcPeer {
  readonly #channel: MessageChannel
  readonly #handlers: RpcPeerHandlers
  readonly #pending = new Map<RequestId, Pending>()
  /** Several where the other side uses an id again too early: each is answered. */
  readonly #incoming = new Map<RequestId, Set<AbortController>>()
  #nextId = 1
  #unsent = 0
  #leavesOut = false
  /** Resources changed while notifications were dropped: latest params. */
  readonly #delayed = new Map<string, { params: JsonObject; options: { relatedRequestId?: RequestId } }>()
  #closedBy: Error | undefined

  constructor(channel: MessageChannel, handlers: RpcPeerHandlers) {
    this.#channel = channel
    this.#handlers = handlers
  }

  async start(): Promise<void> {
    this.#channel.onmessage = (message, origin) => this.#receive(message, origin)
    this.#channel.onclose = () => this.#closed()
    this.#channel.onerror = (error) => this.#handlers.onError?.(error)
    await this.#channel.start()
  }

  get isClosed(): boolean {
    return this.#closedBy !== undefined
  }

  request(
    method: string,
    params: JsonObject | undefined,
    options: PeerRequestOptions = {},
  ): Promise<JsonObject> {
    if (this.#closedBy) return Promise.reject(this.#closedBy)
    const { signal, timeoutMs } = options
    if (signal?.aborted) return Promise.reject(asError(signal.reason))
    const id = this.#nextId++
    return new Promise<JsonObject>((resolve, reject) => {
      const onAbort = signal && (() => this.#cancel(id, asError(signal.reason)))
      const timer = timeoutMs === undefined ? undefined : setTimeout(() => this.#timeOut(id), timeoutMs)
      timer?.unref()
      if (onAbort) signal.addEventListener('abort', onAbort, { once: true })
      this.#pending.set(id, { method, options, resolve, reject, timer, onAbort })
      const sent = withProgressToken(params, options.onProgress && id)
      this.#channel
        .send(
          sent === undefined ? { jsonrpc: '2.0', id, method } : { jsonrpc: '2.0', id, method, params: sent },
          relation(options.relatedRequestId),
        )
        .catch((error: unknown) => this.#take(id)?.reject(asError(error)))
    })
  }

  /** Resolves when the channel has taken it; failures also go to `onError`. */
  async notify(
    method: string,
    params?: JsonObject,
    options: { relatedRequestId?: RequestId } = {},
  ): Promise<void> {
    if (this.#closedBy || this.#isLeftOut(method)) return
    if (method === UPDATED && params && this.#unsent >= MOST_UNSENT)
      return void this.#delayed.set(String(params['uri']), { params, options })
    this.#unsent++
    try {
      await this.#channel.send(
        params === undefined ? { jsonrpc: '2.0', method } : { jsonrpc: '2.0', method, params },
        relation(options.relatedRequestId),
      )
    } catch (error) {
      this.#handlers.onError?.(asError(error))
    } finally {
      this.#unsent--
    }
    if (this.#unsent > 0) return
    const delayed = [...this.#delayed.values()]
    this.#delayed.clear()
    await Promise.all(delayed.map((each) => this.notify(UPDATED, each.params, each.options)))
  }

  #isLeftOut(method: string): boolean {
    if (this.#unsent < MOST_UNSENT) {
      this.#leavesOut &&= this.#unsent > 0
      return false
    }
    if (!MAY_BE_MISSED.has(method)) return false
    if (!this.#leavesOut) this.#handlers.onError?.(leftOut())
    return (this.#leavesOut = true)
  }

  fail(id: RequestId, error: Error): void {
    this.#take(id)?.reject(error)
  }

  async close(): Promise<void> {
    await this.#channel.close()
    // A channel never started or already ended may not call back.
    this.#closed()
  }

  #receive(message: JsonRpcMessage, origin: MessageOrigin | undefined): void {
    if (isVersionless(message)) this.#malformed(message.id, 'a message without "jsonrpc": "2.0"')
    else if (isRequest(message)) void this.#answer(message, origin)
    else if (isNotification(message)) this.#notified(message.method, message.params, origin)
    else if (isResult(message)) this.#answered(message)
    else if (isFailure(message)) this.#failed(message)
    else if ('id' in message)
      this.#malformed((message as { id: RequestId | null }).id, 'neither a result nor an error')
    else
      this.#handlers.onError?.(new Error("Ignored a message that isn't a request, notification or response."))
  }

  async #answer(request: JsonRpcRequest, origin: MessageOrigin | undefined): Promise<void> {
    const { id, method, params } = request
    const controller = new AbortController()
    const sameId = this.#incoming.get(id) ?? new Set()
    this.#incoming.set(id, sameId.add(controller))
    const relatedRequestId = { relatedRequestId: id }
    const isOpen = (): boolean => sameId.has(controller) && !controller.signal.aborted
    const asked = this.#pending.get(origin?.relatedRequestId ?? '')?.options.onQuestion
    const incoming: IncomingRequest = {
      id,
      method,
      params,
      signal: controller.signal,
      notify: (name, values) => {
        if (isOpen()) void this.notify(name, values, relatedRequestId)
      },
    }
    let answer: JsonRpcMessage
    try {
      const result = await (asked ? asked(incoming) : this.#handlers.onRequest(incoming))
      answer = { jsonrpc: '2.0', id, result }
    } catch (error) {
      answer = failureOf(id, error)
    }
    if (!isOpen()) return
    sameId.delete(controller)
    if (sameId.size === 0) this.#incoming.delete(id)
    try {
      await this.#channel.send(answer, relatedRequestId)
    } catch (error) {
      this.#handlers.onError?.(asError(error))
      if (isTooDeep(error)) await this.#answerUnwritten(incoming, answer)
    }
  }

  async #answerUnwritten({ id, method, params }: IncomingRequest, answer: JsonRpcMessage): Promise<void> {
    const error = unwrittenAnswer(this.#handlers.describe?.(method, params) ?? method, answer)
    await this.#channel
      .send({ jsonrpc: '2.0', id, error: error.toWire() }, { relatedRequestId: id })
      .catch((reason: unknown) => this.#handlers.onError?.(asError(reason)))
  }

  #notified(method: string, params: JsonObject | undefined, origin: MessageOrigin | undefined): void {
    if (method === 'notifications/cancelled') return this.#cancelled(params)
    if (method === 'notifications/progress') return this.#progressed(params)
    const pending = this.#pending.get(origin?.relatedRequestId ?? subscriptionOf(params) ?? '')
    if (pending?.options.onRelated) pending.options.onRelated(method, params)
    else this.#handlers.onNotification(method, params)
  }

  #cancelled(params: JsonObject | undefined): void {
    const id = params?.['requestId']
    if (typeof id !== 'string' && typeof id !== 'number') return
    const controllers = this.#incoming.get(id) ?? []
    this.#incoming.delete(id)
    const reason = params?.['reason']
    for (const controller of controllers)
      controller.abort(new RequestCancelled(typeof reason === 'string' ? reason : undefined))
  }

  #progressed(params: JsonObject | undefined): void {
    const progressToken = params?.['progressToken']
    const pending = typeof progressToken === 'number' ? this.#pending.get(progressToken) : undefined
    if (!params || !pending?.options.onProgress) return
    pending.timer?.refresh()
    pending.options.onProgress(params)
  }

  #failed(message: JsonRpcFailure): void {
    const error = errorIn(message.error)
    if (error === undefined)
      return this.#malformed(
        message.id,
        `the error ${excerpt(message.error)}, which lacks a code or a message`,
      )
    if (message.id === undefined || message.id === null) this.#handlers.onError?.(error)
    else this.#settled(message.id)?.reject(error)
  }

  #answered({ id, result }: JsonRpcResult): void {
    if (isJsonObject(result)) this.#settled(id)?.resolve(result)
    else this.#malformed(id, `the result ${excerpt(result)}, which isn't an object`)
  }

  #malformed(id: RequestId | null | undefined, what: string): void {
    const who = this.#handlers.otherSide ?? 'The other side'
    const pending = id === undefined || id === null ? undefined : this.#take(id)
    const words = `${who} answered ${pending?.method ?? 'a request'} with ${what}. That isn't a valid response, so it can't be used. The request may have been carried out.`
    const error = new RpcError(RpcErrorCode.internal, words)
    if (pending) pending.reject(error)
    else this.#handlers.onError?.(error)
  }

  #timeOut(id: RequestId): void {
    const pending = this.#pending.get(id)
    if (!pending) return
    if (pending.options.isHeldUp?.()) return void pending.timer?.refresh()
    const waited = `${pending.method} got no answer and no progress for ${pending.options.timeoutMs} ms`
    const plain = `${waited}; the request was cancelled.`
    this.#cancel(id, new OwnRpcError(RpcErrorCode.requestTimeout, pending.options.lateWords ?? plain), plain)
  }

  #cancel(id: RequestId, error: Error, why = error.message): void {
    const pending = this.#take(id)
    if (!pending) return
    const reason = error instanceof RequestCancelled ? error.reason : why
    void this.notify('notifications/cancelled', {
      requestId: id,
      ...(reason === undefined ? {} : { reason }),
    })
    pending.reject(error)
  }

  /** Late and double answers are normal (a cancellation crosses an answer). */
  #settled(id: RequestId): Pending | undefined {
    const pending = this.#take(id)
    if (!pending)
      this.#handlers.onError?.(new Error(`Ignored a response to request ${id}, which isn't pending.`))
    return pending
  }

  #take(id: RequestId): Pending | undefined {
    const pending = this.#pending.get(id)
    if (!pending) return undefined
    this.#pending.delete(id)
    clearTimeout(pending.timer)
    if (pending.onAbort) pending.options.signal?.removeEventListener('abort', pending.onAbort)
    return pending
  }

  #closed(): void {
    if (this.#closedBy) return
    const error =
      this.#handlers.closingError?.() ?? new OwnRpcError(RpcErrorCode.connectionClosed, 'Connection closed')
    this.#closedBy = error
    for (const id of this.#pending.keys()) this.#take(id)?.reject(error)
    const incoming = [...this.#incoming.values()]
    this.#incoming.clear()
    for (const controller of incoming.flatMap((sameId) => [...sameId])) controller.abort(error)
    this.#handlers.onClose?.(error)
  }
}

const asError = (value: unknown): Error => (value instanceof Error ? value : new Error(messageOf(value)))
