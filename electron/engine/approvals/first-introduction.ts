import type { ServerSettings } from '../../../shared/settings.ts'
import { identityOf } from './launch.ts'
import type { ResolvedPackage } from './packages/resolve-packages.ts'
import type { PinStore } from './pin-store.ts'
import type { PendingChange, Pin } from './pin.ts'
import type { Offer } from './pinned-item.ts'
import { offeredPins } from './review-offer.ts'
import { WORTH_A_WARNING, type Noticed } from './summarise.ts'

export interface FirstIntroductionOptions {
  readonly store: PinStore
  readonly resolvePackages: (settings: ServerSettings) => readonly ResolvedPackage[]
  /** In a pending definition. */
  readonly scan: (change: PendingChange, foreignTools: readonly string[]) => Promise<readonly Noticed[]>
  readonly now: () => number
}

/**
 * For servers approved before introductions were pinned, with unchanged launch and instructions. Introductions with
 * findings become pending.
 */
export async function pinFirstIntroduction(
  { store, resolvePackages, scan, now }: FirstIntroductionOptions,
  serverId: string,
  settings: ServerSettings,
  offer: Offer,
): Promise<void> {
  if (offer.introduction === undefined || store.sightings.hasKind(identityOf(settings), 'introduction'))
    return
  const itself = { ...offer, tools: [], prompts: [], resources: [], templates: [] }
  const { identity, fit } = offeredPins(serverId, settings, itself, resolvePackages(settings))
  const introduction = fit.find(({ kind }) => kind === 'introduction')
  if (!introduction || !isDue(store, identity, fit)) return
  const change = {
    ...introduction,
    identity,
    serverId,
    change: 'new',
    deniedAt: undefined,
    before: undefined,
  } as const
  const found = await scan({ ...change, at: now() }, store.toolsOfOthers(identity))
  if (found.some(({ score }) => score >= WORTH_A_WARNING)) return
  store.atomically(() => {
    if (isDue(store, identity, fit)) store.trustAtFirstSight(identity, [introduction])
  })
}

/** Every reading of a server records an introduction since introductions are pinned. */
function isDue(store: PinStore, identity: string, fit: readonly Pin[]): boolean {
  if (store.sightings.hasKind(identity, 'introduction')) return false
  const pins = store.wordings.pinsFor(identity, fit)
  const isPinned = (item: Pin): boolean =>
    pins.some(({ kind, name, hash }) => kind === item.kind && name === item.name && hash === item.hash)
  return (
    pins.every(({ kind }) => kind !== 'introduction') &&
    fit.filter(({ kind }) => kind === 'server' || kind === 'instructions').every(isPinned)
  )
}
