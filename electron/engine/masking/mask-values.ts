import type { CallTool, Interceptor, ToolCall } from '../message/call.ts'
import { SluiceError, messageOf } from '../ground/errors.ts'
import { RpcError } from '../protocol/json-rpc.ts'
import type { Vaults } from './client-vaults.ts'
import { fitNumbers } from './fit-numbers.ts'
import { maskInValue, restoreForServer, restoreInValue } from './mask-in-value.ts'
import type { FindInTexts } from './mask-texts.ts'

export interface MaskValuesOptions {
  readonly vaults: Vaults
  readonly find: FindInTexts
}

/**
 * `from-server`: personal data in arguments; restored in results. At the client's edge, so that everything inside and
 * all records have placeholders only. Fails closed.
 */
export const hideFromServer =
  ({ vaults, find }: MaskValuesOptions): Interceptor =>
  (next) => {
    const hide: CallTool = async (call) => {
      const policy = call.policy.masking
      const vault = vaults.open(call.clientName, call.sessionId).hiddenFromServers
      const { arguments: args, inputResponses } = call
      const hidden = await orRefuse(callRefused(call), () =>
        maskInValue({ arguments: args, inputResponses }, vault, policy, find),
      )
      const outcome = await next({ ...call, ...hidden })
      const result = await orRefuse(resultWithheld(call), () => restoreInValue(outcome.result, vault))
      return { ...outcome, result }
    }
    return function hideFromServer(call) {
      return call.policy.masking.direction === 'from-server' ? hide(call) : next(call)
    }
  }

/**
 * `from-model`: personal data in results and errors; restored in arguments. Next to the server, so that everything
 * outside and all records have placeholders only. Fails closed.
 */
export const hideFromModel =
  ({ vaults, find }: MaskValuesOptions): Interceptor =>
  (next) => {
    const hide: CallTool = async (call) => {
      const policy = call.policy.masking
      const vault = vaults.open(call.clientName, call.sessionId).hiddenFromModel
      const mask = <Value>(value: Value): Promise<Value> =>
        orRefuse(resultWithheld(call), () => maskInValue(value, vault, policy, find))
      const { arguments: args, inputResponses } = call
      const real = await orRefuse(callRefused(call), () => {
        const restored = restoreForServer({ arguments: args, inputResponses }, vault, policy)
        return vault.size === 0
          ? restored
          : { ...restored, arguments: fitNumbers(args, restored.arguments, call.definition, vault) }
      })
      try {
        const outcome = await next({ ...call, ...real })
        return { ...outcome, result: await mask(outcome.result) }
      } catch (error) {
        throw call.signal.aborted || isRefusal(error) ? error : await maskedError(error, mask)
      }
    }
    return function hideFromModel(call) {
      return call.policy.masking.direction === 'from-model' ? hide(call) : next(call)
    }
  }

/** Errors quote, so they are masked like results. Their cause is for logs only. */
export async function maskedError(
  error: unknown,
  mask: <Value>(value: Value) => Promise<Value>,
): Promise<Error> {
  if (error instanceof RpcError) return error.saying(await mask(error.fields))
  const message = await mask(messageOf(error))
  return error instanceof SluiceError
    ? new SluiceError(error.code, message, { data: await mask({ ...error.data }) })
    : new Error(message)
}

export const isRefusal = (error: unknown): boolean =>
  error instanceof SluiceError && error.code === 'CALL_REFUSED'

/** Only Sluice's own messages are reported, because others may quote the text to hide. */
export async function orRefuse<Value>(what: string, step: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await step()
  } catch (error) {
    const why =
      error instanceof SluiceError ? error.message : 'Masking personal data failed in an unexpected way.'
    throw new SluiceError('CALL_REFUSED', `${what} ${why}`, { data: { by: 'masking' } })
  }
}

const callRefused = ({ serverId, tool }: ToolCall): string =>
  `The call of ${tool} was not passed on to ${serverId}.`

const resultWithheld = ({ serverId, tool }: ToolCall): string =>
  `${serverId} answered the call of ${tool}, but its answer is withheld.`
