import type { JsonObject } from './json-rpc.ts'
import type { ClientHello, ServerHello } from './era.ts'
import type { ServerSettings } from '../../../shared/settings.ts'

export interface UpstreamRequestOptions {
  signal?: AbortSignal
  /** Called with the params of each `notifications/progress` of this request; their `progressToken` is the link's. */
  onProgress?: (params: JsonObject) => void
  /** Called for other notifications tied to this request (HTTP: on its stream). */
  onRelated?: (method: string, params: JsonObject | undefined) => void
  /** The tool runs only as a task and the client wants its result: older servers are called as a task. */
  asTask?: boolean
  /** Milliseconds without answer or progress before cancelling; undefined waits for ever. */
  timeoutMs?: number
  /** The error text on timeout. */
  lateWords?: string
}

/** A server's requests and notifications to the session that owns the link. */
export interface UpstreamEvents {
  onNotification(method: string, params: JsonObject | undefined): void
  /**
   * Sampling, elicitation, roots: answered by the session's client. Throw RpcError to refuse. `notify` reports on
   * this request to the server (progress, with the token in `params`).
   */
  onRequest(
    method: string,
    params: JsonObject | undefined,
    signal: AbortSignal,
    notify: (method: string, params?: JsonObject) => void,
  ): Promise<JsonObject>
  /** A modern client answered a legacy server's request by repeating its own, not through `onRequest`. */
  onAnswered?(method: string, answer: JsonObject): void
  /** Why the server is unreachable while connected; undefined when reachable again. */
  onReach?(failure: string | undefined): void
  /** The connection ended without `close()`; all requests in flight were rejected. */
  onLost(error: Error): void
}

/** A connection to one MCP server of any transport and era. Requests resolve with the unchanged `result`. */
export interface UpstreamLink {
  readonly serverId: string
  readonly hello: ServerHello
  /** Client capabilities announced to the server. */
  readonly announced: JsonObject
  /** A stdio server's start folder. */
  readonly folder?: string | undefined
  /** Of a stdio server. */
  readonly pid: number | undefined
  request(
    method: string,
    params: JsonObject | undefined,
    options?: UpstreamRequestOptions,
  ): Promise<JsonObject>
  notify(method: string, params?: JsonObject): Promise<void>
  /** False once closed or lost: requests are no longer answered. */
  isOpen(): boolean
  /** Ends the connection and, for stdio, the whole process group; resolves when it has ended. */
  close(): Promise<void>
}

export interface OpenLinkOptions {
  serverId: string
  settings: ServerSettings
  /** Forwarded unchanged, so that the server sees the real client. */
  client: ClientHello
  /** A stdio server's start folder if its settings name none, and its inherited environment. */
  cwd?: string
  env?: Readonly<Record<string, string>>
  events: UpstreamEvents
  signal?: AbortSignal
}

/** Options of the connection itself. */
export type DialOptions = Omit<OpenLinkOptions, 'events'>

/** Connects and negotiates the era (the client's first); resolves after the server's introduction. */
export type OpenLink = (options: OpenLinkOptions) => Promise<UpstreamLink>
