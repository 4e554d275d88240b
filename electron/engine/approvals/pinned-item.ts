import type { ServerSettings } from '../../../shared/settings.ts'
import type { PINNED_KINDS } from '../../../shared/pinned-kinds.ts'
import { SluiceError } from '../ground/errors.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import { launchOf, variablesOf } from './launch.ts'
import type { ResolvedPackage } from './packages/resolve-packages.ts'
import { stringIn } from '../protocol/json-rpc.ts'

export type PinnedKind = (typeof PINNED_KINDS)[number]

export interface OfferedItem {
  readonly kind: PinnedKind
  /**
   * Tool or prompt name, or resource URI; empty for `server`, `introduction` and `instructions`; entry of
   * `variables`.
   */
  readonly name: string
  readonly definition: unknown
  /** Why it can't be approved. */
  readonly unfit?: string
}

export interface Offer {
  readonly announced: JsonObject
  readonly folder?: string | undefined
  /** `introductionOf`; undefined if not requested. */
  readonly introduction?: JsonObject | undefined
  readonly instructions: string | undefined
  readonly tools: readonly JsonObject[]
  readonly prompts: readonly JsonObject[]
  readonly resources: readonly JsonObject[]
  readonly templates: readonly JsonObject[]
  /** Kinds whose listing failed, with errors: unknown, but not removed. */
  readonly unread?: ReadonlyMap<PinnedKind, unknown>
}

export const nameOfItem = (kind: PinnedKind, definition: JsonObject): string => {
  if (kind === 'introduction') return ''
  if (kind === 'resource') return stringIn(definition, 'uri')
  if (kind === 'template') return stringIn(definition, 'uriTemplate')
  return stringIn(definition, 'name')
}

/** Terminal controls, direction overrides and invisible characters: unneeded in names, which clients get unchanged. */
const UNFIT_FOR_A_NAME = /[\p{Cc}\p{Cs}\u200b\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u
/** More than any server lists. Comparing more would block other servers' calls. */
const MOST_ITEMS = 10_000

/**
 * Without the launch. Duplicate names count once: later ones are never approved. Throws LIMIT_REACHED for too many
 * items.
 */
export function itemsOf(offer: Offer): OfferedItem[] {
  const { tools, prompts, resources, templates } = offer
  const count = tools.length + prompts.length + resources.length + templates.length
  if (count > MOST_ITEMS)
    throw new SluiceError(
      'LIMIT_REACHED',
      `it offers ${count} tools, prompts and resources; at most ${MOST_ITEMS} can be checked.`,
    )
  const named = (kind: PinnedKind, list: readonly JsonObject[]): OfferedItem[] => {
    const byName = new Map<string, OfferedItem>()
    for (const definition of list) {
      const name = nameOfItem(kind, definition)
      if (byName.has(name)) continue
      const unfit = UNFIT_FOR_A_NAME.test(name) ? 'its name holds characters that hide something' : undefined
      byName.set(name, { kind, name, definition, ...(unfit === undefined ? {} : { unfit }) })
    }
    return [...byName.values()]
  }
  return [
    ...(offer.introduction === undefined
      ? []
      : [{ kind: 'introduction' as const, name: '', definition: offer.introduction }]),
    { kind: 'instructions', name: '', definition: offer.instructions ?? null },
    ...named('tool', tools),
    ...named('prompt', prompts),
    ...named('resource', resources),
    ...named('template', templates),
  ]
}

export function itemsOfLaunch(
  serverId: string,
  settings: ServerSettings,
  packages: readonly ResolvedPackage[],
): OfferedItem[] {
  const launch = { ...launchOf(settings), ...(packages.length > 0 ? { packages } : {}) }
  const variables = variablesOf(serverId, settings)
  return [
    { kind: 'server', name: '', definition: launch },
    ...(variables === undefined
      ? []
      : [{ kind: 'variables' as const, name: serverId, definition: variables }]),
  ]
}

/** With the same launch. */
export const isOfOtherEntry = (
  { kind, name }: Pick<OfferedItem, 'kind' | 'name'>,
  serverId: string,
): boolean => kind === 'variables' && name !== serverId

export const itemKey = (kind: PinnedKind, name: string): string => `${kind} ${name}`
