/** Plain values, so that unknown fields survive. */
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

/** Lacks only the version, as no log line does. Fails its request at once. */
export const isVersionless = (value: unknown): value is { readonly id: RequestId } =>
  isJsonObject(value) &&
  value['jsonrpc'] !== '2.0' &&
  (typeof value['id'] === 'string' || typeof value['id'] === 'number') &&
  ('result' in value || 'error' in value) &&
  Object.keys(value).every((key) => ANSWER_MEMBERS.has(key))

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const stringIn = (object: JsonObject | undefined, key: string): string => {
  const value = object?.[key]
  return typeof value === 'string' ? value : ''
}

export const RpcErrorCode = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** MCP 2025. */
  resourceNotFound: -32002,
  /** Before answering. */
  connectionClosed: -32000,
  requestTimeout: -32001,
  /** MCP 2025-11-25: the user must open pages before the call. Absent in 2026-07-28. */
  urlElicitationRequired: -32042,
  /** MCP 2026-07-28: the client didn't declare a needed capability. */
  missingClientCapability: -32021,
  /** MCP 2026-07-28. */
  unsupportedProtocolVersion: -32022,
} as const

/** MCP 2026-07-28: a header is missing or contradicts the body. */
export const HEADER_MISMATCH = -32020

export interface ErrorFields {
  readonly message: string
  readonly data?: unknown
  readonly others: JsonObject
}

/** Code and data unchanged. */
export class RpcError extends Error {
  readonly code: number
  readonly data: unknown
  readonly others: JsonObject
  /** In original order. */
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

  get fields(): ErrorFields {
    const { message, data, others } = this
    return { message, data, others }
  }

  saying({ message, data, others }: ErrorFields, code = this.code): RpcError {
    return new RpcError(code, message, data, others, this.#order)
  }

  toWire(): JsonRpcFailure['error'] {
    const { code, message, data, others } = this
    const wire = { ...others, code, message, ...(data === undefined ? {} : { data }) }
    const known = this.#order.filter((key) => Object.hasOwn(wire, key))
    // Spreading keeps key order and source texts (exact-json.ts).
    return { ...Object.fromEntries(known.map((key) => [key, undefined])), ...wire }
  }
}

/** Created by Sluice, not received from the peer. */
export class OwnRpcError extends RpcError {}
