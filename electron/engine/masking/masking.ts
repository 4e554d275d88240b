import type { MaskingPolicy } from '../../../shared/masking-policy.ts'
import type { Interceptor } from '../call.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import { createVaults } from './client-vaults.ts'
import { hideKnownInValue, maskInValue, restoreInValue } from './mask-in-value.ts'
import { hideFromModel, hideFromServer, orRefuse } from './mask-values.ts'
import type { FindInTexts } from './mask-texts.ts'
import type { NextNumber } from './vault.ts'

/** Something other than a tool call that goes to a server and comes back. */
export interface MaskedRequest {
  readonly clientName: string
  readonly sessionId: string
  readonly serverId: string
  readonly method: 'resources/read' | 'prompts/get'
  readonly name: string
}

type CallFresh = (tool: string, args: JsonObject | undefined) => Promise<JsonObject>

/** Masking as the engine uses it. */
export interface Masking {
  /** The layer at the client's edge. */
  readonly hideFromServer: Interceptor
  /** The layer at the server's edge. */
  readonly hideFromModel: Interceptor
  /** The params of `resources/read` and `prompts/get` as the server is to see them. */
  prepareRequest(params: JsonObject, request: MaskedRequest, policy: MaskingPolicy): Promise<JsonObject>
  /** Their result: masked before `treat` compresses and keeps it, or restored after. */
  treatContent(
    result: JsonObject,
    request: MaskedRequest,
    policy: MaskingPolicy,
    treat: (result: JsonObject) => Promise<JsonObject>,
  ): Promise<JsonObject>
  /**
   * Around Sluice's own tools over kept results. What is kept holds stand-ins; the client must neither see nor need
   * those that hide its own values from servers.
   */
  explore(
    clientName: string,
    args: JsonObject | undefined,
    callFresh: CallFresh,
    run: (args: JsonObject | undefined, callFresh: CallFresh) => Promise<JsonObject>,
  ): Promise<JsonObject>
  /** Forgets what no open session needs any more. */
  endSession(sessionId: string): void
}

export function createMasking(options: { find: FindInTexts; nextNumber: NextNumber }): Masking {
  const { find } = options
  const vaults = createVaults(options.nextNumber)
  return {
    hideFromServer: hideFromServer({ vaults, find }),
    hideFromModel: hideFromModel({ vaults, find }),

    prepareRequest: async (params, request, policy) => {
      if (policy.direction === 'off') return params
      const { hiddenFromServers, hiddenFromModel } = vaults.open(request.clientName, request.sessionId)
      return orRefuse(requestRefused(request), async () => {
        if (policy.direction === 'from-model') return restoreInValue(params, hiddenFromModel)
        // An address names something of the server's; only what the client fills in is the client's.
        if (params['arguments'] === undefined) return params
        const args = await maskInValue(params['arguments'], hiddenFromServers, policy, find)
        return { ...params, arguments: args }
      })
    },

    treatContent: async (result, request, policy, treat) => {
      if (policy.direction === 'off') return treat(result)
      const { hiddenFromServers, hiddenFromModel } = vaults.open(request.clientName, request.sessionId)
      const withheld = `${request.serverId} answered ${request.method} of ${request.name}, but its answer is withheld.`
      if (policy.direction === 'from-model') {
        return treat(await orRefuse(withheld, () => maskInValue(result, hiddenFromModel, policy, find)))
      }
      const treated = await treat(result)
      return orRefuse(withheld, () => restoreInValue(treated, hiddenFromServers))
    },

    explore: async (clientName, args, callFresh, run) => {
      const vault = vaults.current(clientName)?.hiddenFromServers
      if (!vault || vault.size === 0) return run(args, callFresh)
      const { arguments: freshArgs, ...own } = args ?? {}
      const refused = 'The stored result could not be looked into.'
      const hidden = await orRefuse(refused, () => hideKnownInValue(own, vault))
      const answer = await run(
        freshArgs === undefined ? hidden : { ...hidden, arguments: freshArgs },
        async (tool, toolArgs) => hideKnownInValue(await callFresh(tool, toolArgs), vault),
      )
      return orRefuse(refused, () => restoreInValue(answer, vault))
    },

    endSession: (sessionId) => vaults.endSession(sessionId),
  }
}

const requestRefused = ({ serverId, method, name }: MaskedRequest): string =>
  `${method} of ${name} was not passed on to ${serverId}.`
