import type { JsonObject } from '../protocol/json-rpc.ts'
import { stringIn } from '../protocol/json-rpc.ts'

/** The parts of a server that its user approves. `server` is how it is launched, with the package that was resolved. */
export const PINNED_KINDS = ['server', 'instructions', 'tool', 'prompt', 'resource', 'template'] as const
export type PinnedKind = (typeof PINNED_KINDS)[number]

/** One thing that a server offers now. */
export interface OfferedItem {
  readonly kind: PinnedKind
  /** The tool's or prompt's name, the resource's URI; empty for `server` and `instructions`. */
  readonly name: string
  readonly definition: unknown
}

/** Everything that a server offers at one moment. */
export interface Offer {
  readonly instructions: string | undefined
  readonly tools: readonly JsonObject[]
  readonly prompts: readonly JsonObject[]
  readonly resources: readonly JsonObject[]
  readonly templates: readonly JsonObject[]
}

export const nameOfItem = (kind: PinnedKind, definition: JsonObject): string => {
  if (kind === 'resource') return stringIn(definition, 'uri')
  if (kind === 'template') return stringIn(definition, 'uriTemplate')
  return stringIn(definition, 'name')
}

/** Terminal controls, direction overrides and invisible characters: no name needs them, and clients get names as they are. */
const UNFIT_FOR_A_NAME = /[\p{Cc}\u200b\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u

/**
 * The offer item by item, the launch first. Of several with one name the first counts, and what has an unfit name is
 * left out: what is not here is never approved, so it does not pass.
 */
export function itemsOf(launch: JsonObject, offer: Offer): OfferedItem[] {
  const named = (kind: PinnedKind, list: readonly JsonObject[]): OfferedItem[] => {
    const byName = new Map<string, OfferedItem>()
    for (const definition of list) {
      const name = nameOfItem(kind, definition)
      if (!byName.has(name) && !UNFIT_FOR_A_NAME.test(name)) byName.set(name, { kind, name, definition })
    }
    return [...byName.values()]
  }
  return [
    { kind: 'server', name: '', definition: launch },
    { kind: 'instructions', name: '', definition: offer.instructions ?? null },
    ...named('tool', offer.tools),
    ...named('prompt', offer.prompts),
    ...named('resource', offer.resources),
    ...named('template', offer.templates),
  ]
}

/** Under which an item is found: kinds and names never run into each other. */
export const itemKey = (kind: PinnedKind, name: string): string => `${kind} ${name}`
