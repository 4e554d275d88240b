import { setTimeout as wait } from 'node:timers/promises'
import type { JSONRPCMessage, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { SluiceError } from '../../ground/errors.ts'
import type { MessageChannel } from '../../protocol/channel.ts'
import { MetaKey } from '../../protocol/era.ts'
import { forTransport, readMessage } from '../../protocol/exact-message.ts'
import type { JsonRpcMessage, JsonRpcRequest, RequestId } from '../../protocol/json-rpc.ts'
import {
  isFailure,
  isJsonObject,
  isNotification,
  isRequest,
  isResult,
  RpcError,
} from '../../protocol/json-rpc.ts'
import { ParamHeaders } from './param-headers.ts'
import { SessionState } from './session-state.ts'
import { wasNeverSent } from './never-sent.ts'
import { withinTime } from './within-time.ts'

export interface HttpChannelOptions {
  /** Without credentials: for people. */
  readonly url: string
  /**
   * Makes one transport of the SDK; `session` are the id and version that a server gave to this connection. With
   * `own` it is the one that has the server's own stream, which is opened again for as long as the connection lives.
   * Others give their request up when they can't take up its stream.
   */
  readonly createTransport: (
    session: HttpSession,
    hears: { own?: OwnStream; onGivenUp?: (error: SluiceError) => void },
  ) => StreamableHTTPClientTransport
  /** Puts large answers back in the place of their stand-ins. */
  readonly restore: (message: JsonRpcMessage) => JsonRpcMessage
  /** What to tell of a request that was refused, where the transport's own error says too little. */
  readonly explainRefusal: (error: unknown) => Promise<unknown>
  /** The stream of this request broke off before its answer. */
  readonly onAnswerLost: (id: RequestId, error: Error) => void
  /** A tool of 2026-07-28 that must not be offered, and why. */
  readonly onToolLeftOut: (tool: string, why: string) => void
}

/** What is heard of the server's own stream: that it broke off, and the id of each event that was read. */
interface OwnStream {
  readonly onBroken: () => void
  readonly onEvent: (id: string) => void
}

export interface HttpSession {
  readonly sessionId?: string
  readonly protocolVersion?: string
}

/** How long a server may take to forget a session when the connection ends. */
const GOODBYE_MS = 1000
const RENEWAL_MS = 30_000
const RENEWAL_ID = 'sluice-renewal'
/** Before a request is sent again that could not be: a server that restarts, or a network that changes, is soon back. */
const PAUSES_MS: readonly number[] = [200, 600, 1500]
/** Until a server notices that its own stream is dead. */
const LISTENING_PAUSES_MS: readonly number[] = [200, 1000, 5000, 15_000, 60_000, 60_000]

/**
 * MCP over Streamable HTTP, either era. Every request goes through a transport of its own that shares the session, so
 * that what the server says on a request's stream is known to belong to that request, and so that one can be ended
 * without the others. When a server has forgotten the session (a restart), a new one is opened unseen.
 */
export class HttpChannel implements MessageChannel {
  onmessage?: MessageChannel['onmessage']
  onclose?: MessageChannel['onclose']
  onerror?: MessageChannel['onerror']
  readonly #options: HttpChannelOptions
  readonly #open = new Map<RequestId, StreamableHTTPClientTransport>()
  /** Ends the streams on which a server of 2026-07-28 says what it was asked to tell of. */
  readonly #listening = new Map<RequestId, () => void>()
  readonly #state = new SessionState()
  readonly #paramHeaders: ParamHeaders
  /** Carries `initialize`, notifications, answers to the server's requests and the server's own stream. */
  #main: StreamableHTTPClientTransport
  /** Of the server's own stream; what it said after that it says again to whoever names it. Empty where it gives none. */
  #lastEventId = ''
  #renewing: Promise<void> | undefined
  /** The server has answered something before. */
  #wasReached = false
  #isClosed = false

  constructor(options: HttpChannelOptions) {
    this.#options = options
    this.#paramHeaders = new ParamHeaders(options.onToolLeftOut)
    this.#main = this.#createMain()
  }

  async start(): Promise<void> {
    await this.#main.start()
  }

  async send(message: JsonRpcMessage): Promise<void> {
    if (this.#isClosed) throw new Error('The connection is closed.')
    if (isRequest(message)) {
      this.#state.remember(message)
      if (message.method === 'initialize') await this.#main.send(toSdk(message))
      else await this.#request(message)
    } else if (isNotification(message) && message.method === 'notifications/cancelled') {
      await this.#cancel(message)
    } else {
      if (isNotification(message)) this.#state.remember(message)
      await this.#main.send(toSdk(message))
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    if (this.#main.sessionId !== undefined) {
      await withinTime(this.#main.terminateSession(), GOODBYE_MS, 'No goodbye.').catch(() => {})
    }
    const transports = [this.#main, ...this.#open.values()]
    this.#open.clear()
    await Promise.allSettled(transports.map((transport) => transport.close()))
    this.onclose?.()
  }

  /**
   * Opens the server's own stream again: one that died during the machine's sleep says nothing for minutes. A server that
   * takes the old one for alive refuses a second one, and is asked again. Streams that somebody asked for break off, and who
   * asked asks again.
   */
  async listenAnew(): Promise<void> {
    for (const end of this.#listening.values()) end()
    const old = this.#main
    if (this.#isClosed || this.#renewing || !this.#state.hasOpened()) return
    const main = this.#createMain(sessionOf(old))
    this.#main = main
    await main.start()
    old.onerror = () => {}
    await old.close()
    for (const pause of LISTENING_PAUSES_MS) {
      if (this.#isClosed || this.#main !== main) return
      const failure = await main.resumeStream(this.#lastEventId).then(
        () => undefined,
        (error: unknown) => error,
      )
      if (failure === undefined) return
      // It does not know any more what came after: the stream alone is better than none.
      if (failure instanceof Error && isForgotten(failure)) this.#lastEventId = ''
      await wait(pause, undefined, { ref: false })
    }
  }

  #createMain(session: HttpSession = {}): StreamableHTTPClientTransport {
    const state = { isBroken: false }
    const main = this.#options.createTransport(session, {
      own: {
        onBroken: () => (state.isBroken = true),
        onEvent: (id) => {
          if (this.#main === main) this.#lastEventId = id
        },
      },
    })
    main.onmessage = (received) => {
      const message = this.#options.restore(received)
      this.#wasReached = true
      if (isResult(message) && typeof message.result['protocolVersion'] === 'string')
        main.setProtocolVersion(message.result['protocolVersion'])
      this.onmessage?.(message)
    }
    main.onerror = (error) => {
      this.onerror?.(error)
      // Otherwise nothing would be heard of a server that was started anew until something is asked of it.
      if (state.isBroken && !this.#isClosed && isSessionForgotten(error, main.sessionId))
        void this.#renewUnasked(main)
    }
    return main
  }

  async #request(message: JsonRpcRequest, isRepeated = false, pauses = PAUSES_MS): Promise<void> {
    await this.#renewing
    const main = this.#main
    const transport = this.#options.createTransport(sessionOf(main), {
      onGivenUp: (error) => {
        if (state.isAnswered || !this.#open.has(message.id)) return
        end(error)
        void transport.close()
      },
    })
    const state = { isAnswered: false, isSent: false }
    this.#open.set(message.id, transport)
    const end = (reason?: SluiceError): void => {
      this.#open.delete(message.id)
      this.#listening.delete(message.id)
      if (!state.isAnswered) this.#options.onAnswerLost(message.id, reason ?? this.#brokenOff(message))
    }
    transport.onerror = (error) => {
      this.onerror?.(error)
      if (!state.isSent || state.isAnswered || !isForgotten(error) || !this.#open.has(message.id)) return
      end()
      void transport.close()
    }
    transport.onmessage = (received) => {
      const restored = this.#options.restore(received)
      const answer = isModern(message) ? this.#paramHeaders.learn(message, restored) : restored
      if ((isResult(answer) || isFailure(answer)) && answer.id === message.id) state.isAnswered = true
      this.onmessage?.(answer, { relatedRequestId: message.id })
    }
    await transport.start()
    try {
      const headers = isModern(message) ? this.#paramHeaders.headersFor(message) : {}
      await transport.send(toSdk(message), { onRequestStreamEnd: () => end(), headers })
      state.isSent = true
      this.#wasReached = true
      if (message.method === 'subscriptions/listen' && this.#open.has(message.id))
        this.#listening.set(message.id, () => {
          end()
          void transport.close()
        })
      // An answer without a stream has been delivered by now; a stream says itself when it ends.
      if (state.isAnswered) this.#open.delete(message.id)
    } catch (error) {
      const [pause, ...later] = pauses
      if (pause !== undefined && this.#wasReached && wasNeverSent(error)) {
        await wait(pause * (0.5 + Math.random()))
        // Otherwise it was cancelled meanwhile, and nobody waits for it.
        if (this.#open.get(message.id) === transport) await this.#request(message, isRepeated, later)
        return
      }
      this.#open.delete(message.id)
      // Refused by a server that does not know the session: it was not executed, repeating it is safe.
      if (isRepeated || !isSessionForgotten(error, main.sessionId)) {
        const refusal = refusalIn(error, message.id)
        if (!refusal) throw await this.#options.explainRefusal(error)
        this.onmessage?.(refusal, { relatedRequestId: message.id })
        return
      }
      await this.#renew(main)
      await this.#request(message, true)
    }
  }

  /** Modern servers understand the end of the request's stream; legacy ones want to be told. */
  async #cancel(message: JsonRpcMessage): Promise<void> {
    const id = isNotification(message) ? message.params?.['requestId'] : undefined
    const transport = typeof id === 'number' || typeof id === 'string' ? this.#open.get(id) : undefined
    if (typeof id === 'number' || typeof id === 'string') {
      this.#open.delete(id)
      this.#listening.delete(id)
    }
    if (this.#main.protocolVersion !== undefined) await this.#main.send(toSdk(message))
    await transport?.close()
  }

  async #renewUnasked(main: StreamableHTTPClientTransport): Promise<void> {
    try {
      await this.#renew(main)
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)))
    }
  }

  /** One new session for all requests that find the old one gone. */
  #renew(old: StreamableHTTPClientTransport): Promise<void> {
    if (this.#main !== old) return Promise.resolve()
    this.#renewing ??= this.#openNewSession(old).finally(() => {
      this.#renewing = undefined
    })
    return this.#renewing
  }

  async #openNewSession(old: StreamableHTTPClientTransport): Promise<void> {
    const main = this.#createMain()
    const deliver = main.onmessage
    const waiting = new Map<string, { resolve: () => void; reject: (error: Error) => void }>()
    main.onmessage = (received) => {
      const waiter = 'id' in received ? waiting.get(String(received.id)) : undefined
      const message = waiter ? this.#options.restore(received) : received
      if (waiter && isFailure(message)) waiter.reject(new RpcError(message.error.code, message.error.message))
      else if (waiter && isResult(message)) {
        if (typeof message.result['protocolVersion'] === 'string')
          main.setProtocolVersion(message.result['protocolVersion'])
        waiter.resolve()
      } else deliver?.(received)
    }
    await main.start()
    for (const [index, message] of this.#state.messages().entries()) {
      if (!isRequest(message)) {
        await main.send(toSdk(message))
        continue
      }
      const id = `${RENEWAL_ID}-${index}`
      const answered = new Promise<void>((resolve, reject) => waiting.set(id, { resolve, reject }))
      await main.send(toSdk({ ...message, id }))
      await withinTime(answered, RENEWAL_MS, `The server did not answer ${message.method} in a new session.`)
    }
    this.#main = main
    this.#lastEventId = ''
    old.onerror = () => {}
    await old.close()
  }

  #brokenOff(message: JsonRpcRequest): SluiceError {
    return new SluiceError(
      'SERVER_LOST',
      `The server at ${this.#options.url} ended its answer to ${message.method} before it was complete. It may have been carried out; look before repeating it.`,
    )
  }
}

