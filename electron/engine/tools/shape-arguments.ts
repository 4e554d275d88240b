import type { Interceptor, ToolCall } from '../message/call.ts'
import { SluiceError } from '../ground/errors.ts'
import { RpcError, RpcErrorCode, type JsonObject } from '../protocol/json-rpc.ts'
import { checkToolSettings } from './check-tool-settings.ts'
import { parsePath, withoutValueAt, withValueAt } from './parameter-paths.ts'
import { BYPASS_PARAMETER, GOAL_PARAMETER } from './present-tool.ts'

export const shapeArguments: Interceptor = (next) =>
  async function shapeArguments(call) {
    const { policy } = call
    if (policy.hidden) {
      throw new RpcError(RpcErrorCode.invalidParams, `Unknown tool: ${call.tool}`)
    }
    refuseMisfit(call)
    const sent: JsonObject = call.arguments ?? {}
    const { [GOAL_PARAMETER]: goal, [BYPASS_PARAMETER]: bypass, ...own } = sent
    const overrides = Object.entries(policy.parameterOverrides)
    const seen = policy.hideParameters.reduce<JsonObject>(
      (args, path) => withoutValueAt(args, parsePath(path)),
      own,
    )
    const shaped = overrides.reduce<JsonObject>(
      (args, [path, value]) => withValueAt(args, parsePath(path), value),
      seen,
    )
    const untouched =
      goal === undefined &&
      bypass === undefined &&
      overrides.length === 0 &&
      policy.hideParameters.length === 0
    const outcome = await next({
      ...call,
      arguments: untouched ? call.arguments : shaped,
      goal: typeof goal === 'string' && goal.trim() !== '' ? goal.trim() : undefined,
      bypass: bypass === true,
    })
    const isChanged = !untouched && JSON.stringify(shaped) !== JSON.stringify(own)
    return isChanged ? { ...outcome, shapedArguments: shaped } : outcome
  }

/** The server would reject the call without mentioning config.json. */
function refuseMisfit({ definition, policy, serverId, tool }: ToolCall): void {
  const isAsItCame = policy.hideParameters.length === 0 && Object.keys(policy.parameterOverrides).length === 0
  if (!definition || isAsItCame) return
  const fault = checkToolSettings(definition, policy).find(({ severity }) => severity === 'error')
  if (!fault) return
  throw new SluiceError(
    'CALL_REFUSED',
    `The tool "${tool}" was not called, because Sluice's settings for it don't fit: ${fault.message} ` +
      `Its settings are in config.json under servers.${serverId}.tools.${tool}.`,
    { data: { serverId, tool } },
  )
}
