import { setTimeout as wait } from 'node:timers/promises'
import type { JSONRPCMessage, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { ownError, type SluiceError } from '../../ground/errors.ts'
import type { MessageChannel } from '../../protocol/channel.ts'
import { forTransport } from '../../protocol/exact-message.ts'
import {
  isFailure,
  isNotification,
  isRequest,
  isResult,
  type JsonRpcMessage,
  type JsonRpcRequest,
  type RequestId,
  RpcError,
} from '../../protocol/json-rpc.ts'
import { ParamHeaders } from './param-headers.ts'
import { SessionState } from './session-state.ts'
import { wasNeverSent } from './never-sent.ts'
import { withinTime } from './within-time.ts'
import { isForgotten, isModern, isSessionForgotten, refusalIn } from './http-refusals.ts'

export interface HttpChannelOptions {
  /** Without credentials. */
  readonly url: string
  /**
   * `session`: id and version from the server. With `own` it has the server's own stream, which is reopened while the
   * connection lives; others give up if they can't resume.
   */
  readonly createTransport: (
    session: HttpSession,
    hears: { own?: OwnStream; onGivenUp?: (error: SluiceError) => void },
  ) => StreamableHTTPClientTransport
  readonly restore: (message: JsonRpcMessage) => JsonRpcMessage
  readonly explainRefusal: (error: unknown) => Promise<unknown>
  readonly onAnswerLost: (id: RequestId, error: Error) => void
  /** 2026-07-28: must not be listed. */
  readonly onToolLeftOut: (tool: string, why: string) => void
}

/** Of the server's own stream: breaks, and ids of read events. */
interface OwnStream {
  readonly onBroken: () => void
  readonly onEvent: (id: string) => void
}

export interface HttpSession {
  readonly sessionId?: string
  readonly protocolVersion?: string
}

const GOODBYE_MS = 1000
const RENEWAL_MS = 30_000
const RENEWAL_ID = 'sluice-renewal'
/** Before resending a failed request: restarts and network changes are short. */
const PAUSES_MS: readonly number[] = [200, 600, 1500]
/** Until a server notices its dead stream. */
const LISTENING_PAUSES_MS: readonly number[] = [200, 1000, 5000, 15_000, 60_000, 60_000]

/**
 * Streamable HTTP, either era. A transport per request, so that messages on its stream belong to it and it can be
 * cancelled alone. If a restarted server has forgotten the session, a new one is opened transparently.
 */
export class HttpChannel implements MessageChannel {
  onmessage?: MessageChannel['onmessage']
  onclose?: MessageChannel['onclose']
  onerror?: MessageChannel['onerror']
  readonly #options: HttpChannelOptions
  readonly #open = new Map<RequestId, StreamableHTTPClientTransport>()
  /** Ends a subscription stream (2026-07-28). */
  readonly #listening = new Map<RequestId, () => void>()
  readonly #state = new SessionState()
  readonly #paramHeaders: ParamHeaders
  /** For `initialize`, notifications, answers to server requests, and the server's own stream. */
  #main: StreamableHTTPClientTransport
  /** In place of `#main`, once its session is open. */
  #next: StreamableHTTPClientTransport | undefined
  #lastEventId = ''
  #renewing: Promise<void> | undefined
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
    this.#throwIfClosed()
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
    const open = [...this.#open.values()]
    this.#open.clear()
    await Promise.all([endSession(this.#main), this.#next && endSession(this.#next)])
    await Promise.allSettled(open.map((transport) => transport.close()))
    this.onclose?.()
  }

  /**
   * The server's own stream: one that died during sleep stays silent for minutes. Retries if the server believes the
   * old one alive. Subscription streams break, and their clients subscribe again.
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
      // Otherwise a restarted server's messages would wait for the next request.
      if (state.isBroken && !this.#isClosed && isSessionForgotten(error, main.sessionId))
        void this.#renewUnasked(main)
    }
    return main
  }

  async #request(message: JsonRpcRequest, isRepeated = false, pauses = PAUSES_MS): Promise<void> {
    await this.#renewing
    this.#throwIfClosed()
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
      // Unstreamed answers are delivered now; a stream reports its end.
      if (state.isAnswered) this.#open.delete(message.id)
    } catch (error) {
      const [pause, ...later] = pauses
      if (pause !== undefined && this.#wasReached && wasNeverSent(error)) {
        await wait(pause * (0.5 + Math.random()))
        if (this.#open.get(message.id) === transport) await this.#request(message, isRepeated, later)
        return
      }
      this.#open.delete(message.id)
      // Rejected for an unknown session: not executed, so repeating is safe.
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

  /** Modern servers understand the end of the stream; legacy ones need a notification. */
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

  /** One for all requests. */
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
    main.onclose = () => {
      for (const { reject } of waiting.values()) reject(new Error('The connection is closed.'))
    }
    this.#next = main
    try {
      await main.start()
      for (const [index, message] of this.#state.messages().entries()) {
        this.#throwIfClosed()
        if (!isRequest(message)) {
          await main.send(toSdk(message))
          continue
        }
        const id = `${RENEWAL_ID}-${index}`
        const answered = new Promise<void>((resolve, reject) => waiting.set(id, { resolve, reject }))
        // Where sending fails, nothing waits for it.
        answered.catch(() => {})
        await main.send(toSdk({ ...message, id }))
        const late = `The server did not answer ${message.method} in a new session.`
        await withinTime(answered, RENEWAL_MS, late)
      }
      this.#throwIfClosed()
    } catch (error) {
      // Its stream is open since `notifications/initialized`, and would keep this process alive.
      main.onerror = () => {}
      await endSession(main)
      throw error
    } finally {
      this.#next = undefined
    }
    this.#main = main
    this.#lastEventId = ''
    old.onerror = () => {}
    await old.close()
  }

  #throwIfClosed(): void {
    if (this.#isClosed) throw new Error('The connection is closed.')
  }

  #brokenOff(message: JsonRpcRequest): SluiceError {
    return ownError(
      'SERVER_LOST',
      `The server at ${this.#options.url} ended its answer to ${message.method} before it was complete. It may have been carried out; look before repeating it.`,
    )
  }
}

async function endSession(transport: StreamableHTTPClientTransport): Promise<void> {
  if (transport.sessionId !== undefined)
    await withinTime(transport.terminateSession(), GOODBYE_MS, 'No goodbye.').catch(() => {})
  await transport.close().catch(() => {})
}

const sessionOf = (main: StreamableHTTPClientTransport): HttpSession => ({
  ...(main.sessionId === undefined ? {} : { sessionId: main.sessionId }),
  ...(main.protocolVersion === undefined ? {} : { protocolVersion: main.protocolVersion }),
})

const toSdk = (message: JsonRpcMessage): JSONRPCMessage => forTransport(message) as JSONRPCMessage
