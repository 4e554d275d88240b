import type { Interceptor, ToolCall, ToolOutcome } from '../message/call.ts'
import { SluiceError } from '../ground/errors.ts'
import { RpcError, RpcErrorCode, type JsonObject } from '../protocol/json-rpc.ts'
import { checkToolSettings } from './check-tool-settings.ts'
import { parsePath, withoutValueAt, withValueAt } from './parameter-paths.ts'
import { BYPASS_PARAMETER, GOAL_PARAMETER } from './present-tool.ts'

export const shapeArguments: Interceptor = (next) => {
  const shaped = async (call: ToolCall): Promise<ToolOutcome> => {
    const { policy, arguments: sent = {} } = call
    if (policy.hidden) {
      throw new RpcError(RpcErrorCode.invalidParams, `Unknown tool: ${call.tool}`)
    }
    refuseMisfit(call)
    const { [GOAL_PARAMETER]: goal, [BYPASS_PARAMETER]: bypass, ...own } = sent
    const seen = policy.hideParameters.reduce<JsonObject>(
      (args, path) => withoutValueAt(args, parsePath(path)),
      own,
    )
    const args = Object.entries(policy.parameterOverrides).reduce<JsonObject>(
      (values, [path, value]) => withValueAt(values, parsePath(path), value),
      seen,
    )
    const outcome = await next({
      ...call,
      arguments: args,
      goal: typeof goal === 'string' && goal.trim() !== '' ? goal.trim() : undefined,
      bypass: bypass === true,
    })
    const isChanged = JSON.stringify(args) !== JSON.stringify(own)
    return isChanged ? { ...outcome, shapedArguments: args } : outcome
  }
  return function shapeArguments(call) {
    return isAsItCame(call) ? next(call) : shaped(call)
  }
}

function isAsItCame({ policy, arguments: args, goal, bypass }: ToolCall): boolean {
  if (policy.hidden || hasSettings(policy) || goal !== undefined || bypass) return false
  return args?.[GOAL_PARAMETER] === undefined && args?.[BYPASS_PARAMETER] === undefined
}

const hasSettings = ({ hideParameters, parameterOverrides }: ToolCall['policy']): boolean =>
  hideParameters.length > 0 || Object.keys(parameterOverrides).length > 0

/** The server would reject the call without mentioning config.json. */
function refuseMisfit({ definition, policy, serverId, tool }: ToolCall): void {
  if (!definition || !hasSettings(policy)) return
  const fault = checkToolSettings(definition, policy).find(({ severity }) => severity === 'error')
  if (!fault) return
  throw new SluiceError(
    'CALL_REFUSED',
    `The tool "${tool}" was not called, because Sluice's settings for it don't fit: ${fault.message} ` +
      `Its settings are in config.json under servers.${serverId}.tools.${tool}.`,
    { data: { serverId, tool } },
  )
}
