import type { Era } from '../../protocol/era.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import { RpcError, RpcErrorCode } from '../../protocol/json-rpc.ts'

/** A server's error in the codes that its client's era knows. */
export function translateError(error: unknown, server: Era, client: Era): unknown {
  if (!(error instanceof RpcError) || server === client) return error
  if (client === 'modern')
    return error.code === RpcErrorCode.resourceNotFound
      ? error.saying(error.said, RpcErrorCode.invalidParams)
      : error
  return isCapabilityMissing(error)
    ? new RpcError(RpcErrorCode.internal, error.message, undefined, error.others)
    : error
}

const isCapabilityMissing = (error: unknown): error is RpcError =>
  error instanceof RpcError && error.code === RpcErrorCode.missingClientCapability

/**
 * A modern server that would have to ask what its legacy client can't answer refuses the call with an error that only
 * modern clients know; legacy servers say so in the result, for the model. Undefined for other errors.
 */
export const refusalAsResult = (method: string, error: unknown): JsonObject | undefined =>
  method === 'tools/call' && isCapabilityMissing(error)
    ? { content: [{ type: 'text', text: error.message }], isError: true }
    : undefined
