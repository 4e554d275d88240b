import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node'
import type { MessageChannel } from '../../protocol/channel.ts'
import type { RequestId } from '../../protocol/json-rpc.ts'
import { isJsonObject, isRequest, RpcErrorCode } from '../../protocol/json-rpc.ts'
import { PlaceholderMessages } from '../../protocol/placeholder-messages.ts'
import { HeldMessages, undelivered } from './held-messages.ts'
import { headerOf, HttpError } from './http-message.ts'
import type { HttpCaller, HttpSessionsOptions } from './http-sessions.ts'
import { HttpSessions, scopeKey, serveCaller, tooManySessions } from './http-sessions.ts'
import type { SessionEvents } from './sent-events.ts'
import { SentEvents, STANDALONE } from './sent-events.ts'
import type { ServedChannel } from './serve-channel.ts'
import { transportChannel } from './transport-channel.ts'
import { createUntilRead } from './until-read.ts'

interface LegacySession {
  readonly transport: NodeStreamableHTTPServerTransport
  readonly scope: string
  readonly served: ServedChannel
  readonly open: OpenResponses
  readonly events: SessionEvents
  readonly placeholders: PlaceholderMessages
}

interface OpenResponses {
  /** GET: messages outside requests. */
  readonly streams: Set<ServerResponse>
  /** POST. */
  readonly byRequest: Map<RequestId, ServerResponse>
  /** Until the first stream opens. */
  readonly held: HeldMessages
}

/** Before resuming a stream. */
const RETRY_MS = 500
/** Older clients reject empty events. */
const KNOWS_EMPTY_EVENTS = '2025-11-25'

/** 2025: opened by `initialize`, ended by DELETE or inactivity. */
export class LegacyHttp extends HttpSessions<LegacySession> {
  readonly #sent = new SentEvents()

  constructor(options: HttpSessionsOptions) {
    super(options, ({ served, events }) => {
      events.forget()
      return served.close()
    })
  }

  async handle(
    request: IncomingMessage,
    response: ServerResponse,
    caller: HttpCaller,
    body: unknown,
    isInitialize: boolean,
  ): Promise<void> {
    const given = headerOf(request, 'mcp-session-id')
    if (given === undefined && !isInitialize) throw withoutSession(request)
    const id = given ?? (await this.#open(caller))
    const session = this.open.get(id)
    if (!session || session.scope !== scopeKey(caller.scope))
      throw new HttpError(
        404,
        RpcErrorCode.requestTimeout,
        'Session not found: it has ended. Send "initialize" without Mcp-Session-Id to open a new one.',
      )
    const requests = requestIdsIn(body)
    // The SDK pairs answers with streams by id alone, so the first would never be answered.
    const twice = requests.find((requestId) => session.open.byRequest.has(requestId))
    if (twice !== undefined)
      throw new HttpError(
        400,
        RpcErrorCode.invalidRequest,
        `The id ${JSON.stringify(twice)} belongs to a request that is not answered yet. Give each request of a session an id of its own.`,
      )
    const release = this.open.use(id)
    for (const requestId of requests) session.open.byRequest.set(requestId, response)
    response.once('close', () => {
      session.open.streams.delete(response)
      for (const requestId of requests)
        if (session.open.byRequest.get(requestId) === response) session.open.byRequest.delete(requestId)
      release()
    })
    if (request.method === 'GET') await listen(session, request, response)
    await session.transport.handleRequest(request, response, session.placeholders.of(body))
    // `initialize` was refused.
    if (session.transport.sessionId === undefined) this.open.remove(id)
  }

  async #open(caller: HttpCaller): Promise<string> {
    const id = randomUUID()
    const events = this.#sent.ofSession()
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      eventStore: events,
      retryInterval: RETRY_MS,
    })
    const placeholders = new PlaceholderMessages()
    const channel = transportChannel(transport, placeholders)
    const send = channel.send.bind(channel)
    const held = new HeldMessages({ send })
    const open: OpenResponses = { streams: new Set(), byRequest: new Map(), held }
    const served = await serveCaller(heedingReaders(channel, open, send), caller, this.options)
    void served.closed.then(() => held.giveUp())
    void served.closed.then(() => this.open.remove(id))
    const session = { transport, scope: scopeKey(caller.scope), served, open, events, placeholders }
    if (this.open.add(id, session)) return id
    await served.close()
    throw tooManySessions()
  }
}

async function listen(
  { open: { streams, held }, events }: LegacySession,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const lastEventId = headerOf(request, 'last-event-id')
  const resumed = lastEventId === undefined ? STANDALONE : await events.getStreamIdForEventId?.(lastEventId)
  if (resumed === STANDALONE) streams.add(response)
  if (lastEventId !== undefined) return
  const id = events.openStandalone()
  const knowsEmptyEvents = (headerOf(request, 'mcp-protocol-version') ?? '') >= KNOWS_EMPTY_EVENTS
  onceOpen(response, () => {
    // The SDK sends it on request streams only.
    if (knowsEmptyEvents) response.write(`id: ${id}\nretry: ${RETRY_MS}\ndata: \n\n`)
    held.deliver()
  })
}

function onceOpen(response: ServerResponse, onOpen: () => void): void {
  const writeHead = response.writeHead.bind(response)
  response.writeHead = (status: number, ...rest: never[]) => {
    writeHead(status, ...rest)
    if (status === 200) onOpen()
    return response
  }
}

/**
 * Until the client first listens, because the SDK drops messages and server requests would hang. The SDK buffers
 * unread data, so messages count as sent once the stream flows.
 */
function heedingReaders(
  channel: MessageChannel,
  open: OpenResponses,
  send: MessageChannel['send'],
): MessageChannel {
  const { streams, byRequest, held } = open
  const untilRead = createUntilRead()
  channel.send = async (message, options) => {
    const related = options?.relatedRequestId
    const isUnasked = related === undefined && 'method' in message
    if (isUnasked && held.isHolding) return held.hold(message, options)
    if (isRequest(message) && isUnasked && streams.size === 0) throw undelivered(message)
    await send(message, options)
    await untilRead(related === undefined ? [...streams].at(-1) : byRequest.get(related))
  }
  return channel
}

/** Not those of answers to the server's requests, which count for themselves. */
const requestIdsIn = (body: unknown): RequestId[] =>
  (Array.isArray(body) ? body : [body]).flatMap((message: unknown): RequestId[] => {
    const id = isJsonObject(message) && 'method' in message ? message['id'] : undefined
    return typeof id === 'string' || typeof id === 'number' ? [id] : []
  })

const withoutSession = (request: IncomingMessage): HttpError =>
  request.method === 'POST'
    ? new HttpError(400, RpcErrorCode.connectionClosed, 'Bad Request: the Mcp-Session-Id header is missing.')
    : new HttpError(
        405,
        RpcErrorCode.connectionClosed,
        'Method not allowed without Mcp-Session-Id: use POST.',
      )
