import type { Interceptor } from '../message/call.ts'
import { RpcError, RpcErrorCode } from '../protocol/json-rpc.ts'

/** Fails closed: no call without a current, approved definition. The session gives the reason in `refusal`. */
export const requireApproval: Interceptor = (next) =>
  function requireApproval(call) {
    const { refusal } = call
    if (refusal === undefined && call.definition !== undefined) return next(call)
    if (refusal === undefined)
      return Promise.reject(new RpcError(RpcErrorCode.invalidParams, `Unknown tool: ${call.tool}`))
    return Promise.resolve({
      result: { content: [{ type: 'text', text: refusal }], isError: true },
      refusedBy: 'require-approval',
    })
  }
