import type { JsonObject } from './json-rpc.ts'
import type { ClientHello, ServerHello } from './era.ts'
import type { ServerSettings } from '../../../shared/settings.ts'

export interface UpstreamRequestOptions {
  signal?: AbortSignal
  /** Called for each `notifications/progress` of this request with its params; their `progressToken` is the link's own. */
  onProgress?: (params: JsonObject) => void
  /** Called for every other notification that the server tied to this request (HTTP: on the request's own stream). */
  onRelated?: (method: string, params: JsonObject | undefined) => void
  /** The tool runs as a task alone, and the client asked for its result: an older server is called so. */
  asTask?: boolean
  /** Milliseconds without an answer or progress before the request is cancelled; undefined waits for ever. */
  timeoutMs?: number
  /** What the caller is told then. */
  lateWords?: string
}

/** What a server may ask of, or tell, the session that owns the link. */
export interface UpstreamEvents {
  onNotification(method: string, params: JsonObject | undefined): void
  /**
   * Sampling, elicitation, roots: answered by the client that owns the session. Throw RpcError to refuse.
   * `notify` tells the server something about this request (progress, with the token that `params` carry).
   */
  onRequest(
    method: string,
    params: JsonObject | undefined,
    signal: AbortSignal,
    notify: (method: string, params?: JsonObject) => void,
  ): Promise<JsonObject>
  /** A modern client answered a legacy server's question, in a repeated request and not through `onRequest`. */
  onAnswered?(method: string, answer: JsonObject): void
  /** Why there is no way to the server now, though the connection stays; undefined when there is one again. */
  onReach?(failure: string | undefined): void
  /** The connection ended without `close()` being called; every request in flight has been rejected. */
  onLost(error: Error): void
}

/** One connection to one MCP server, whatever its transport and era. Requests resolve with the untouched `result`. */
export interface UpstreamLink {
  readonly serverId: string
  readonly hello: ServerHello
  /** What the server was told that its client can do. */
  readonly announced: JsonObject
  /** Where a stdio server was started. */
  readonly folder?: string | undefined
  /** Process id of a stdio server. */
  readonly pid: number | undefined
  request(
    method: string,
    params: JsonObject | undefined,
    options?: UpstreamRequestOptions,
  ): Promise<JsonObject>
  notify(method: string, params?: JsonObject): Promise<void>
  /** False once it was closed or lost: nothing that is asked of it is answered any more. */
  isOpen(): boolean
  /** Ends the connection and, for stdio, the whole process group; resolves when its end is confirmed. */
  close(): Promise<void>
}

export interface OpenLinkOptions {
  serverId: string
  settings: ServerSettings
  /** Forwarded as it is, so that the server sees the real client. */
  client: ClientHello
  /** Where a stdio server starts when its settings name no folder, and the environment it inherits. */
  cwd?: string
  env?: Readonly<Record<string, string>>
  events: UpstreamEvents
  signal?: AbortSignal
}

/** All that concerns the connection itself. */
export type DialOptions = Omit<OpenLinkOptions, 'events'>

/** Connects, negotiates the era (the client's own first) and resolves when the server has introduced itself. */
export type OpenLink = (options: OpenLinkOptions) => Promise<UpstreamLink>
