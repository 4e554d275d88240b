import { messageOf, SluiceError } from '../errors.ts'
import { canonicalDefinition } from './definition-hash.ts'
import type { MarkWords } from './moving-words.ts'
import type { Change, PendingChange, Pin, PinStore } from './pin-store.ts'
import { itemKey, type OfferedItem, type PinnedKind } from './pinned-item.ts'
import type { Sighting } from './sightings.ts'

/** Something that no approval can let pass. */
export interface UnfitItem extends Sighting {
  /** Half a sentence for the model and its user. */
  readonly why: string
}

/** Longer ones are read by nobody before they say yes. In characters, as canonical JSON. */
const LONGEST_DEFINITION = 1_000_000
/** All that a server offers together, likewise. */
const LONGEST_OFFER = 50_000_000

/**
 * The offer as it would be pinned, and by their keys the things that can't be: each blocks only itself. Throws where
 * launch or instructions are among them, which blocks the server.
 */
export function pinnable(
  items: readonly OfferedItem[],
  markWords: MarkWords = (definition) => definition,
): {
  readonly fit: readonly Pin[]
  readonly unfit: ReadonlyMap<string, UnfitItem>
} {
  const fit: Pin[] = []
  const unfit = new Map<string, UnfitItem>()
  let size = 0
  for (const { kind, name, definition, unfit: reason } of items) {
    const pin = reason === undefined ? asPin(kind, name, definition, markWords) : reason
    if (typeof pin !== 'string') {
      fit.push(pin)
      size += pin.definition.length
    } else if (kind === 'server' || kind === 'instructions')
      throw new SluiceError('BAD_INPUT', `of its ${kind === 'server' ? 'launch' : kind}, ${pin}.`)
    else unfit.set(itemKey(kind, name), { kind, name, hash: '', why: pin })
    if (size > LONGEST_OFFER)
      throw new SluiceError(
        'LIMIT_REACHED',
        `its definitions have more than ${LONGEST_OFFER / 1_000_000} million characters, more than can be checked.`,
      )
  }
  return { fit, unfit }
}

function asPin(kind: PinnedKind, name: string, definition: unknown, markWords: MarkWords): Pin | string {
  try {
    const literal = canonicalDefinition(definition)
    const marked = kind === 'server' ? definition : markWords(definition)
    const { text, hash } = marked === definition ? literal : canonicalDefinition(marked)
    return text.length > LONGEST_DEFINITION
      ? `its definition has ${text.length} characters, more than anybody would read`
      : { kind, name, hash, definition: text, ...(hash === literal.hash ? {} : { literal: literal.hash }) }
  } catch (error) {
    return messageOf(error)
  }
}

/**
 * Pins what nobody has seen before: all of a new server, and things that an approved one offers only to clients with
 * capabilities it was never told of before. Whatever changed, was denied, or waits, goes on waiting.
 */
export function trustFirstSight(
  store: PinStore,
  identity: string,
  view: string,
  fit: readonly Pin[],
  markWords?: MarkWords,
): void {
  const pins = new Map(
    store.wordings
      .pinsFor(identity, fit, markWords?.isSameHere)
      .map((pin) => [itemKey(pin.kind, pin.name), pin.hash]),
  )
  if (pins.size === 0) {
    const isDenied = store.pending(identity).some(({ deniedAt }) => deniedAt !== undefined)
    if (!isDenied) store.trustAtFirstSight(identity, fit)
    return
  }
  const { sightings } = store
  if (sightings.hasMet(identity, view) || !sightings.hasMetAny(identity)) return
  const isApproved = fit
    .filter(({ kind }) => kind === 'server' || kind === 'instructions')
    .every(({ kind, name, hash }) => pins.get(itemKey(kind, name)) === hash)
  if (!isApproved) return
  const seen = sightings.all(identity)
  const first = fit.filter(({ kind, name }) => {
    const key = itemKey(kind, name)
    return !pins.has(key) && !seen.has(key)
  })
  store.trustAtFirstSight(identity, first)
}

/**
 * What waits for the user now: what differs from the pins, what other clients were offered and nobody decided yet, and
 * pins of what is offered to nobody any more. `seen` has this offer in it already.
 */
export function changesOf(
  offered: readonly Pin[],
  pins: readonly Pin[],
  waiting: ReadonlyMap<string, PendingChange>,
  seen: ReadonlyMap<string, ReadonlySet<string>>,
): (Pin & { readonly change: Change })[] {
  const pinned = new Map(pins.map((pin) => [itemKey(pin.kind, pin.name), pin]))
  const here = new Map(offered.map((item) => [itemKey(item.kind, item.name), item]))
  const differing = offered.filter((item) => pinned.get(itemKey(item.kind, item.name))?.hash !== item.hash)
  const elsewhere = [...waiting].flatMap(([key, item]) => {
    const isOffered = item.change !== 'removed' && seen.get(key)?.has(item.hash) === true
    if (!isOffered || pinned.get(key)?.hash === item.hash) return []
    // Where this client is offered what was approved, only a denial is kept: the question need not be asked again.
    const isSettledHere = here.has(key)
    const staysDenied = here.get(key)?.hash === pinned.get(key)?.hash && item.deniedAt !== undefined
    return isSettledHere && !staysDenied ? [] : [item]
  })
  const removed = [...pinned].flatMap(([key, pin]) => (seen.has(key) ? [] : [pin]))
  return [
    ...[...differing, ...elsewhere].map(({ kind, name, hash, definition, literal }) => ({
      kind,
      name,
      hash,
      definition,
      literal,
      change: pinned.has(itemKey(kind, name)) ? ('changed' as const) : ('new' as const),
    })),
    ...removed.map((pin) => ({ ...pin, change: 'removed' as const })),
  ]
}
