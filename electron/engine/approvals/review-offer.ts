import type { ServerSettings } from '../../../shared/settings.ts'
import { changesOf, pinnable, type UnfitItem } from './compare-offer.ts'
import { canonicalDefinition, viewOf } from '../protocol/definition-hash.ts'
import { formerIdentityOf } from './former-launch.ts'
import { identityOf, launchOf } from './launch.ts'
import type { ResolvedPackage } from './packages/resolve-packages.ts'
import type { PinStore } from './pin-store.ts'
import type { PendingChange, Pin } from './pin.ts'
import type { MarkWords } from './moving-words.ts'
import { itemKey, itemsOf, type Offer } from './pinned-item.ts'

/** A whole offer as it would be pinned. */
export interface OfferedPins {
  readonly identity: string
  /** What an earlier Sluice called this launch. */
  readonly formerIdentity: string
  /** Canonical JSON of how the server is launched. */
  readonly launch: string
  /** What the server was told that its client can do. */
  readonly view: string
  readonly fit: readonly Pin[]
  /** What no approval lets pass. */
  readonly unfit: readonly UnfitItem[]
}

/** `packages`: resolved by `npx` for this launch; other versions are another server. */
export function offeredPins(
  settings: ServerSettings,
  offer: Offer,
  packages: readonly ResolvedPackage[],
  markWords?: MarkWords,
): OfferedPins {
  const launch = { ...launchOf(settings), ...(packages.length > 0 ? { packages } : {}) }
  const { fit, unfit } = pinnable(
    [{ kind: 'server', name: '', definition: launch }, ...itemsOf(offer)],
    markWords,
  )
  return {
    identity: identityOf(settings),
    formerIdentity: formerIdentityOf(settings),
    launch: canonicalDefinition(launch).text,
    view: viewOf(offer.announced),
    fit,
    unfit: [...unfit.values()],
  }
}

/** What a person reviews before a server is used, and what approval pins; nothing is recorded before. */
export interface ComparedOffer extends OfferedPins {
  readonly serverId: string
  /** Unapproved items; denied ones have a date. */
  readonly changes: readonly PendingChange[]
  /** How many of the things it offers are approved already. */
  readonly approved: number
}

export function compareOffer(
  store: PinStore,
  serverId: string,
  offered: OfferedPins,
  at: number,
  markWords?: MarkWords,
): ComparedOffer {
  const { identity, formerIdentity, fit } = offered
  const known = store.isKnown(identity) ? identity : formerIdentity
  const pins = new Map(
    store.wordings
      .pinsFor(known, fit, markWords?.isSameHere)
      .map((pin) => [itemKey(pin.kind, pin.name), pin]),
  )
  const waiting = new Map(store.pending(known).map((item) => [itemKey(item.kind, item.name), item]))
  const changes = fit.flatMap((item): PendingChange[] => {
    const key = itemKey(item.kind, item.name)
    const pin = pins.get(key)
    if (pin?.hash === item.hash) return []
    const waits = waiting.get(key)
    const deniedAt = waits?.hash === item.hash ? waits.deniedAt : undefined
    const change = pin ? 'changed' : 'new'
    return [{ ...item, identity, serverId, change, at, deniedAt, before: pin?.definition }]
  })
  return { ...offered, serverId, changes, approved: fit.length - changes.length }
}

/** Pins only what was shown; returns the count. Denials stay: approving a server doesn't undo them. */
export function approveCompared(
  store: PinStore,
  { identity, formerIdentity, serverId, launch, view, fit, unfit, changes }: ComparedOffer,
  { by, now }: { readonly by: string; readonly now: number },
): number {
  return store.atomically(() => {
    store.takeOver(formerIdentity, identity)
    store.meet(identity, serverId, launch)
    store.sightings.meet(identity, view, now)
    store.sightings.note(identity, view, [...fit, ...unfit])
    const waiting = new Map(store.pending(identity).map((item) => [itemKey(item.kind, item.name), item]))
    store.setPending(
      identity,
      changesOf(fit, store.wordings.pinsFor(identity, fit), waiting, store.sightings.all(identity)),
    )
    const shown = new Set(changes.map(({ hash }) => hash))
    const open = store
      .pending(identity)
      .filter(({ hash, deniedAt }) => deniedAt === undefined && shown.has(hash))
    const hashes = open.filter(({ change }) => change !== 'removed').map(({ hash }) => hash)
    return store.approve(identity, new Set(hashes), by).length
  })
}

/** Tool names a new server must not mention: of approved servers and `others` beside it. */
export function foreignToolsOf(
  store: PinStore | undefined,
  { identity, fit }: OfferedPins,
  others: readonly string[],
): string[] {
  const own = new Set(fit.filter(({ kind }) => kind === 'tool').map(({ name }) => name))
  return [...(store?.toolsOfOthers(identity, own) ?? []), ...others.filter((name) => !own.has(name))]
}
