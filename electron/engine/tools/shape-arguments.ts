import type { Interceptor } from '../call.ts'
import { RpcError, RpcErrorCode, type JsonObject } from '../protocol/json-rpc.ts'
import { parsePath, withValueAt } from './parameter-paths.ts'
import { BYPASS_PARAMETER, GOAL_PARAMETER } from './present-tool.ts'

/**
 * Turns the model's arguments into the server's: takes off Sluice's own parameters and puts overridden values in
 * place. Fails closed: a hidden tool can't be called.
 */
export const shapeArguments: Interceptor = (next) =>
  async function shapeArguments(call) {
    if (call.policy.hidden) {
      throw new RpcError(RpcErrorCode.invalidParams, `Unknown tool: ${call.tool}`)
    }
    const sent: JsonObject = call.arguments ?? {}
    const { [GOAL_PARAMETER]: goal, [BYPASS_PARAMETER]: bypass, ...own } = sent
    const overrides = Object.entries(call.policy.parameterOverrides)
    const shaped = overrides.reduce<JsonObject>(
      (args, [path, value]) => withValueAt(args, parsePath(path), value),
      own,
    )
    const untouched = goal === undefined && bypass === undefined && overrides.length === 0
    return next({
      ...call,
      arguments: untouched ? call.arguments : shaped,
      goal: typeof goal === 'string' && goal.trim() !== '' ? goal.trim() : undefined,
      bypass: bypass === true,
    })
  }
