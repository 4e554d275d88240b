import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { messageOf } from '../../ground/errors.ts'
import type { Logger } from '../../ground/logger.ts'
import { RpcErrorCode } from '../../protocol/json-rpc.ts'
import type { ParseLarge } from '../../work/large-messages.ts'
import type { OpenSession } from './client-session.ts'
import { createConnectionBounds, type ConnectionBoundsOptions } from './connection-bounds.ts'
import { type Refusal, refuseForeign, refuseUnauthorised } from './http-guard.ts'
import { HttpError, sendFailure, sendHttpError, sendJson } from './http-message.ts'
import { listenOnLoopback } from './loopback-port.ts'
import type { McpEndpoints } from './mcp-endpoints.ts'

export interface HttpServerOptions extends ConnectionBoundsOptions {
  /** 0 takes any free port. */
  readonly port: number
  readonly token: string
  readonly openSession: OpenSession
  readonly logger: Logger
  readonly maxMessageBytes: number
  /** Parses large bodies elsewhere. */
  readonly parseLarge?: ParseLarge | undefined
  /** Whether `/mcp/{server}` and `/sse/{server}` exist for this id. */
  serverExists(serverId: string): boolean
  /** Milliseconds without a call before a session ends; default 30 min. */
  readonly sessionIdleMs?: number
  /** Of each of the three kinds; default 64. */
  readonly maxSessions?: number
  /** Listens on ::1 too. */
  readonly ipv6?: boolean
}

type HttpHandler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

/**
 * Who may call a handler. `bearer`: with token. `own`: the handler decides, because page addresses carry no token.
 * `public`: everyone. Host and Origin are always checked.
 */
type Authorisation = 'bearer' | 'own' | 'public'

export interface HttpServer {
  readonly port: number
  readonly url: string
  /** Serves a path and its subpaths; the longest match wins. Default: bearer. */
  mount(prefix: string, handler: HttpHandler, authorisation?: Authorisation): void
  /** 401 without valid token, for handlers that check themselves. */
  refuseUnauthorised(request: IncomingMessage): Refusal | undefined
  /** For handlers that check by themselves: this request may ask. */
  readonly trust: (request: IncomingMessage) => void
  /** How many client sessions are open. */
  sessions(): number
  /** Stops listening and ends all sessions; resolves when their end is confirmed. */
  close(): Promise<void>
}

const LATE_CLIENT_MS = 60_000
const HALF_AN_HOUR_MS = 30 * 60 * 1000

/** Everything that Sluice serves over HTTP, on loopback addresses only. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { logger, token, sessionIdleMs = HALF_AN_HOUR_MS, maxSessions = 64 } = options
  // The SDK's transports load with the first HTTP client.
  let loading: Promise<McpEndpoints> | undefined
  let endpoints: McpEndpoints | undefined
  const loadEndpoints = async (): Promise<McpEndpoints> => {
    const { McpEndpoints: Endpoints } = await import('./mcp-endpoints.ts')
    return (endpoints = new Endpoints({ ...options, sessionIdleMs, maxSessions }))
  }
  const withEndpoints =
    (name: 'mcp' | 'sse' | 'messages'): HttpHandler =>
    async (request, response) => {
      const { [name]: handle } = await (loading ??= loadEndpoints())
      await handle(request, response)
    }
  const bounds = createConnectionBounds(options)
  const mounts = new Map<string, { handler: HttpHandler; authorisation: Authorisation }>()
  const mount: HttpServer['mount'] = (prefix, handler, authorisation = 'bearer') => {
    mounts.set(prefix.replace(/\/+$/, ''), { handler, authorisation })
  }
  mount('/mcp', withEndpoints('mcp'))
  mount('/sse', withEndpoints('sse'))
  mount('/messages', withEndpoints('messages'))
  mount('/health', (_request, response) => sendJson(response, 200, { name: 'sluice', ok: true }), 'public')

  const route = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const foreign = refuseForeign(request.headers, port)
    if (foreign) return sendFailure(response, foreign)
    const path = (request.url ?? '/').split('?')[0] ?? '/'
    const mounted = mounts.get(longestPrefix([...mounts.keys()], path) ?? NOWHERE)
    if ((mounted?.authorisation ?? 'bearer') === 'bearer') {
      const unauthorised = refuseUnauthorised(request.headers, token)
      if (unauthorised) return sendFailure(response, unauthorised)
      bounds.trust(request)
    }
    if (!mounted) throw new HttpError(404, RpcErrorCode.connectionClosed, `There is nothing at ${path}.`)
    await mounted.handler(request, response)
  }

  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    bounds.guardBody(request, response)
    route(request, response).catch((error: unknown) => {
      if (error instanceof HttpError) return sendHttpError(response, error)
      logger.error('http request failed', { path: request.url, error: messageOf(error) })
      sendFailure(response, { status: 500, code: RpcErrorCode.internal, message: messageOf(error) })
    })
  }

  const servers: Server[] = []
  const create = (): Server => {
    const server = createServer(listener)
    bounds.watch(server)
    // A large body may take long while data arrives; keepAliveTimeout ends idle connections.
    server.requestTimeout = 0
    // Clients are told 5 s. A late call on a closing connection might or might not have been executed.
    server.keepAliveTimeoutBuffer = LATE_CLIENT_MS
    servers.push(server)
    return server
  }
  const port = await listenOnLoopback(create, options.port, options.ipv6 === true)
  logger.info('http open', { port })

  return {
    port,
    url: `http://127.0.0.1:${port}`,
    mount,
    refuseUnauthorised: (request) => refuseUnauthorised(request.headers, token),
    trust: bounds.trust,
    sessions: () => endpoints?.sessions ?? 0,
    close: async () => {
      const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)))
      await (await loading?.catch(() => undefined))?.closeAll()
      // Last answers are written in the turn in which their sessions end.
      await new Promise((resolve) => setImmediate(resolve))
      for (const server of servers) server.closeAllConnections()
      await Promise.all(closed)
    },
  }
}

/** No path starts like this, so nothing is mounted there. */
const NOWHERE = 'nowhere'

const longestPrefix = (prefixes: readonly string[], path: string): string | undefined =>
  prefixes
    .filter((prefix) => path === prefix || path.startsWith(`${prefix}/`))
    .sort((a, b) => b.length - a.length)[0]
