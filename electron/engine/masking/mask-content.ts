import type { MaskingPolicy } from '../../../shared/masking-policy.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import { maskInValue, restoreForServer, restoreInValue } from './mask-in-value.ts'
import type { FindInTexts } from './mask-texts.ts'
import { isRefusal, maskedError, orRefuse } from './mask-values.ts'
import type { Vault } from './vault.ts'

/** Something other than a tool call that goes to a server and comes back. */
export interface MaskedRequest {
  readonly clientName: string
  readonly sessionId: string
  readonly serverId: string
  readonly method: string
  /** URI or name, as the client wrote it; empty where there is none. */
  readonly name: string
  /** Undefined for a request without any. */
  readonly params: JsonObject | undefined
}

export interface ContentSteps {
  ask(params: JsonObject | undefined): Promise<JsonObject>
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
  const params = await orRefuse(refused(request), () => restoreForServer(request.params, vault, policy))
  const answer = steps.ask(params).catch(async (error: unknown) => {
    throw isRefusal(error) ? error : await maskedError(error, mask)
  })
  return steps.treat(await mask(await answer), await mask(request.name))
}

/** What names something of the server's, and has to reach it as it is. Everything else is the client's own. */
const NAMES: ReadonlySet<string> = new Set([
  'uri',
  'name',
  'ref',
  'taskId',
  'cursor',
  'requestState',
  '_meta',
])

/** `from-server`: the server gets stand-ins in place of what the client wrote. */
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
