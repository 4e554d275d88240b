import type { ServerSettings } from '../../../shared/settings.ts'
import { changesOf, isPinnedAs, pinnable, type UnfitItem } from './compare-offer.ts'
import { canonicalDefinition, viewOf } from '../protocol/definition-hash.ts'
import { formerIdentityOf } from './former-launch.ts'
import { isKeptKey } from '../ground/secrets/plain-keys.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import { identityOf, variablesOf } from './launch.ts'
import type { ResolvedPackage } from './packages/resolve-packages.ts'
import type { PinStore } from './pin-store.ts'
import type { PendingChange, Pin } from './pin.ts'
import type { MarkWords } from './moving-words.ts'
import { itemKey, itemsOf, itemsOfLaunch, type Offer } from './pinned-item.ts'
import { listed } from './sightings.ts'

export interface OfferedPins {
  readonly identity: string
  readonly formerIdentity: string
  /** Canonical JSON. */
  readonly launch: string
  /** Client capabilities given to the server. */
  readonly view: string
  /** Of variables or headers. */
  readonly values: ReadonlyMap<string, unknown>
  readonly fit: readonly Pin[]
  /** Can't be approved. */
  readonly unfit: readonly UnfitItem[]
}

/** `packages`: resolved by `npx` for this launch; other versions are another server. */
export function offeredPins(
  serverId: string,
  settings: ServerSettings,
  offer: Offer,
  packages: readonly ResolvedPackage[],
  markWords?: MarkWords,
): OfferedPins {
  const launched = itemsOfLaunch(serverId, settings, packages)
  const { fit, unfit } = pinnable([...launched, ...itemsOf(offer)], markWords)
  return {
    identity: identityOf(settings),
    formerIdentity: formerIdentityOf(settings),
    launch: canonicalDefinition(launched[0]?.definition).text,
    view: viewOf(offer.announced),
    values: valuesOf(variablesOf(serverId, settings)),
    fit,
    unfit: [...unfit.values()],
  }
}

const valuesOf = (variables: JsonObject | undefined): Map<string, unknown> =>
  new Map(Object.values(variables ?? {}).flatMap((values) => Object.entries(values ?? {})))

/** For review before a server is used; nothing is recorded before approval. */
export interface ComparedOffer extends OfferedPins {
  readonly serverId: string
  /** Unapproved; denied ones have a date. */
  readonly changes: readonly PendingChange[]
  /** Count. */
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
    if (isPinnedAs(item, pin)) return []
    const waits = waiting.get(key)
    const deniedAt = waits?.hash === item.hash ? waits.deniedAt : undefined
    const change = pin ? 'changed' : 'new'
    return [{ ...item, identity, serverId, change, at, deniedAt, before: pin?.definition }]
  })
  return { ...offered, serverId, changes, approved: fit.length - changes.length }
}

/** Returns the count. Denials stay: approving a server doesn't undo them. */
export function approveCompared(
  store: PinStore,
  { identity, formerIdentity, serverId, launch, view, fit, unfit, changes }: ComparedOffer,
  { by, now }: { readonly by: string; readonly now: number },
): number {
  return store.atomically(() => {
    store.takeOver(formerIdentity, identity)
    store.meet(identity, serverId, launch)
    store.sightings.meet(identity, view, now)
    store.sightings.note(identity, view, listed([...fit, ...unfit]))
    const waiting = new Map(
      store.pendingOf(serverId, identity).map((item) => [itemKey(item.kind, item.name), item]),
    )
    store.setPending(
      identity,
      changesOf(fit, store.wordings.pinsFor(identity, fit), waiting, store.sightings.all(identity)),
      waiting,
    )
    const shown = new Set(changes.map(({ hash }) => hash))
    const open = store
      .pending(identity)
      .filter(({ hash, deniedAt }) => deniedAt === undefined && shown.has(hash))
    const hashes = open.filter(({ change }) => change !== 'removed').map(({ hash }) => hash)
    return store.approve(identity, new Set(hashes), by).length
  })
}

/** Under the entry's name. Different values are left out and wait; a key moved to the keychain since is the same. */
export function shownFor(
  shown: readonly ComparedOffer[],
  serverId: string,
  settings: ServerSettings,
): ComparedOffer | undefined {
  const identity = identityOf(settings)
  const same = shown.filter((each) => each.identity === identity)
  const definition = variablesOf(serverId, settings)
  const found = same.findLast((each) => hasSameValues(each, serverId, settings)) ?? same.at(-1)
  if (!found) return undefined
  const isSame = hasSameValues(found, serverId, settings)
  const asNow = <Item extends Pin>(items: readonly Item[]): Item[] =>
    items.flatMap((item) => {
      if (item.kind !== 'variables') return [item]
      if (!isSame || definition === undefined) return []
      const { text, hash } = canonicalDefinition(definition)
      return [{ ...item, name: serverId, hash, literal: undefined, definition: text }]
    })
  return { ...found, serverId, fit: asNow(found.fit), changes: asNow(found.changes) }
}

function hasSameValues({ values }: OfferedPins, serverId: string, settings: ServerSettings): boolean {
  const now = valuesOf(variablesOf(serverId, settings))
  const raw = { ...settings.env, ...settings.headers }
  return (
    now.size === values.size &&
    [...now].every(
      ([name, value]) => values.get(name) === value || isKeptKey(serverId, name, raw[name] ?? ''),
    )
  )
}

export function foreignToolsOf(
  store: PinStore | undefined,
  { identity, fit }: OfferedPins,
  others: readonly string[],
): string[] {
  const own = new Set(fit.filter(({ kind }) => kind === 'tool').map(({ name }) => name))
  return [...(store?.toolsOfOthers(identity, own) ?? []), ...others.filter((name) => !own.has(name))]
}
