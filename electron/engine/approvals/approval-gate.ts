import type { ServerSettings } from '../../../shared/settings.ts'
import { messageOf } from '../errors.ts'
import type { Logger } from '../logger.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import { canonicalDefinition } from './definition-hash.ts'
import { identityOf, launchOf, type ResolvedPackage } from './launch.ts'
import type { Change, PendingChange, Pin, PinStore } from './pin-store.ts'
import { itemKey, itemsOf, nameOfItem, type Offer, type PinnedKind } from './pinned-item.ts'

export interface ServerOnTrial {
  readonly serverId: string
  readonly settings: ServerSettings
  readonly offer: Offer
}

/** What of one server may pass, as its pins stand now. */
export interface Verdict {
  readonly identity: string
  /** Why nothing at all passes; undefined where the server and its instructions are approved. */
  readonly blocked: string | undefined
  /** Whether exactly this definition is approved. */
  allows(kind: PinnedKind, definition: JsonObject): boolean
  /** Why a thing of this name does not pass, for the model and its user. */
  reason(kind: PinnedKind, name: string): string
}

export interface ApprovalGateOptions {
  /** Undefined when the pins can't be read: everything is blocked, `damage` says why. */
  readonly store: PinStore | undefined
  readonly damage?: string
  readonly firstSight: () => 'ask' | 'trust'
  readonly resolvePackage: (settings: ServerSettings) => ResolvedPackage | undefined
  readonly logger: Logger
  /** Told of things that wait for the user and did not wait before. */
  readonly onPending: (serverId: string, changes: readonly PendingChange[]) => void
}

const HOW = (serverId: string): string =>
  `The user can look at it and approve it with "sluice review ${serverId}" or in the Sluice window. You can't approve it yourself.`

/** Compares what servers offer with what their user approved. Fails closed: what can't be compared is blocked. */
export class ApprovalGate {
  readonly #options: ApprovalGateOptions
  readonly #pins = new Map<string, { version: number; hashes: ReadonlyMap<string, string> }>()

  constructor(options: ApprovalGateOptions) {
    this.#options = options
  }

  /** Changes when an earlier verdict may no longer hold. */
  version(): number {
    return this.#options.store?.version() ?? -1
  }

