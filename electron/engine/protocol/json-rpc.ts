/** JSON-RPC 2.0 as MCP uses it, kept as plain values: unknown fields survive because nothing here parses them away. */
export type RequestId = string | number

export type JsonObject = { [key: string]: unknown }

export interface JsonRpcRequest {
  jsonrpc: '2.0'
  id: RequestId
  method: string
  params?: JsonObject
}

export interface JsonRpcNotification {
  jsonrpc: '2.0'
  method: string
  params?: JsonObject
}

export interface JsonRpcResult {
  jsonrpc: '2.0'
  id: RequestId
  result: JsonObject
}

export interface JsonRpcFailure {
  jsonrpc: '2.0'
  id?: RequestId | null
  error: { code: number; message: string; data?: unknown }
}

export type JsonRpcMessage = JsonRpcRequest | JsonRpcNotification | JsonRpcResult | JsonRpcFailure

export const isRequest = (message: JsonRpcMessage): message is JsonRpcRequest =>
  'method' in message && 'id' in message && message.id !== undefined && message.id !== null

export const isNotification = (message: JsonRpcMessage): message is JsonRpcNotification =>
  'method' in message && !('id' in message && message.id !== undefined && message.id !== null)

export const isResult = (message: JsonRpcMessage): message is JsonRpcResult =>
  'result' in message && 'id' in message

export const isFailure = (message: JsonRpcMessage): message is JsonRpcFailure => 'error' in message

const ANSWER_MEMBERS = new Set(['jsonrpc', 'id', 'result', 'error'])

/** An answer but for the version, and nothing else: such as no log line is. Who asked must not wait for another one. */
export const isVersionless = (value: unknown): value is { readonly id: RequestId } =>
  isJsonObject(value) &&
  value['jsonrpc'] !== '2.0' &&
  (typeof value['id'] === 'string' || typeof value['id'] === 'number') &&
  ('result' in value || 'error' in value) &&
  Object.keys(value).every((key) => ANSWER_MEMBERS.has(key))

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A string member of an object that came from outside; empty where it is missing or something else. */
export const stringIn = (object: JsonObject | undefined, key: string): string => {
  const value = object?.[key]
  return typeof value === 'string' ? value : ''
}

/** Error codes of JSON-RPC and of MCP that Sluice itself answers with. */
export const RpcErrorCode = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** MCP 2025: a resource that does not exist. */
  resourceNotFound: -32002,
  /** The peer went away before it answered. */
  connectionClosed: -32000,
  requestTimeout: -32001,
  /** MCP 2025-11-25: pages have to be opened before the call can be made. 2026-07-28 has no such error. */
  urlElicitationRequired: -32042,
  /** MCP 2026-07-28: the server would have to ask what the client did not say that it can answer. */
  missingClientCapability: -32021,
  /** MCP 2026-07-28: the protocol version is not spoken here. */
  unsupportedProtocolVersion: -32022,
} as const

/** MCP 2026-07-28: a header contradicts the body, or is missing. */
export const HEADER_MISMATCH = -32020

/** All of an error that may hold words: what is masked, cleaned or scanned of one is of all. */
export interface SaidInError {
  readonly message: string
  readonly data?: unknown
  /** Members that JSON-RPC does not know. */
  readonly others: JsonObject
}

/** A JSON-RPC error response as it travelled or will travel, code and data untouched. */
export class RpcError extends Error {
  readonly code: number
  readonly data: unknown
  readonly others: JsonObject
  /** Its members as they came. */
  readonly #order: readonly string[]

  constructor(
    code: number,
    message: string,
    data?: unknown,
    others: JsonObject = {},
    order: readonly string[] = ['code', 'message', 'data'],
  ) {
    super(message)
    this.name = 'RpcError'
    this.code = code
    this.data = data
    this.others = others
    this.#order = order
  }

  get said(): SaidInError {
    const { message, data, others } = this
    return { message, data, others }
  }

  /** The same error in other words. */
  saying({ message, data, others }: SaidInError, code = this.code): RpcError {
    return new RpcError(code, message, data, others, this.#order)
  }

  toWire(): JsonRpcFailure['error'] {
    const { code, message, data, others } = this
    const wire = { ...others, code, message, ...(data === undefined ? {} : { data }) }
    const known = this.#order.filter((key) => Object.hasOwn(wire, key))
    // Spreading keeps the first place of a key, and how values were written (exact-json.ts).
    return { ...Object.fromEntries(known.map((key) => [key, undefined])), ...wire }
  }
}