const sessionOf = (main: StreamableHTTPClientTransport): HttpSession => ({
  ...(main.sessionId === undefined ? {} : { sessionId: main.sessionId }),
  ...(main.protocolVersion === undefined ? {} : { protocolVersion: main.protocolVersion }),
})

function isModern(message: JsonRpcRequest): boolean {
  const meta = message.params?.['_meta']
  return isJsonObject(meta) && typeof meta[MetaKey.protocolVersion] === 'string'
}

/** What a server says that can't take up a stream again; anything else may pass. */
const isForgotten = (error: Error): boolean =>
  'status' in error && (error.status === 400 || error.status === 404 || error.status === 410)

/** 404 is the specification's answer; servers in the wild also say 400 or 503 and name the session in the text. */
function isSessionForgotten(error: unknown, sessionId: string | undefined): boolean {
  if (sessionId === undefined || !(error instanceof Error) || !('status' in error)) return false
  return (
    error.status === 404 || ((error.status === 400 || error.status === 503) && /session/i.test(error.message))
  )
}

/**
 * The server's own JSON-RPC error in a response with an HTTP error, such as 404 for a method that it doesn't know. The
 * SDK's transport reads it for status 400 alone.
 */
function refusalIn(error: unknown, id: RequestId): JsonRpcMessage | undefined {
  const data = error instanceof Error && 'data' in error ? error.data : undefined
  const text = isJsonObject(data) ? data['text'] : undefined
  if (typeof text !== 'string') return undefined
  try {
    const body = readMessage(text)
    if (!isJsonObject(body) || body['id'] !== id || !isJsonObject(body['error'])) return undefined
    const { code, message, data: details } = body['error']
    if (typeof code !== 'number' || typeof message !== 'string') return undefined
    return {
      jsonrpc: '2.0',
      id,
      error: { code, message, ...(details === undefined ? {} : { data: details }) },
    }
  } catch {
    return undefined
  }
}

// The same values on the wire: the SDK's type only names some fields that ours leaves open.
const toSdk = (message: JsonRpcMessage): JSONRPCMessage => forTransport(message) as JSONRPCMessage
