import type {
  ClientIdentity,
  OpenSession,
  SessionScope,
} from '../../electron/engine/clients/transports/client-session.ts'
import type { JsonObject } from '../../electron/engine/protocol/json-rpc.ts'

export interface RawSessionOptions {
  readonly scope?: SessionScope
  readonly era?: 'legacy' | 'modern'
  readonly capabilities?: JsonObject
  readonly client?: ClientIdentity
  /** To server requests. */
  readonly onAsk?: (method: string, params: JsonObject | undefined) => JsonObject
}

export function rawSession(
  openSession: OpenSession,
  {
    scope = { kind: 'server', serverId: 's' },
    era = 'legacy',
    capabilities = {},
    client = { name: 'raw' },
    onAsk,
  }: RawSessionOptions = {},
) {
  const told: { method: string; params: JsonObject | undefined }[] = []
  const asked: string[] = []
  const notify = (method: string, params?: JsonObject): void => void told.push({ method, params })
  const ask = async (method: string, params: JsonObject | undefined): Promise<JsonObject> => {
    asked.push(method)
    if (onAsk) return onAsk(method, params)
    throw new Error('Nobody answers.')
  }
  const session = openSession({ scope, client, link: { era, notify, ask } })
  const clientInfo = { name: 'raw', version: '1' }
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  }
  let id = 0
  const request = (method: string, params: JsonObject = {}): Promise<JsonObject> =>
    session.handleRequest({
      id: ++id,
      method,
      params: era === 'modern' ? { ...params, _meta: envelope } : params,
      signal: new AbortController().signal,
      notify,
    })
  /** In its era's way. */
  const introduce = async (): Promise<JsonObject> => {
    if (era === 'modern') return request('server/discover')
    const hello = await request('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo })
    session.handleNotification('notifications/initialized', undefined)
    return hello
  }
  return { told, asked, request, introduce, close: () => session.close() }
}
