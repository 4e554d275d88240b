import type { MaskingPolicy } from '../../../shared/masking-policy.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import type { ClientVaults } from './client-vaults.ts'
import { maskInValue, restoreForServer, restoreInValue } from './mask-in-value.ts'
import { placeholderIn, replaceSpans, type FindInTexts } from './mask-texts.ts'
import { orRefuse } from './mask-values.ts'
import type { Search } from './search.ts'
import { stringsInValue } from './strings-in-value.ts'
import type { Vault } from './vault.ts'

/** Characters; longer texts are withheld, because they are searched synchronously. */
const LONGEST_NOTIFICATION = 200_000

/**
 * Progress, log messages and completions, synchronously, because they arrive at any time and in order. What can't be
 * masked is omitted, except numbers.
 */
export function maskNotification(
  notification: JsonObject,
  { vaults, policy, search }: { vaults: ClientVaults; policy: MaskingPolicy; search: Search | undefined },
): JsonObject {
  try {
    if (policy.direction !== 'from-model') return restoreInValue(notification, vaults.hiddenFromServers)
    if (!search) throw new Error('What finds personal data is still being loaded.')
    return maskNow(notification, vaults.hiddenFromModel, policy, search)
  } catch {
    return Object.fromEntries(
      Object.entries(notification).filter(
        ([, value]) => typeof value === 'number' || typeof value === 'boolean',
      ),
    )
  }
}

function maskNow(
  notification: JsonObject,
  vault: Vault,
  { types, customPatterns }: MaskingPolicy,
  { findInTexts }: Search,
): JsonObject {
  const { texts, rebuild } = stringsInValue(notification)
  const characters = texts.reduce((sum, { text }) => sum + text.length, 0)
  if (characters > LONGEST_NOTIFICATION) throw new Error('Too long to be searched on the spot.')
  const found = findInTexts({ texts, types, customPatterns, names: vault.customNames, known: vault.known })
  const masked = texts.map(({ text }, index) =>
    replaceSpans(text, found[index] ?? [], (span) => placeholderIn(vault, span)),
  )
  return rebuild(masked) as JsonObject
}

/** A server request (sampling, elicitation) and its answer: the reverse of a call, with the same rules. */
export async function maskQuestion(
  params: JsonObject | undefined,
  path: { vaults: ClientVaults; policy: MaskingPolicy; find: FindInTexts },
  ask: (params: JsonObject | undefined) => Promise<JsonObject>,
): Promise<JsonObject> {
  const { vaults, policy, find } = path
  const { hiddenFromModel, hiddenFromServers } = vaults
  if (policy.direction === 'from-model') {
    const shown = await orRefuse(NOT_ASKED, () => maskInValue(params, hiddenFromModel, policy, find))
    const answer = await ask(shown)
    return orRefuse(NOT_ANSWERED, () => restoreForServer(answer, hiddenFromModel, policy))
  }
  const shown = await orRefuse(NOT_ASKED, () => restoreInValue(params, hiddenFromServers))
  const answer = await ask(shown)
  return orRefuse(NOT_ANSWERED, () => maskInValue(answer, hiddenFromServers, policy, find))
}

const NOT_ASKED = 'The question was not passed on to the client.'
const NOT_ANSWERED = 'The answer of the client was not passed on.'
