import type { IncomingMessage, ServerResponse } from 'node:http'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { RpcErrorCode } from '../../protocol/json-rpc.ts'
import { PlaceholderMessages } from '../../protocol/placeholder-messages.ts'
import { HttpError } from './http-message.ts'
import type { HttpCaller, HttpSessionsOptions } from './http-sessions.ts'
import { serveCaller, tooManySessions } from './http-sessions.ts'
import type { ServedChannel } from './serve-channel.ts'
import { transportChannel } from './transport-channel.ts'
import { createUntilRead } from './until-read.ts'

const KEEP_ALIVE_MS = 15_000

interface SseSession {
  readonly transport: SSEServerTransport
  readonly served: ServedChannel
  readonly placeholders: PlaceholderMessages
}

/** HTTP+SSE of 2024-11-05: one stream is one session. */
export class SseHttp {
  readonly #options: HttpSessionsOptions
  readonly #sessions = new Map<string, SseSession>()

  constructor(options: HttpSessionsOptions) {
    this.#options = options
  }

  get sessions(): number {
    return this.#sessions.size
  }

  async open(response: ServerResponse, caller: HttpCaller): Promise<void> {
    if (this.#sessions.size >= this.#options.maxSessions) throw tooManySessions()
    const transport = new SSEServerTransport('/messages', response)
    const keepAlive = setInterval(() => {
      if (!response.writableNeedDrain) response.write(': keepalive\n\n')
    }, KEEP_ALIVE_MS)
    keepAlive.unref()
    response.once('close', () => clearInterval(keepAlive))
    const placeholders = new PlaceholderMessages()
    const channel = transportChannel(transport, placeholders)
    const send = channel.send.bind(channel)
    const untilRead = createUntilRead()
    channel.send = async (message) => {
      await send(message)
      await untilRead(response)
    }
    const served = await serveCaller(channel, caller, this.#options)
    this.#sessions.set(transport.sessionId, { transport, served, placeholders })
    void served.closed.then(() => this.#sessions.delete(transport.sessionId))
  }

  async post(
    request: IncomingMessage,
    response: ServerResponse,
    sessionId: string | null,
    body: unknown,
  ): Promise<void> {
    const session = this.#sessions.get(sessionId ?? '')
    if (!session)
      throw new HttpError(404, RpcErrorCode.requestTimeout, 'Session not found: its /sse stream has ended.')
    await session.transport.handlePostMessage(request, response, session.placeholders.of(body))
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map(({ served }) => served.close()))
  }
}
