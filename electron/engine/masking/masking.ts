import { cleanLogText } from './clean-log-text.ts'
import { createVaults } from './client-vaults.ts'
import { hideKnownInValue, restoreInValue } from './mask-in-value.ts'
import { contentHiddenFromModel, contentHiddenFromServer } from './mask-content.ts'
import { maskQuestion, maskSaid } from './mask-said.ts'
import { hideFromModel, hideFromServer, orRefuse } from './mask-values.ts'
import type { FindInTexts } from './mask-texts.ts'
import type { Search } from './search.ts'
import type { NextNumber } from './vault.ts'
import type { Masking } from '../message/masking.ts'

const EXPLORATION_REFUSED = 'The stored result could not be looked into.'

export interface MaskingOptions {
  readonly find: FindInTexts
  /** For synchronous use; undefined until loaded. */
  readonly search: () => Search | undefined
  readonly nextNumber: NextNumber
}

export function createMasking(options: MaskingOptions): Masking {
  const { find, search } = options
  const vaults = createVaults(options.nextNumber)
  return {
    hideFromServer: hideFromServer({ vaults, find }),
    hideFromModel: hideFromModel({ vaults, find }),

    content: async (request, policy, steps) => {
      if (policy.direction === 'off') return steps.treat(await steps.ask(request.params), request.name)
      const { hiddenFromServers, hiddenFromModel } = vaults.open(request.clientName, request.sessionId)
      const path = { request, policy, steps, find }
      return policy.direction === 'from-model'
        ? contentHiddenFromModel({ ...path, vault: hiddenFromModel })
        : contentHiddenFromServer({ ...path, vault: hiddenFromServers })
    },

    said: ({ clientName, sessionId }, policy, said) =>
      policy.direction === 'off'
        ? said
        : maskSaid(said, { vaults: vaults.open(clientName, sessionId), policy, search: search() }),

    question: ({ clientName, sessionId }, policy, params, ask) =>
      policy.direction === 'off'
        ? ask(params)
        : maskQuestion(params, { vaults: vaults.open(clientName, sessionId), policy, find }, ask),

    aroundExploration: (tools) => ({
      ...tools,
      call: async (name, args, context) => {
        const vault = vaults.current(context.clientName)?.hiddenFromServers
        if (!vault || vault.size === 0) return tools.call(name, args, context)
        const { arguments: freshArguments, ...own } = args ?? {}
        const hidden = await orRefuse(EXPLORATION_REFUSED, () => hideKnownInValue(own, vault))
        const answer = await tools.call(
          name,
          // A fresh call is masked separately, and its result explored like a stored one.
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

    cleanLogText: (text) => cleanLogText(text, vaults.all(), search()),

    endSession: (sessionId) => vaults.endSession(sessionId),
  }
}
