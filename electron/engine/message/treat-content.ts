import type { Policy } from '../../../shared/settings.ts'
import type { Guard } from './guard.ts'
import type { Masking } from './masking.ts'
import type { Policies } from '../settings/policies.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import type { TreatContent } from './origins.ts'
import type { Switch } from '../settings/switch.ts'

/** Shortens what `resources/read` answers. */
export type CompressResource = (
  result: JsonObject,
  origin: { clientName: string; serverId: string; name: string },
  policy: Pick<Policy, 'compression' | 'guard'>,
) => Promise<JsonObject>

/** What is no tool's result but may reach the model all the same: masked, guarded and, where it is a resource, shortened. */
export const createTreatContent =
  (options: {
    policies: Policies
    guard: Guard
    masking: Masking
    compressResource: CompressResource
    mainSwitch: Pick<Switch, 'current'>
  }): TreatContent =>
  (params, origin, ask) => {
    const { policies, guard, masking, compressResource, mainSwitch } = options
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
  }
