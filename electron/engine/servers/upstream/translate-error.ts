import type { Era } from '../../protocol/era.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import { RpcError, RpcErrorCode } from '../../protocol/json-rpc.ts'

export function translateError(error: unknown, server: Era, client: Era): unknown {
  if (!(error instanceof RpcError) || server === client) return error
  if (client === 'modern')
    return error.code === RpcErrorCode.resourceNotFound
      ? error.saying(error.fields, RpcErrorCode.invalidParams)
      : error
  return isCapabilityMissing(error)
    ? new RpcError(RpcErrorCode.internal, error.message, undefined, error.others)
    : error
}

const isCapabilityMissing = (error: unknown): error is RpcError =>
  error instanceof RpcError && error.code === RpcErrorCode.missingClientCapability

/** Legacy servers report it as a result, and legacy clients don't know the error. */
export const refusalAsResult = (method: string, error: unknown): JsonObject | undefined =>
  method === 'tools/call' && isCapabilityMissing(error)
    ? { content: [{ type: 'text', text: error.message }], isError: true }
    : undefined
