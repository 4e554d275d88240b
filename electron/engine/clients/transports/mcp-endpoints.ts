import type { IncomingMessage, ServerResponse } from 'node:http'
import { classifyInboundRequest } from '@modelcontextprotocol/server'
import { isJsonObject, RpcErrorCode } from '../../protocol/json-rpc.ts'
import { RESERVED_SERVER_ID } from '../../../../shared/server-id.ts'
import { ServerId } from '../../../../shared/settings.ts'
import type { ParseLarge } from '../../work/large-messages.ts'
import type { HttpCaller, HttpSessionsOptions } from './http-sessions.ts'
import { headerOf, HttpError, readJsonBody, sendHttpError } from './http-message.ts'
import { LegacyHttp } from './legacy-http.ts'
import { ModernHttp } from './modern-http.ts'
import { SseHttp } from './sse-http.ts'

export interface McpEndpointsOptions extends HttpSessionsOptions {
  readonly maxMessageBytes: number
  readonly parseLarge?: ParseLarge | undefined
  serverExists(serverId: string): boolean
  whyNoProfile?(name: string): string | undefined
}

/** `/mcp`, `/mcp/SERVER`, `/mcp/p/PROFILE`, `/sse` and `/messages`. */
export class McpEndpoints {
  readonly #options: McpEndpointsOptions
  readonly #modern: ModernHttp
  readonly #legacy: LegacyHttp
  readonly #sse: SseHttp

  constructor(options: McpEndpointsOptions) {
    this.#options = options
    this.#modern = new ModernHttp(options)
    this.#legacy = new LegacyHttp(options)
    this.#sse = new SseHttp(options)
  }

  get sessions(): number {
    return this.#modern.sessions + this.#legacy.sessions + this.#sse.sessions
  }

  readonly mcp = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const caller = this.#callerOf(request)
    const body = request.method === 'POST' ? await this.#read(request) : undefined
    try {
      await this.#dispatch(request, response, caller, body)
    } catch (error) {
      if (!(error instanceof HttpError)) throw error
      const id = isJsonObject(body) ? body['id'] : null
      sendHttpError(response, error, typeof id === 'string' || typeof id === 'number' ? id : null)
    }
  }

  readonly sse = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const caller = this.#callerOf(request)
    requireMethod(request, 'GET')
    await this.#sse.open(response, caller)
  }

  /** HTTP+SSE messages, by `sessionId`. */
  readonly messages = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    requireMethod(request, 'POST')
    const body = await this.#read(request)
    await this.#sse.post(request, response, urlOf(request).searchParams.get('sessionId'), body)
  }

  async closeAll(): Promise<void> {
    await Promise.all([this.#modern.closeAll(), this.#legacy.closeAll(), this.#sse.closeAll()])
  }

  #dispatch(
    request: IncomingMessage,
    response: ServerResponse,
    caller: HttpCaller,
    body: unknown,
  ): Promise<void> {
    const protocolVersionHeader = headerOf(request, 'mcp-protocol-version')
    const mcpMethodHeader = headerOf(request, 'mcp-method')
    const outcome = classifyInboundRequest({
      httpMethod: request.method ?? 'GET',
      ...(protocolVersionHeader === undefined ? {} : { protocolVersionHeader }),
      ...(mcpMethodHeader === undefined ? {} : { mcpMethodHeader }),
      body,
    })
    if (outcome.kind === 'reject')
      throw new HttpError(outcome.httpStatus, outcome.code, outcome.message, outcome.data)
    if (outcome.kind === 'legacy')
      return this.#legacy.handle(request, response, caller, body, outcome.reason === 'initialize')
    const { message, classification } = outcome
    return this.#modern.handle(request, response, caller, message, classification.revision)
  }

  /** Without a name: all servers. */
  #callerOf(request: IncomingMessage): HttpCaller {
    const { pathname, searchParams } = urlOf(request)
    const [, , serverId, ...rest] = pathname.split('/')
    const name = searchParams.get('client') ?? undefined
    if (!serverId) return { scope: { kind: 'all' }, name }
    if (serverId === RESERVED_SERVER_ID && rest.length === 0) return { scope: { kind: 'sluice' }, name }
    const [profile, ...more] = rest
    if (serverId === 'p' && profile && more.length === 0) {
      const wrong = this.#options.whyNoProfile?.(profile)
      if (wrong === undefined) return { scope: { kind: 'all', profile }, name }
      throw new HttpError(404, RpcErrorCode.connectionClosed, wrong)
    }
    if (rest.length > 0 || !ServerId.safeParse(serverId).success || !this.#options.serverExists(serverId))
      throw new HttpError(
        404,
        RpcErrorCode.connectionClosed,
        `There is no server at ${pathname}: config.json has none of this name, or it is disabled.`,
      )
    return { scope: { kind: 'server', serverId }, name }
  }

  #read(request: IncomingMessage): Promise<unknown> {
    const type = (headerOf(request, 'content-type') ?? '').split(';')[0]?.trim().toLowerCase()
    if (type !== 'application/json')
      throw new HttpError(
        415,
        RpcErrorCode.connectionClosed,
        'Unsupported media type: send application/json.',
      )
    return readJsonBody(request, this.#options.maxMessageBytes, this.#options.parseLarge)
  }
}

/** The host is already checked. */
const urlOf = (request: IncomingMessage): URL => new URL(request.url ?? '/', 'http://localhost')

function requireMethod(request: IncomingMessage, method: 'GET' | 'POST'): void {
  if (request.method !== method)
    throw new HttpError(405, RpcErrorCode.connectionClosed, `Method not allowed: use ${method}.`)
}
