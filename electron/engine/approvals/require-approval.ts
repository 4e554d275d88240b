import type { Interceptor } from '../message/call.ts'
import { RpcError, RpcErrorCode } from '../protocol/json-rpc.ts'

/**
 * Lets only calls pass whose tool the user has approved as it is now: the session looked that up and says in `refusal`
 * why not. Fails closed: without a live, approved definition there is no call.
 */
export const requireApproval: Interceptor = (next) =>
  function requireApproval(call) {
    const { refusal } = call
    if (refusal === undefined && call.definition !== undefined) return next(call)
    // As servers answer for a name that they do not have: there is nothing that anybody could approve.
    if (refusal === undefined)
      return Promise.reject(new RpcError(RpcErrorCode.invalidParams, `Unknown tool: ${call.tool}`))
    return Promise.resolve({
      result: { content: [{ type: 'text', text: refusal }], isError: true },
      refusedBy: 'require-approval',
    })
  }
