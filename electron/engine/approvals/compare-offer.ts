import { messageOf, SluiceError } from '../ground/errors.ts'
import { canonicalDefinition, markedForm, settledForm } from '../protocol/definition-hash.ts'
import { holdsOnlyKeys } from './launch.ts'
import { writesMarks, type MarkWords } from './moving-words.ts'
import type { PinStore } from './pin-store.ts'
import type { Change, PendingChange, Pin } from './pin.ts'
import { itemKey, type OfferedItem, type PinnedKind } from './pinned-item.ts'
import type { Sighting } from './sightings.ts'
import { withDefinition } from './with-definition.ts'

/** Can't be approved. */
export interface UnfitItem extends Sighting {
  readonly why: string
}

const LONGEST_OFFER = 50_000_000

/**
 * Unpinnable items, by key, each block only themselves. Throws if launch, variables or instructions are unpinnable,
 * which blocks the server.
 */
export function pinnable(
  items: readonly OfferedItem[],
  markWords: MarkWords = AS_IT_IS,
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
      fit.push(pin.pin)
      size += pin.length
    } else if (isForWhole(kind))
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

/** Unapproved, it blocks the whole server. */
const isForWhole = (kind: PinnedKind): boolean =>
  kind === 'server' || kind === 'variables' || kind === 'instructions'

function asPin(kind: PinnedKind, name: string, definition: unknown, markWords: MarkWords): Offered | string {
  try {
    const mark = kind === 'server' ? AS_IT_IS : markWords
    const literal = settledForm(definition)
    const { hash, length } = markedForm(definition, mark)
    // Marks in the server's own words must not count as such.
    const isWordForWord = hash !== literal.hash && !writesMarks(definition)
    const pin = withDefinition(
      { kind, name, hash, ...(isWordForWord ? { literal: literal.hash } : {}) },
      () => canonicalDefinition(mark(definition)).text,
    )
    return { pin, length }
  } catch (error) {
    return messageOf(error)
  }
}

interface Offered {
  readonly pin: Pin
  readonly length: number
}

const AS_IT_IS: MarkWords = (definition) => definition

/**
 * All of a new server, variables of a new entry with a known launch, and items that an approved server lists only for
 * new capabilities. Changed, denied and pending items stay pending. The launch comes last: until it is pinned the
 * server is blocked and its first sight unfinished.
 */
export function firstSeen(
  store: PinStore,
  { identity, view, fit, approved, waiting }: FirstOffer,
): readonly Pin[] {
  const pins = new Map(approved.map((pin) => [itemKey(pin.kind, pin.name), pin]))
  if (pins.size === 0 || store.hasBegunTrust(identity)) {
    if ([...waiting.values()].some(({ deniedAt }) => deniedAt !== undefined)) return []
    const launch = fit.filter(({ kind }) => kind === 'server')
    const others = fit.filter(
      (item) =>
        item.kind !== 'server' && !pins.has(itemKey(item.kind, item.name)) && !isPinnedAs(item, undefined),
    )
    return [...others, ...launch]
  }
  const { sightings } = store
  const entry = fit.filter(
    (item) =>
      item.kind === 'variables' &&
      !waiting.has(itemKey(item.kind, item.name)) &&
      store.isNewEntry(identity, item.name),
  )
  if (entry.length > 0) return entry
  if (sightings.hasMet(identity, view) || !sightings.hasMetAny(identity)) return []
  const isApproved = fit
    .filter(({ kind }) => isForWhole(kind))
    .every((item) => isPinnedAs(item, pins.get(itemKey(item.kind, item.name))))
  if (!isApproved) return []
  const seen = sightings.all(identity)
  return fit.filter(({ kind, name }) => {
    const key = itemKey(kind, name)
    return !pins.has(key) && !seen.has(key)
  })
}

interface FirstOffer {
  readonly identity: string
  readonly view: string
  readonly fit: readonly Pin[]
  readonly approved: readonly Pin[]
  readonly waiting: ReadonlyMap<string, PendingChange>
}

/** With undecided items listed to other clients, and pins no longer listed to any. `seen` includes this listing. */
export function changesOf(
  offered: readonly Pin[],
  pins: readonly Pin[],
  waiting: ReadonlyMap<string, PendingChange>,
  seen: ReadonlyMap<string, ReadonlySet<string>>,
): (Pin & { readonly change: Change })[] {
  const pinned = new Map(pins.map((pin) => [itemKey(pin.kind, pin.name), pin]))
  const here = new Map(offered.map((item) => [itemKey(item.kind, item.name), item]))
  const differing = [...here].flatMap(([key, item]) => (isPinnedAs(item, pinned.get(key)) ? [] : [item]))
  const elsewhere = [...waiting].flatMap(([key, item]) => {
    const isOffered = item.change !== 'removed' && seen.get(key)?.has(item.hash) === true
    if (!isOffered || pinned.get(key)?.hash === item.hash) return []
    // If this client gets the approved form, only a denial is kept, to not ask again.
    const isSettledHere = here.has(key)
    const staysDenied = here.get(key)?.hash === pinned.get(key)?.hash && item.deniedAt !== undefined
    return isSettledHere && !staysDenied ? [] : [item]
  })
  const removed = [...pinned].flatMap(([key, pin]) => (seen.has(key) || here.has(key) ? [] : [pin]))
  return [
    ...[...differing, ...elsewhere].map((item) =>
      asChange(item, pinned.has(itemKey(item.kind, item.name)) ? 'changed' : 'new'),
    ),
    ...removed.map((pin) => asChange(pin, 'removed')),
  ]
}

/** Keys alone need no review, unless they replace a reviewed value. */
export const isPinnedAs = (item: Pin, pin: Pin | undefined): boolean =>
  pin ? pin.hash === item.hash : item.kind === 'variables' && holdsOnlyKeys(item.definition)

function asChange(pin: Pin, change: Change): Pin & { readonly change: Change } {
  const { kind, name, hash, literal } = pin
  return withDefinition({ kind, name, hash, literal, change }, () => pin.definition)
}
