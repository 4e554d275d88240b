import { cleanLogText } from './clean-log-text.ts'
import { createVaults } from './client-vaults.ts'
import { hideKnownInValue, maskInValue, restoreInValue } from './mask-in-value.ts'
import { readHiddenFromModel, readHiddenFromServer } from './mask-read.ts'
import { maskQuestion, maskNotification } from './mask-notification.ts'
import { hideFromModel, hideFromServer, orRefuse } from './mask-values.ts'
import type { FindInTexts } from './mask-texts.ts'
import type { Search } from './search.ts'
import type { NextNumber } from './vault.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import type { ToolCall } from '../message/call.ts'
import type { ExplorationTools } from '../message/exploration-tools.ts'
import type { Layer } from '../message/layers.ts'

const EXPLORATION_REFUSED = 'The stored result could not be looked into.'

export interface MaskingOptions {
  readonly find: FindInTexts
  /** Undefined until loaded. */
  readonly search: () => Search | undefined
  readonly nextNumber: NextNumber
}

export function createSessionMasking(options: MaskingOptions) {
  const { find, search } = options
  const vaults = createVaults(options.nextNumber)
  return {
    hideFromServer: {
      call: hideFromServer({ vaults, find }),
      read: readHiddenFromServer({ vaults, find }),
      notification: (next) => (notification) => {
        const { origin, params, policy } = notification
        if (policy.masking.direction === 'off') return next(notification)
        const path = {
          vaults: vaults.open(origin.clientName, origin.sessionId),
          policy: policy.masking,
          search: search(),
        }
        return next({ ...notification, params: maskNotification(params, path) })
      },
      question: (next) => (question) => {
        const { origin, params, policy } = question
        if (policy.masking.direction === 'off') return next(question)
        const path = {
          vaults: vaults.open(origin.clientName, origin.sessionId),
          policy: policy.masking,
          find,
        }
        return maskQuestion(params, path, (shown) => next({ ...question, params: shown }))
      },
    } satisfies Layer,
    hideFromModel: {
      call: hideFromModel({ vaults, find }),
      read: readHiddenFromModel({ vaults, find }),
    } satisfies Layer,

    /**
     * Stored results contain placeholders; those that hide the client's values from servers must not reach the
     * client.
     */
    aroundExploration: <Tools extends ExplorationTools>(tools: Tools): Tools => ({
      ...tools,
      call: async (name: string, args: JsonObject | undefined, context: Parameters<Tools['call']>[2]) => {
        const vault = vaults.current(context.clientName)?.hiddenFromServers
        if (!vault || vault.size === 0) return tools.call(name, args, context)
        const { arguments: freshArguments, ...own } = args ?? {}
        const hidden = await orRefuse(EXPLORATION_REFUSED, () => hideKnownInValue(own, vault))
        const answer = await tools.call(
          name,
          freshArguments === undefined ? hidden : { ...hidden, arguments: freshArguments },
          {
            ...context,
            callFresh: async (tool, toolArguments) =>
              hideKnownInValue(await context.callFresh(tool, toolArguments), vault),
          },
        )
        return orRefuse(EXPLORATION_REFUSED, () => restoreInValue(answer, vault))
      },
    }),

    /** Texts of kept results that become arguments: as if the model had read them and sent them. */
    asSent: async (texts: readonly string[], call: ToolCall): Promise<readonly string[]> => {
      const { clientName, sessionId, serverId, tool, policy } = call
      const known = vaults.current(clientName)?.hiddenFromServers
      const read = known ? restoreInValue(texts, known) : texts
      if (policy.masking.direction !== 'from-server') return read
      const vault = vaults.open(clientName, sessionId).hiddenFromServers
      return orRefuse(`The call of ${tool} was not passed on to ${serverId}.`, () =>
        maskInValue(read, vault, policy.masking, find),
      )
    },

    /** For logs while masking is on. */
    cleanLogText: (text: string): string => cleanLogText(text, vaults.all(), search()),

    endSession: (sessionId: string): void => vaults.endSession(sessionId),
  }
}
