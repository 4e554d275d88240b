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
  /** 0: any free one. */
  readonly port: number
  readonly token: string
  readonly openSession: OpenSession
  readonly logger: Logger
  readonly maxMessageBytes: number
  readonly parseLarge?: ParseLarge | undefined
  serverExists(serverId: string): boolean
  /** Undefined: there is one. */
  whyNoProfile?(name: string): string | undefined
  /** Idle limit; default 30 min. */
  readonly sessionIdleMs?: number
  /** Per transport; default 64. */
  readonly maxSessions?: number
  readonly ipv6?: boolean
}

type HttpHandler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

/**
 * `bearer`: with token. `own`: the handler decides, because page addresses carry no token. Host and Origin are always
 * checked.
 */
type Authorisation = 'bearer' | 'own' | 'public'

export interface HttpServer {
  readonly port: number
  readonly url: string
  /** With subpaths; the longest match wins. Default: bearer. */
  mount(prefix: string, handler: HttpHandler, authorisation?: Authorisation): void
  refuseUnauthorised(request: IncomingMessage): Refusal | undefined
  readonly trust: (request: IncomingMessage) => void
  sessions(): number
  /** Ends all sessions; resolves when confirmed. */
  close(): Promise<void>
}

const LATE_CLIENT_MS = 60_000
const HALF_AN_HOUR_MS = 30 * 60 * 1000

/** On loopback addresses only. */
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
      // The browser has gone to another page while it loaded this one.
      if (error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE') return
      logger.error('http request failed', { path: request.url, error: messageOf(error) })
      sendFailure(response, { status: 500, code: RpcErrorCode.internal, message: messageOf(error) })
    })
  }

  const servers: Server[] = []
  const create = (): Server => {
    const server = createServer(listener)
    bounds.watch(server)
    // Large bodies may take long; keepAliveTimeout ends idle connections.
    server.requestTimeout = 0
    // Clients see 5 s. A late call on a closing connection may or may not be executed.
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
      // Last answers are written in the same turn.
      await new Promise((resolve) => setImmediate(resolve))
      for (const server of servers) server.closeAllConnections()
      await Promise.all(closed)
    },
  }
}

/** Nothing is mounted under this path. */
const NOWHERE = 'nowhere'

const longestPrefix = (prefixes: readonly string[], path: string): string | undefined =>
  prefixes
    .filter((prefix) => path === prefix || path.startsWith(`${prefix}/`))
    .sort((a, b) => b.length - a.length)[0]
