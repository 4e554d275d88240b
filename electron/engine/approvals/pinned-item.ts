import type { PINNED_KINDS } from '../../../shared/pinned-kinds.ts'
import { SluiceError } from '../ground/errors.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import { stringIn } from '../protocol/json-rpc.ts'

export type PinnedKind = (typeof PINNED_KINDS)[number]

/** One thing that a server offers now. */
export interface OfferedItem {
  readonly kind: PinnedKind
  /** The tool's or prompt's name, the resource's URI; empty for `server`, `introduction` and `instructions`. */
  readonly name: string
  readonly definition: unknown
  /** Why it can never pass, whatever anybody approves. */
  readonly unfit?: string
}

/** Everything that a server offers at one moment. */
export interface Offer {
  /** The capabilities of its client that the server was told of: some things are offered to capable clients only. */
  readonly announced: JsonObject
  /** Where its program runs: words that name this folder are the same in another one. */
  readonly folder?: string | undefined
  /** What it says of itself (`introductionOf`); undefined where nobody asked. */
  readonly introduction?: JsonObject | undefined
  readonly instructions: string | undefined
  readonly tools: readonly JsonObject[]
  readonly prompts: readonly JsonObject[]
  readonly resources: readonly JsonObject[]
  readonly templates: readonly JsonObject[]
  /** Kinds whose list the server failed to give, with its errors: nothing is known of them now, and nothing of them is gone. */
  readonly unread?: ReadonlyMap<PinnedKind, unknown>
}

export const nameOfItem = (kind: PinnedKind, definition: JsonObject): string => {
  if (kind === 'introduction') return ''
  if (kind === 'resource') return stringIn(definition, 'uri')
  if (kind === 'template') return stringIn(definition, 'uriTemplate')
  return stringIn(definition, 'name')
}

/** Terminal controls, direction overrides and invisible characters: no name needs them, and clients get names as they are. */
const UNFIT_FOR_A_NAME = /[\p{Cc}\p{Cs}\u200b\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u
/** More than any server offers. Comparing and keeping all of it would hold up every other server's calls. */
const MOST_ITEMS = 10_000

/**
 * The offer item by item, without the launch. Of several with one name the first counts: the others are not here, so they
 * are never approved. Throws LIMIT_REACHED for more items than anybody could look at.
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

/** Under which an item is found: kinds and names never run into each other. */
export const itemKey = (kind: PinnedKind, name: string): string => `${kind} ${name}`
