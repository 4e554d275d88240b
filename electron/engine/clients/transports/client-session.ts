import type { JsonObject, RequestId } from '../../protocol/json-rpc.ts'
import type { Era } from '../../protocol/era.ts'

/** Which part of Sluice a client connected to. */
export type SessionScope =
  | { kind: 'all' }
  | { kind: 'server'; serverId: string }
  /** Only Sluice's own exploration tools: the one `sluice` entry that wrapping adds. */
  | { kind: 'sluice' }

export interface ClientIdentity {
  /** Owner of results, cache and ledger rows: `--client NAME`, otherwise the client's own name. */
  name?: string
  /** It has only its own word for its name. */
  isSelfNamed?: boolean
  cwd?: string
  env?: Readonly<Record<string, string>>
}

/** One request of a client, as a session sees it. */
export interface ClientRequest {
  /** The client's request id, which names modern subscriptions. */
  id: RequestId
  method: string
  params: JsonObject | undefined
  signal: AbortSignal
  /** Header of a 2026-07-28 HTTP request, which must be checked. */
  header?: (name: string) => string | undefined
  /** Sends a notification that belongs to this request. */
  notify(method: string, params?: JsonObject): void
}

/** A session's way to its client. Modern clients accept no requests: `ask` rejects. */
export interface ClientLink {
  readonly era: Era
  notify(method: string, params?: JsonObject): void
  ask(
    method: string,
    params: JsonObject | undefined,
    options?: { signal?: AbortSignal; onProgress?: (params: JsonObject) => void },
  ): Promise<JsonObject>
}

/** One connected client. Created by `openSession`, driven by a downstream transport. */
export interface ClientSession {
  readonly id: string
  /** Resolves with the `result`; throws RpcError for a JSON-RPC error. */
  handleRequest(request: ClientRequest): Promise<JsonObject>
  handleNotification(method: string, params: JsonObject | undefined): void
  /** Ends the session and its upstream processes; resolves when confirmed. Idempotent. */
  close(): Promise<void>
}

export interface OpenSessionOptions {
  scope: SessionScope
  client: ClientIdentity
  link: ClientLink
}

export type OpenSession = (options: OpenSessionOptions) => ClientSession
