import type { MaskingPolicy } from '../../../shared/masking-policy.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import { maskInValue, restoreInValue } from './mask-in-value.ts'
import type { FindInTexts } from './mask-texts.ts'
import { isRefusal, maskedError, orRefuse } from './mask-values.ts'
import type { Vault } from './vault.ts'

/** Something other than a tool call that goes to a server and comes back. */
export interface MaskedRequest {
  readonly clientName: string
  readonly sessionId: string
  readonly serverId: string
  readonly method: 'resources/read' | 'prompts/get'
  /** URI or name, as the client wrote it. */
  readonly name: string
  readonly params: JsonObject
}

export interface ContentSteps {
  ask(params: JsonObject): Promise<JsonObject>
  /** Guards, compresses and keeps a result; `name` is what may be written down of the request. */
  treat(result: JsonObject, name: string): Promise<JsonObject>
}

interface ContentPath {
  readonly request: MaskedRequest
  readonly policy: MaskingPolicy
  readonly steps: ContentSteps
  readonly vault: Vault
  readonly find: FindInTexts
}

/** `from-model`: the server gets real values, and nothing past it does. */
export async function contentHiddenFromModel(path: ContentPath): Promise<JsonObject> {
  const { request, policy, steps, vault, find } = path
  const mask = <Value>(value: Value): Promise<Value> =>
    orRefuse(withheld(request), () => maskInValue(value, vault, policy, find))
  const params = await orRefuse(refused(request), () => restoreInValue(request.params, vault))
  const answer = steps.ask(params).catch(async (error: unknown) => {
    throw isRefusal(error) ? error : await maskedError(error, mask)
  })
  return steps.treat(await mask(await answer), await mask(request.name))
}

/** `from-server`: the arguments of a prompt are the client's own. A URI is not: it names something of the server's. */
export async function contentHiddenFromServer(path: ContentPath): Promise<JsonObject> {
  const { request, policy, steps, vault, find } = path
  const { arguments: own, ...rest } = request.params
  const hidden = await orRefuse(refused(request), () =>
    maskInValue({ own, name: request.name }, vault, policy, find),
  )
  const answer = await steps.ask(own === undefined ? request.params : { ...rest, arguments: hidden.own })
  const treated = await steps.treat(answer, hidden.name)
  return orRefuse(withheld(request), () => restoreInValue(treated, vault))
}

const refused = ({ serverId, method }: MaskedRequest): string => `${method} was not passed on to ${serverId}.`

const withheld = ({ serverId, method }: MaskedRequest): string =>
  `${serverId} answered ${method}, but its answer is withheld.`