  /** Compares a whole offer with the pins, notes what differs for the user, and says what may pass. */
  check(server: ServerOnTrial): Verdict {
    const { store, damage } = this.#options
    if (!store) return everythingBlocked(damage ?? 'The record of approvals is damaged.')
    try {
      // All at once: what another process decides meanwhile comes before or after, never in between.
      return store.atomically(() => this.#check(store, server))
    } catch (error) {
      this.#options.logger.error('A server could not be checked and stays blocked.', {
        server: server.serverId,
        cause: messageOf(error),
      })
      return everythingBlocked(`Server "${server.serverId}" could not be checked: ${messageOf(error)}`)
    }
  }

  #check(store: PinStore, { serverId, settings, offer }: ServerOnTrial): Verdict {
    const resolved = this.#options.resolvePackage(settings)
    const launch = { ...launchOf(settings), ...(resolved ? { package: { ...resolved } } : {}) }
    const identity = identityOf(settings)
    store.meet(identity, serverId, canonicalDefinition(launch).text)
    const offered = itemsOf(launch, offer).map(({ kind, name, definition }): Pin => {
      const canonical = canonicalDefinition(definition)
      return { kind, name, hash: canonical.hash, definition: canonical.text }
    })
    const isFirstSight =
      store.pinsOf(identity).length === 0 &&
      store.pending(identity).every(({ deniedAt }) => deniedAt === undefined)
    if (isFirstSight && this.#options.firstSight() === 'trust') store.trustAtFirstSight(identity, offered)
    this.#noteDifferences(store, identity, serverId, offered)
    return this.#verdict(store, identity, serverId)
  }

  #noteDifferences(store: PinStore, identity: string, serverId: string, offered: readonly Pin[]): void {
    const pinned = new Map(store.pinsOf(identity).map((pin) => [itemKey(pin.kind, pin.name), pin]))
    const known = pinned.size > 0
    const changes = offered.flatMap((item): (Pin & { change: Change })[] => {
      const pin = pinned.get(itemKey(item.kind, item.name))
      if (pin?.hash === item.hash) return []
      return [{ ...item, change: pin ? 'changed' : 'new' }]
    })
    const here = new Set(offered.map((item) => itemKey(item.kind, item.name)))
    const removed = [...pinned.values()].filter((pin) => !here.has(itemKey(pin.kind, pin.name)))
    const all = [...changes, ...removed.map((pin) => ({ ...pin, change: 'removed' as const }))]
    const waiting = new Map(store.pending(identity).map((item) => [itemKey(item.kind, item.name), item]))
    const isSame =
      waiting.size === all.length &&
      all.every((item) => {
        const other = waiting.get(itemKey(item.kind, item.name))
        return other?.hash === item.hash && other.change === item.change
      })
    if (isSame) return
    store.setPending(identity, all)
    const fresh = store.pending(identity).filter((item) => {
      const other = waiting.get(itemKey(item.kind, item.name))
      return item.change !== 'removed' && other?.hash !== item.hash
    })
    if (fresh.length > 0) this.#options.onPending(serverId, fresh)
    this.#options.logger.info(
      known ? 'server offers something else than approved' : 'server waits for approval',
      {
        server: serverId,
        changes: all.length,
      },
    )
  }

  #verdict(store: PinStore, identity: string, serverId: string): Verdict {
    const waiting = (): ReadonlyMap<string, PendingChange> =>
      new Map(store.pending(identity).map((item) => [itemKey(item.kind, item.name), item]))
    const hashes = this.#hashesOf(store, identity)
    const changes = waiting()
    const server = changes.get(itemKey('server', ''))
    const instructions = changes.get(itemKey('instructions', ''))
    return {
      identity,
      blocked: blockedReason(serverId, hashes.size > 0, server, instructions),
      allows: (kind, definition) => {
        try {
          return (
            hashes.get(itemKey(kind, nameOfItem(kind, definition))) === canonicalDefinition(definition).hash
          )
        } catch {
          return false
        }
      },
      reason: (kind, name) => {
        const change = changes.get(itemKey(kind, name))
        if (!change)
          return `Unknown ${kind}: ${name}. The approved list of server "${serverId}" does not contain it.`
        const what =
          change.deniedAt !== undefined
            ? 'was denied by the user'
            : change.change === 'new'
              ? 'is new and was not approved yet'
              : 'has changed since the user approved it'
        return `The ${kind} "${name}" of server "${serverId}" ${what}, so it is blocked. ${HOW(serverId)}`
      },
    }
  }

  #hashesOf(store: PinStore, identity: string): ReadonlyMap<string, string> {
    const version = store.version()
    const known = this.#pins.get(identity)
    if (known?.version === version) return known.hashes
    const hashes = new Map(store.pinsOf(identity).map((pin) => [itemKey(pin.kind, pin.name), pin.hash]))
    // What is trusted at first sight comes without a new version.
    if (hashes.size > 0) this.#pins.set(identity, { version, hashes })
    return hashes
  }
}

function blockedReason(
  serverId: string,
  isKnown: boolean,
  server: PendingChange | undefined,
  instructions: PendingChange | undefined,
): string | undefined {
  const denied = server?.deniedAt !== undefined || instructions?.deniedAt !== undefined
  if (denied) return `The user denied the server "${serverId}", so all of it is blocked. ${HOW(serverId)}`
  if (!isKnown)
    return `The server "${serverId}" is new and was not approved yet, so all of it is blocked. ${HOW(serverId)}`
  if (server)
    return `The server "${serverId}" is started in another way, or from another package, than the user approved, so all of it is blocked. ${HOW(serverId)}`
  if (instructions)
    return `The instructions of the server "${serverId}" have changed since the user approved them, so all of it is blocked. ${HOW(serverId)}`
  return undefined
}

const everythingBlocked = (why: string): Verdict => ({
  identity: '',
  blocked: why,
  allows: () => false,
  reason: () => why,
})
