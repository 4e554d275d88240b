import {
  isJsonObject,
  type JsonObject,
  type JsonRpcMessage,
  type RequestId,
  RpcError,
  RpcErrorCode,
} from './json-rpc.ts'
import { messageOf } from '../ground/errors.ts'

export function failureOf(id: RequestId, error: unknown): JsonRpcMessage {
  const failure = error instanceof RpcError ? error : new RpcError(RpcErrorCode.internal, messageOf(error))
  return { jsonrpc: '2.0', id, error: failure.toWire() }
}

/** Undefined if malformed. */
export function errorIn(error: unknown): RpcError | undefined {
  if (!isJsonObject(error)) return undefined
  const { code, message, data, ...others } = error
  return typeof code === 'number' && typeof message === 'string'
    ? new RpcError(code, message, data, others, Object.keys(error))
    : undefined
}

export const excerpt = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 200)

export const relation = (id: RequestId | undefined): { relatedRequestId: RequestId } | undefined =>
  id === undefined ? undefined : { relatedRequestId: id }

/** Replaces the caller's token, or removes it without a listener. */
export function withProgressToken(
  params: JsonObject | undefined,
  token: number | undefined,
): JsonObject | undefined {
  const meta = params?.['_meta']
  if (token !== undefined)
    return { ...params, _meta: { ...(isJsonObject(meta) ? meta : {}), progressToken: token } }
  if (!isJsonObject(meta) || !('progressToken' in meta)) return params
  const { progressToken: _, ...rest } = meta
  return { ...params, _meta: rest }
}
