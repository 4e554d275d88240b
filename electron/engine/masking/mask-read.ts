import type { AskServer, Read } from '../message/layers.ts'
import { maskInValue, restoreForServer, restoreInValue } from './mask-in-value.ts'
import { isRefusal, maskedError, orRefuse, type MaskValuesOptions } from './mask-values.ts'

/** Names of the server's things stay. All other fields are the client's. */
const NAMES: ReadonlySet<string> = new Set([
  'uri',
  'name',
  'ref',
  'taskId',
  'cursor',
  'requestState',
  '_meta',
])

/** `from-server`: the server gets placeholders. In both directions the recorded name has them. */
export const readHiddenFromServer =
  ({ vaults, find }: MaskValuesOptions) =>
  (next: AskServer): AskServer =>
  async (read) => {
    const policy = read.policy.masking
    if (policy.direction === 'off') return next(read)
    const { hiddenFromServers, hiddenFromModel } = vaults.open(read.clientName, read.sessionId)
    const { name } = read
    if (policy.direction === 'from-model') {
      const masked = await orRefuse(refused(read), () => maskInValue(name, hiddenFromModel, policy, find))
      return next({ ...read, name: masked })
    }
    const own = Object.fromEntries(Object.entries(read.params ?? {}).filter(([key]) => !NAMES.has(key)))
    const hidden = await orRefuse(refused(read), () =>
      maskInValue({ own, name }, hiddenFromServers, policy, find),
    )
    // Keeps the client's order of fields.
    const params = read.params && { ...read.params, ...hidden.own }
    const answer = await next({ ...read, params, name: hidden.name })
    return orRefuse(withheld(read), () => restoreInValue(answer, hiddenFromServers))
  }

export const readHiddenFromModel =
  ({ vaults, find }: MaskValuesOptions) =>
  (next: AskServer): AskServer =>
  async (read) => {
    const policy = read.policy.masking
    if (policy.direction !== 'from-model') return next(read)
    const vault = vaults.open(read.clientName, read.sessionId).hiddenFromModel
    const mask = <Value>(value: Value): Promise<Value> =>
      orRefuse(withheld(read), () => maskInValue(value, vault, policy, find))
    const params = await orRefuse(refused(read), () => restoreForServer(read.params, vault, policy))
    const answer = next({ ...read, params }).catch(async (error: unknown) => {
      throw isRefusal(error) ? error : await maskedError(error, mask)
    })
    return mask(await answer)
  }

const refused = ({ serverId, method }: Read): string => `${method} was not passed on to ${serverId}.`

const withheld = ({ serverId, method }: Read): string =>
  `${serverId} answered ${method}, but its answer is withheld.`
