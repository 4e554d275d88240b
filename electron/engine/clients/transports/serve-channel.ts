import type { Logger } from '../../ground/logger.ts'
import { messageOf } from '../../ground/errors.ts'
import type { MessageChannel } from '../../protocol/channel.ts'
import type { Era } from '../../protocol/era.ts'
import { clientHelloOf } from '../../protocol/era-bridge.ts'
import type { JsonObject, RequestId } from '../../protocol/json-rpc.ts'
import { RpcError, RpcErrorCode } from '../../protocol/json-rpc.ts'
import type { IncomingRequest } from '../../protocol/peer.ts'
import { RpcPeer } from '../../protocol/peer.ts'
import type {
  ClientIdentity,
  ClientLink,
  ClientSession,
  OpenSession,
  SessionScope,
} from './client-session.ts'
import { ENDING } from '../connector/connector-hello.ts'
import { describeRequest } from './describe-request.ts'
import { EraReader, refuseRemovedMethod } from './opening.ts'

export interface ServeChannelOptions {
  readonly scope: SessionScope
  readonly client: ClientIdentity
  readonly openSession: OpenSession
  readonly logger: Logger
}

export interface ServedChannel {
  readonly closed: Promise<void>
  /** A notification of the connection itself. */
  notify(method: string): void
  /** In order. Idempotent; resolves with `closed`. */
  close(): Promise<void>
}

interface Opened {
  readonly era: Era
  readonly session: ClientSession
}

/** The first request decides the era. */
export async function serveChannel(
  channel: MessageChannel,
  options: ServeChannelOptions,
): Promise<ServedChannel> {
  const connection = new Connection(channel, options)
  await connection.start()
  return connection
}

class Connection implements ServedChannel {
  readonly closed: Promise<void>
  readonly #options: ServeChannelOptions
  readonly #peer: RpcPeer
  readonly #eras = new EraReader()
  readonly #ending: Promise<void>[] = []
  /** In progress, in order. */
  readonly #inFlight = new Set<RequestId>()
  #opened: Opened | undefined
  #isClosed = false
  #markClosed: () => void = () => {}

  constructor(channel: MessageChannel, options: ServeChannelOptions) {
    this.#options = options
    this.closed = new Promise((resolve) => (this.#markClosed = resolve))
    this.#peer = new RpcPeer(channel, {
      onRequest: (request) => this.#handle(request),
      onNotification: (method, params) => this.#opened?.session.handleNotification(method, params),
      onError: (error) => options.logger.warn('client connection', { error: error.message }),
      onClose: () => void this.#end(),
      describe: (method, params) => describeRequest(options.scope, method, params),
    })
  }

  start(): Promise<void> {
    return this.#peer.start()
  }

  notify(method: string): void {
    void this.#peer.notify(method)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#leave()
    // Ending the session settles requests; answers follow in microtasks.
    await new Promise((resolve) => setImmediate(resolve))
    await this.#peer.close()
    await this.closed
  }

  async #end(): Promise<void> {
    this.#leave()
    this.#isClosed = true
    await Promise.all(this.#ending)
    this.#markClosed()
  }

  async #handle(request: IncomingRequest): Promise<JsonObject> {
    const loading = this.#eras.ready(request.params)
    if (loading) await loading
    const session = this.#sessionFor(request.method, request.params)
    this.#inFlight.add(request.id)
    try {
      return await session.handleRequest(request)
    } finally {
      this.#inFlight.delete(request.id)
    }
  }

  #sessionFor(method: string, params: JsonObject | undefined): ClientSession {
    if (this.#isClosed) throw new RpcError(RpcErrorCode.connectionClosed, ENDING)
    const opened = this.#opened
    if (opened?.era === 'legacy') return opened.session
    const era = this.#eras.eraOf(method, params)
    if (era === 'modern') refuseRemovedMethod(method)
    if (opened && era === 'modern') return opened.session
    if (opened && method !== 'initialize')
      throw new RpcError(
        RpcErrorCode.invalidParams,
        `Invalid params: ${method} lacks the "_meta" envelope that each request of this connection needs.`,
      )
    this.#leave()
    const session = this.#open(era, params)
    this.#opened = { era, session }
    return session
  }

  #open(era: Era, params: JsonObject | undefined): ClientSession {
    const { scope, client, openSession } = this.#options
    const { clientInfo } = clientHelloOf(params)
    const link = this.#link(era)
    const isNamed = client.name !== undefined || clientInfo.name === 'unknown'
    const itself = isNamed ? {} : { name: clientInfo.name, isSelfNamed: true }
    return openSession({ scope, client: { ...client, ...itself }, link })
  }

  #link(era: Era): ClientLink {
    return {
      era,
      notify: (method, params) => void this.#peer.notify(method, params),
      ask: era === 'legacy' ? (...question) => this.#ask(...question) : rejectQuestion,
    }
  }

  /** Over HTTP a server request uses a running client request's stream, usually its cause. */
  readonly #ask: ClientLink['ask'] = (method, params, options = {}) => {
    const relatedRequestId = [...this.#inFlight].at(-1)
    return this.#peer.request(method, params, {
      ...options,
      ...(relatedRequestId === undefined ? {} : { relatedRequestId }),
    })
  }

  #leave(): void {
    if (!this.#opened) return
    const { session } = this.#opened
    this.#opened = undefined
    this.#ending.push(
      session.close().catch((error: unknown) =>
        this.#options.logger.error('session did not end cleanly', {
          session: session.id,
          error: messageOf(error),
        }),
      ),
    )
  }
}

/** 2026-07-28 clients accept no requests: servers use `input_required` results. */
export const rejectQuestion: ClientLink['ask'] = (method) =>
  Promise.reject(
    new RpcError(RpcErrorCode.methodNotFound, `${method}: clients of protocol 2026-07-28 take no requests.`),
  )
