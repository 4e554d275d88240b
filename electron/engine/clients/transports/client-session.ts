import type { JsonObject, RequestId } from '../../protocol/json-rpc.ts'
import type { Era } from '../../protocol/era.ts'

export type SessionScope =
  | { kind: 'all'; profile?: string }
  | { kind: 'server'; serverId: string }
  | { kind: 'sluice' }

export interface ClientIdentity {
  /** Owner of results, cache and ledger rows: `--client NAME`, or self-reported. */
  name?: string
  /** Unverified name. */
  isSelfNamed?: boolean
  cwd?: string
  env?: Readonly<Record<string, string>>
}

export interface ClientRequest {
  id: RequestId
  method: string
  params: JsonObject | undefined
  signal: AbortSignal
  /** Of a 2026-07-28 HTTP request. */
  header?: (name: string) => string | undefined
  notify(method: string, params?: JsonObject): void
}

/** Modern clients accept no requests: `ask` rejects. */
export interface ClientLink {
  readonly era: Era
  notify(method: string, params?: JsonObject): void
  ask(
    method: string,
    params: JsonObject | undefined,
    options?: { signal?: AbortSignal; onProgress?: (params: JsonObject) => void },
  ): Promise<JsonObject>
}

export interface ClientSession {
  readonly id: string
  /** Throws RpcError. */
  handleRequest(request: ClientRequest): Promise<JsonObject>
  handleNotification(method: string, params: JsonObject | undefined): void
  /** Ends its upstream processes, too; resolves when confirmed. Idempotent. */
  close(): Promise<void>
}

export interface OpenSessionOptions {
  scope: SessionScope
  client: ClientIdentity
  link: ClientLink
}

export type OpenSession = (options: OpenSessionOptions) => ClientSession
