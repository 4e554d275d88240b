import type { MaskingPolicy } from '../../../shared/masking-policy.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import { maskInValue, restoreForServer, restoreInValue } from './mask-in-value.ts'
import type { FindInTexts } from './mask-texts.ts'
import { isRefusal, maskedError, orRefuse } from './mask-values.ts'
import type { Vault } from './vault.ts'
import type { ContentSteps, MaskedRequest } from '../message/masking.ts'

interface ContentPath {
  readonly request: MaskedRequest
  readonly policy: MaskingPolicy
  readonly steps: ContentSteps
  readonly vault: Vault
  readonly find: FindInTexts
}

/** `from-model`: only the server gets real values. */
export async function contentHiddenFromModel(path: ContentPath): Promise<JsonObject> {
  const { request, policy, steps, vault, find } = path
  const mask = <Value>(value: Value): Promise<Value> =>
    orRefuse(withheld(request), () => maskInValue(value, vault, policy, find))
  const params = await orRefuse(refused(request), () => restoreForServer(request.params, vault, policy))
  const answer = steps.ask(params).catch(async (error: unknown) => {
    throw isRefusal(error) ? error : await maskedError(error, mask)
  })
  return steps.treat(await mask(await answer), await mask(request.name))
}

/** Fields that name something of the server and stay unchanged. All others are the client's. */
const NAMES: ReadonlySet<string> = new Set([
  'uri',
  'name',
  'ref',
  'taskId',
  'cursor',
  'requestState',
  '_meta',
])

/** `from-server`: the server gets placeholders for the client's values. */
export async function contentHiddenFromServer(path: ContentPath): Promise<JsonObject> {
  const { request, policy, steps, vault, find } = path
  const own = Object.fromEntries(Object.entries(request.params ?? {}).filter(([key]) => !NAMES.has(key)))
  const hidden = await orRefuse(refused(request), () =>
    maskInValue({ own, name: request.name }, vault, policy, find),
  )
  // In the client's own order of fields.
  const answer = await steps.ask(request.params && { ...request.params, ...hidden.own })
  const treated = await steps.treat(answer, hidden.name)
  return orRefuse(withheld(request), () => restoreInValue(treated, vault))
}

const refused = ({ serverId, method }: MaskedRequest): string => `${method} was not passed on to ${serverId}.`

const withheld = ({ serverId, method }: MaskedRequest): string =>
  `${serverId} answered ${method}, but its answer is withheld.`
