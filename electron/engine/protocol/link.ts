import type { JsonObject } from './json-rpc.ts'
import type { ClientHello, ServerHello } from './era.ts'
import type { ServerSettings } from '../../../shared/settings.ts'

export interface UpstreamRequestOptions {
  signal?: AbortSignal
  /** Of `notifications/progress`; `progressToken` is the link's. */
  onProgress?: (params: JsonObject) => void
  onRelated?: (method: string, params: JsonObject | undefined) => void
  /** For a task-only tool: older servers are called with a task. */
  asTask?: boolean
  timeoutMs?: number
  /** Error text on timeout. */
  lateWords?: string
}

export interface UpstreamEvents {
  onNotification(method: string, params: JsonObject | undefined): void
  /**
   * Sampling, elicitation, roots: answered by the session's client. Throw RpcError to refuse. `notify` sends progress
   * on this request (with the token in `params`).
   */
  onRequest(
    method: string,
    params: JsonObject | undefined,
    signal: AbortSignal,
    notify: (method: string, params?: JsonObject) => void,
  ): Promise<JsonObject>
  /** A modern client answered by repeating its request, not through `onRequest`. */
  onAnswered?(method: string, answer: JsonObject): void
  /** Undefined when reachable again. */
  onReach?(failure: string | undefined): void
  onLost(error: Error): void
}

/** Any transport and era. Requests resolve with the unchanged `result`. */
export interface UpstreamLink {
  readonly serverId: string
  readonly hello: ServerHello
  /** Client capabilities. */
  readonly announced: JsonObject
  readonly folder?: string | undefined
  readonly pid: number | undefined
  request(
    method: string,
    params: JsonObject | undefined,
    options?: UpstreamRequestOptions,
  ): Promise<JsonObject>
  notify(method: string, params?: JsonObject): Promise<void>
  isOpen(): boolean
  /**
   * Starts a server that is only remembered; if it offers something else now, its lists are said to have changed.
   * Undefined: it runs.
   */
  wake?(): Promise<void> | undefined
  /** For stdio ends the whole process group; resolves when it has ended. */
  close(): Promise<void>
}

export interface OpenLinkOptions {
  serverId: string
  settings: ServerSettings
  /** Forwarded unchanged, so that the server sees the real client. */
  client: ClientHello
  /** Of a stdio server whose settings name none; `env` is inherited. */
  cwd?: string
  env?: Readonly<Record<string, string>>
  events: UpstreamEvents
  signal?: AbortSignal
}

export type DialOptions = Omit<OpenLinkOptions, 'events'>

/** Negotiates the era (the client's first); resolves after the server's introduction. */
export type OpenLink = (options: OpenLinkOptions) => Promise<UpstreamLink>
