import type { Policy } from '../../../shared/settings.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import type { Policies } from '../settings/policies.ts'
import type { Switch } from '../settings/switch.ts'
import type { Guard } from './guard.ts'
import type { Masking } from './masking.ts'
import type { SaidBy, TreatContent } from './origins.ts'

/** Shortens what `resources/read` answers. */
export type CompressResource = (
  result: JsonObject,
  origin: { clientName: string; serverId: string; name: string },
  policy: Pick<Policy, 'compression' | 'guard'>,
) => Promise<JsonObject>

export interface TreatMessagesOptions {
  readonly policies: Pick<Policies, 'ofServer'>
  readonly guard: Guard
  readonly masking: Masking
  readonly compressResource: CompressResource
  readonly mainSwitch: Pick<Switch, 'current'>
  /** Called before a server's question reaches its client, but not for `roots/list`. */
  readonly onQuestion: (sessionId: string, serverId: string) => void
}

/** Guard, masking and compression around everything that passes besides tool calls. */
export interface TreatMessages {
  /** Sends a request that is no tool call, and guards, masks and compresses it both ways. */
  readonly content: TreatContent
  /** Delivers a server's notification (progress, log lines), guarded and masked, in order. */
  said(origin: SaidBy, params: JsonObject, deliver: (shown: JsonObject) => void): void
  /** Passes a server's request on to its client and the answer back, guarded and masked. */
  question(
    origin: SaidBy,
    method: string,
    params: JsonObject | undefined,
    ask: (params: JsonObject | undefined) => Promise<JsonObject>,
  ): Promise<JsonObject>
  /** Guards the words of a request's errors. Rejects with what may reach the client. */
  guardErrors<Result>(
    origin: { readonly clientName: string; readonly serverId: string; readonly method: string },
    request: () => Promise<Result>,
  ): Promise<Result>
}

export function createTreatMessages(options: TreatMessagesOptions): TreatMessages {
  const { policies, guard, masking, compressResource, mainSwitch, onQuestion } = options
  return {
    content: (params, origin, ask) => {
      const policy = policies.ofServer(origin.serverId)
      const treat = async (result: JsonObject, name: string): Promise<JsonObject> => {
        const from = { ...origin, tool: `${origin.method} ${name}`.trim(), arguments: undefined }
        const guarded = await guard.guardContent(result, from, policy.guard)
        const { compression: shortening } = policy
        const isShortened =
          origin.method === 'resources/read' &&
          shortening.resources &&
          shortening.strategy !== 'off' &&
          mainSwitch.current.compressing
        const form = isShortened ? await compressResource(guarded, { ...origin, name }, policy) : guarded
        return guard.showContent(form, from, policy.guard)
      }
      const from = { ...origin, tool: origin.method, arguments: undefined }
      return guard.guardErrors(
        () => masking.content({ ...origin, params }, policy.masking, { ask, treat }),
        from,
        policy.guard,
      )
    },
    said: (origin, params, deliver) => {
      const policy = policies.ofServer(origin.serverId)
      guard.guardSaid(params, origin, policy.guard, (shown) =>
        deliver(masking.said(origin, policy.masking, shown)),
      )
    },
    question: async (origin, method, params, ask) => {
      if (method !== 'roots/list') onQuestion(origin.sessionId, origin.serverId)
      const policy = policies.ofServer(origin.serverId)
      const from = { ...origin, tool: method, arguments: undefined }
      const shown = params && (await guard.guardQuestion(params, from, policy.guard))
      return masking.question(origin, policy.masking, shown, ask)
    },
    guardErrors: ({ method, clientName, serverId }, request) => {
      const { guard: policy } = policies.ofServer(serverId)
      return guard.guardErrors(request, { clientName, serverId, tool: method, arguments: undefined }, policy)
    },
  }
}
