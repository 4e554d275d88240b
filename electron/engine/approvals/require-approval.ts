import type { Interceptor } from '../call.ts'

/**
 * Lets only calls pass whose tool the user has approved as it is now: the session looked that up and says in `refusal`
 * why not. Fails closed: without a live, approved definition there is no call.
 */
export const requireApproval: Interceptor = (next) =>
  function requireApproval(call) {
    const reason =
      call.refusal ??
      (call.definition === undefined
        ? `Unknown tool: ${call.tool}. The approved list of server "${call.serverId}" does not contain it.`
        : undefined)
    if (reason === undefined) return next(call)
    return Promise.resolve({
      result: { content: [{ type: 'text', text: reason }], isError: true },
      refusedBy: 'require-approval',
    })
  }
