import type { MaskingPolicy } from '../../../shared/masking-policy.ts'
import type { Interceptor } from '../message/call.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import type { ExplorationTools } from '../message/exploration-tools.ts'
import type { SaidBy } from '../message/origins.ts'
import { cleanLogText } from './clean-log-text.ts'
import { createVaults } from './client-vaults.ts'
import { hideKnownInValue, restoreInValue } from './mask-in-value.ts'
import {
  contentHiddenFromModel,
  contentHiddenFromServer,
  type ContentSteps,
  type MaskedRequest,
} from './mask-content.ts'
import { maskQuestion, maskSaid } from './mask-said.ts'
import { hideFromModel, hideFromServer, orRefuse } from './mask-values.ts'
import type { FindInTexts } from './mask-texts.ts'
import type { Search } from './search.ts'
import type { NextNumber } from './vault.ts'

const EXPLORATION_REFUSED = 'The stored result could not be looked into.'

/** Masking as the engine uses it. */
export interface Masking {
  /** The layer at the client's edge. */
  readonly hideFromServer: Interceptor
  /** The layer at the server's edge. */
  readonly hideFromModel: Interceptor
  /** `resources/read` and `prompts/get`: what goes to the server, what comes back, and in between what is kept of it. */
  content(request: MaskedRequest, policy: MaskingPolicy, steps: ContentSteps): Promise<JsonObject>
  /** What a server says beside its results. */
  said(origin: SaidBy, policy: MaskingPolicy, said: JsonObject): JsonObject
  /** What a server asks its client, and the answer. */
  question(
    origin: SaidBy,
    policy: MaskingPolicy,
    params: JsonObject | undefined,
    ask: (params: JsonObject | undefined) => Promise<JsonObject>,
  ): Promise<JsonObject>
  /**
   * Sluice's own tools over kept results. What is kept holds stand-ins; the client must neither see nor need those that
   * hide its own values from servers.
   */
  aroundExploration<Tools extends ExplorationTools>(tools: Tools): Tools
  /** A text as it may be logged while anything is masked. */
  cleanLogText(text: string): string
  /** Forgets what no open session needs any more. */
  endSession(sessionId: string): void
}

export interface MaskingOptions {
  readonly find: FindInTexts
  /** For what can't wait; undefined while it is being loaded. */
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
          // A fresh call goes through masking by itself, and its result is looked into as if it had been kept.
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
