import type {
  ClientRequest,
  ClientSession,
  OpenSession,
  OpenSessionOptions,
} from '../../../../electron/engine/clients/transports/client-session.ts'
import { MetaKey } from '../../../../electron/engine/protocol/era.ts'
import { clientHelloOf, isModernRequest, metaOf } from '../../../../electron/engine/protocol/era-bridge.ts'
import type { JsonObject } from '../../../../electron/engine/protocol/json-rpc.ts'
import { RpcError, RpcErrorCode } from '../../../../electron/engine/protocol/json-rpc.ts'

export interface EchoSession extends ClientSession {
  readonly options: OpenSessionOptions
  readonly requests: ClientRequest[]
  answered: number
  readonly notifications: string[]
  /** Listeners of an open `subscriptions/listen`. */
  readonly listeners: Set<(method: string) => void>
  /** Aborted by `close`. */
  readonly ended: AbortSignal
}

const capabilities = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  logging: {},
}
const serverInfo = { name: 'echo', version: '1.0.0' }
const tools = ['echo', 'wait', 'ask', 'big', 'steps'].map((name) => ({
  name,
  inputSchema: { type: 'object' },
}))

/** Replaces the engine behind the transports: answers like a small MCP server of either era. */
export function echoSessions(): { openSession: OpenSession; sessions: EchoSession[] } {
  const sessions: EchoSession[] = []
  return { sessions, openSession: (options) => openEchoSession(options, sessions) }
}

function openEchoSession(options: OpenSessionOptions, sessions: EchoSession[]): EchoSession {
  const ending = new AbortController()
  const session: EchoSession = {
    id: `session-${sessions.length}`,
    options,
    requests: [],
    answered: 0,
    notifications: [],
    listeners: new Set(),
    ended: ending.signal,
    handleRequest: async (request) => {
      session.requests.push(request)
      const result = await answer(request, session)
      session.answered++
      return isModernRequest(request.params)
        ? {
            resultType: 'complete',
            ...result,
            _meta: { [MetaKey.serverInfo]: serverInfo, ...metaOf(result) },
          }
        : result
    },
    handleNotification: (method) => void session.notifications.push(method),
    close: async () => ending.abort(),
  }
  sessions.push(session)
  return session
}

async function answer(request: ClientRequest, session: EchoSession): Promise<JsonObject> {
  const { method, params } = request
  switch (method) {
    case 'initialize':
      return { protocolVersion: clientHelloOf(params).protocolVersion, capabilities, serverInfo }
    case 'server/discover':
      return { supportedVersions: ['2026-07-28'], capabilities, serverInfo, ttlMs: 0, cacheScope: 'private' }
    case 'ping':
    case 'logging/setLevel':
      return {}
    case 'subscriptions/listen':
      return listen(request, session)
    case 'tools/list':
      return { tools, ttlMs: 0, cacheScope: 'private' }
    case 'tools/call':
      return callTool(String(params?.['name']), request, session)
    default:
      throw new RpcError(RpcErrorCode.methodNotFound, `${method} is not known here`, { method })
  }
}

const text = (value: string): JsonObject => ({ content: [{ type: 'text', text: value }] })

async function callTool(name: string, request: ClientRequest, session: EchoSession): Promise<JsonObject> {
  const given = request.params?.['arguments']
  switch (name) {
    case 'echo':
      return text(JSON.stringify(given))
    case 'big':
      return text('x'.repeat(20_000_000))
    case 'ask':
      return text(JSON.stringify(await session.options.link.ask('roots/list', undefined)))
    case 'steps': {
      const { progressToken } = metaOf(request.params)
      for (const progress of [1, 2, 3]) {
        request.notify('notifications/progress', { progressToken, progress, total: 3 })
        // The v1 client drops progress that arrives together with the answer.
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      return text('done')
    }
    default:
      await new Promise((_, reject) =>
        request.signal.addEventListener('abort', () => reject(request.signal.reason)),
      )
      return {}
  }
}

async function listen(request: ClientRequest, session: EchoSession): Promise<JsonObject> {
  const _meta = { [MetaKey.subscriptionId]: request.id }
  const tell = (method: string): void => request.notify(method, { _meta })
  request.notify('notifications/subscriptions/acknowledged', {
    notifications: { toolsListChanged: true },
    _meta,
  })
  session.listeners.add(tell)
  await new Promise<void>((resolve) => {
    request.signal.addEventListener('abort', () => resolve())
    session.ended.addEventListener('abort', () => resolve())
  })
  session.listeners.delete(tell)
  return { _meta }
}
