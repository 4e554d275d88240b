import type { Layer, Read } from '../message/layers.ts'
import type { GuardedOrigin } from '../message/origins.ts'
import type { Guard } from './guard.ts'

export function guardLayers(guard: Guard): { guardResult: Layer; guardShortened: Layer } {
  return {
    guardResult: {
      call: guard.guardResult,
      read: (next) => async (read) => guard.guardContent(await next(read), originOf(read), read.policy.guard),
      notification:
        (next) =>
        ({ origin, params, policy }) =>
          guard.guardNotification(params, origin, policy.guard, (shown) =>
            next({ origin, params: shown, policy }),
          ),
      question: (next) => async (question) => {
        const { origin, method, params, policy } = question
        const from = { ...origin, tool: method, arguments: undefined }
        const shown = params && (await guard.guardQuestion(params, from, policy.guard))
        return next({ ...question, params: shown })
      },
      error: (error, { clientName, serverId, method, policy }) =>
        guard.guardError(error, { clientName, serverId, tool: method, arguments: undefined }, policy.guard),
    },
    guardShortened: {
      call: guard.guardShortened,
      read: (next) => async (read) => guard.showContent(await next(read), originOf(read), read.policy.guard),
    },
  }
}

const originOf = ({ clientName, serverId, method, name }: Read): GuardedOrigin => ({
  clientName,
  serverId,
  tool: `${method} ${name}`.trim(),
  arguments: undefined,
})
