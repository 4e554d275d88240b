import type { ServerSettings } from '../../../shared/settings.ts'
import { messageOf, SluiceError } from '../errors.ts'
import { isUnwritable, sqliteCodeOf } from '../explain-file-failure.ts'
import type { Logger } from '../logger.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import { canonicalDefinition, markedHash, viewOf } from './definition-hash.ts'
import { formerIdentityOf } from './former-launch.ts'
import { identityOf, launchOf } from './launch.ts'
import type { ResolvedPackage } from './packages/resolve-packages.ts'
import type { PendingChange, Pin, PinStore } from './pin-store.ts'
import { changesOf, pinnable, trustFirstSight, type UnfitItem } from './compare-offer.ts'
import { createMarkWords, type MarkWords } from './moving-words.ts'
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
  /** Whether something of it, or all of it, waits for the user's word. */
  readonly waits: boolean
  /** It came from reading alone, because nothing could be written: worth another look soon. */
  readonly isProvisional: boolean
  /** Whether exactly this definition is approved. */
  allows(kind: PinnedKind, definition: JsonObject): boolean
  /** Why a thing of this name does not pass, for the model and its user. */
  reason(kind: PinnedKind, name: string): string
  /** Whether a thing of this name waits, was denied, or can't be approved: it is no unknown one. */
  isHeldBack(kind: PinnedKind, name: string): boolean
}

export interface ApprovalGateOptions {
  /** Undefined when the pins can't be read: everything is blocked, `damage` says why. */
  readonly store: PinStore | undefined
  readonly damage?: string
  readonly firstSight: () => 'ask' | 'trust'
  readonly resolvePackages: (settings: ServerSettings) => readonly ResolvedPackage[]
  /** Words that name it are no change. */
  readonly homeDir?: string | undefined
  readonly logger: Logger
  /** Unix milliseconds. */
  readonly now: () => number
  /** Told of things that wait for the user and did not wait before. */
  readonly onPending: (serverId: string, changes: readonly PendingChange[]) => void
}

const HOW = (serverId: string): string =>
  `The user can look at it and approve it with "sluice review ${serverId}" or in the Sluice window. You can't approve it yourself.`

/** Compares what servers offer with what their user approved. Fails closed: what can't be compared is blocked. */
export class ApprovalGate {
  readonly #options: ApprovalGateOptions

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
      if (isWriteFailure(error)) return this.#checkByReading(store, server, error)
      return this.#blocked(server.serverId, error)
    }
  }

  #blocked(serverId: string, cause: unknown): Verdict {
    this.#options.logger.error('A server could not be checked and stays blocked.', {
      server: serverId,
      cause: messageOf(cause),
    })
    return everythingBlocked(`Server "${serverId}" could not be checked: ${whyNot(cause)}`)
  }

  /** What was approved and is offered unchanged passes although the disk is full; a server that nobody approved does not. */
  #checkByReading(store: PinStore, server: ServerOnTrial, cause: unknown): Verdict {
    const { serverId } = server
    try {
      store.verify()
      const { identity, fit, unfit, markWords } = this.#read(server)
      const pins = store.wordings.pinsFor(identity, fit, markWords.isSameHere)
      if (pins.length > 0) {
        const waiting = waitingOf(store, identity)
        const now = this.#options.now()
        const changes = changesOf(fit, pins, waiting, store.sightings.all(identity)).map((item) => {
          const known = waiting.get(itemKey(item.kind, item.name))
          const deniedAt = known?.hash === item.hash ? known.deniedAt : undefined
          return { ...item, identity, serverId, at: now, deniedAt, before: undefined }
        })
        this.#options.logger.warn(
          'What a server offers could not be written down; what is approved passes.',
          {
            server: serverId,
            cause: messageOf(cause),
          },
        )
        return {
          ...verdictOf({ identity, serverId, pins, pending: changes, unfit, markWords }),
          isProvisional: true,
        }
      }
    } catch {
      // Not even reading works: the first reason is the better one.
    }
    return { ...this.#blocked(serverId, cause), isProvisional: true }
  }

  #read({ settings, offer }: ServerOnTrial) {
    const packages = this.#options.resolvePackages(settings)
    const launch = { ...launchOf(settings), ...(packages.length > 0 ? { packages } : {}) }
    const markWords = createMarkWords({
      folder: offer.folder,
      home: this.#options.homeDir,
      now: this.#options.now(),
    })
    return {
      launch,
      identity: identityOf(settings),
      markWords,
      ...pinnable(itemsOf(launch, offer), markWords),
    }
  }

  #check(store: PinStore, server: ServerOnTrial): Verdict {
    const { serverId, offer } = server
    const { launch, identity, fit, unfit, markWords } = this.#read(server)
    store.takeOver(formerIdentityOf(server.settings), identity)
    store.meet(identity, serverId, canonicalDefinition(launch).text)
    const view = viewOf(offer.announced)
    const trusts = this.#options.firstSight() === 'trust'
    // The first sight is that of a whole offer: tools that come later would be new ones.
    if (trusts && offer.unread?.has('tool') && isNew(store, identity))
      return trustedForNow(identity, fit, markWords)
    if (trusts) trustFirstSight(store, identity, view, fit, markWords)
    store.sightings.meet(identity, view, this.#options.now())
    store.sightings.note(identity, view, [...fit, ...unfit.values()], offer.unread)
    const pins = store.wordings.pinsFor(identity, fit, markWords.isSameHere)
    this.#noteDifferences(store, identity, serverId, fit, pins)
    return verdictOf({
      identity,
      serverId,
      pins,
      pending: store.pending(identity),
      unfit,
      markWords,
    })
  }

  #noteDifferences(
    store: PinStore,
    identity: string,
    serverId: string,
    offered: readonly Pin[],
    pins: readonly Pin[],
  ): void {
    const waiting = waitingOf(store, identity)
    const changes = changesOf(offered, pins, waiting, store.sightings.all(identity))
    const isSame =
      waiting.size === changes.length &&
      changes.every((item) => {
        const other = waiting.get(itemKey(item.kind, item.name))
        return other?.hash === item.hash && other.change === item.change
      })
    if (isSame) return
    store.setPending(identity, changes)
    const fresh = store.pending(identity).filter((item) => {
      const other = waiting.get(itemKey(item.kind, item.name))
      return item.change !== 'removed' && other?.hash !== item.hash
    })
    if (fresh.length > 0) this.#options.onPending(serverId, fresh)
    this.#options.logger.info(
      pins.length > 0 ? 'server offers something else than approved' : 'server waits for approval',
      { server: serverId, changes: changes.length },
    )
  }
}

/** Nobody has approved or denied anything of it. */
const isNew = (store: PinStore, identity: string): boolean =>
  store.pinsOf(identity).length === 0 &&
  store.pending(identity).every(({ deniedAt }) => deniedAt === undefined)

const waitingOf = (store: PinStore, identity: string): Map<string, PendingChange> =>
  new Map(store.pending(identity).map((item) => [itemKey(item.kind, item.name), item]))

function verdictOf({
  identity,
  serverId,
  pins,
  pending,
  unfit,
  markWords,
}: {
  readonly identity: string
  readonly serverId: string
  readonly pins: readonly Pin[]
  readonly pending: readonly PendingChange[]
  readonly unfit: ReadonlyMap<string, UnfitItem>
  readonly markWords: MarkWords
}): Verdict {
  const hashes = new Map(pins.map((pin) => [itemKey(pin.kind, pin.name), pin.hash]))
  const changes = new Map(pending.map((item) => [itemKey(item.kind, item.name), item]))
  return {
    identity,
    isProvisional: false,
    blocked: blockedReason(
      serverId,
      hashes.size > 0,
      changes.get(itemKey('server', '')),
      changes.get(itemKey('instructions', '')),
    ),
    waits: [...changes.values()].some(
      ({ change, deniedAt }) => change !== 'removed' && deniedAt === undefined,
    ),
    allows: (kind, definition) => {
      if (unfit.has(itemKey(kind, nameOfItem(kind, definition)))) return false
      return isListed(hashes, kind, definition, markWords)
    },
    isHeldBack: (kind, name) => {
      const key = itemKey(kind, name)
      const change = changes.get(key)?.change
      return unfit.has(key) || (change !== undefined && change !== 'removed')
    },
    reason: (kind, name) => {
      const key = itemKey(kind, name)
      const why = unfit.get(key)?.why
      if (why !== undefined)
        return `The ${kind} "${name}" of server "${serverId}" is blocked, and nobody can approve it: ${why}. The author of the server has to mend that.`
      return reasonFor(kind, name, serverId, changes.get(key))
    },
  }
}

/** Of a server whose tools nobody has seen yet: nothing is written down, and what it listed passes until it lists them. */
function trustedForNow(identity: string, fit: readonly Pin[], markWords: MarkWords): Verdict {
  const hashes = new Map(fit.map(({ kind, name, hash }) => [itemKey(kind, name), hash]))
  return {
    identity,
    isProvisional: false,
    blocked: undefined,
    waits: false,
    allows: (kind, definition) => isListed(hashes, kind, definition, markWords),
    reason: (kind, name) => `Unknown ${kind}: ${name}. The server has not listed its tools yet.`,
    isHeldBack: () => false,
  }
}

function isListed(
  hashes: ReadonlyMap<string, string>,
  kind: PinnedKind,
  definition: JsonObject,
  markWords: MarkWords,
): boolean {
  try {
    return hashes.get(itemKey(kind, nameOfItem(kind, definition))) === markedHash(definition, markWords)
  } catch {
    return false
  }
}

function reasonFor(
  kind: PinnedKind,
  name: string,
  serverId: string,
  change: PendingChange | undefined,
): string {
  if (!change)
    return `Unknown ${kind}: ${name}. The approved list of server "${serverId}" does not contain it.`
  const what =
    change.deniedAt !== undefined
      ? 'was denied by the user'
      : change.change === 'new'
        ? 'is new and was not approved yet'
        : 'has changed since the user approved it'
  return `The ${kind} "${name}" of server "${serverId}" ${what}, so it is blocked. ${HOW(serverId)}`
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
  if (server?.change === 'new' || instructions?.change === 'new')
    return `The server "${serverId}" was not approved as a whole yet, so all of it is blocked. ${HOW(serverId)}`
  if (server)
    return `The server "${serverId}" is started in another way, or from another package, than the user approved, so all of it is blocked. ${HOW(serverId)}`
  if (instructions)
    return `The instructions of the server "${serverId}" have changed since the user approved them, so all of it is blocked. ${HOW(serverId)}`
  return undefined
}

const everythingBlocked = (why: string): Verdict => ({
  identity: '',
  blocked: why,
  waits: false,
  isProvisional: false,
  allows: () => false,
  reason: () => why,
  isHeldBack: () => true,
})

/** The folder's fault, not the server's: it can't be written, another process holds its lock, or the disk under it fails. */
const isWriteFailure = (error: unknown): boolean =>
  isUnwritable(error) ||
  (error instanceof SluiceError && error.code === 'DATABASE_LOCKED') ||
  ((sqliteCodeOf(error) ?? 0) & 0xff) === SQLITE_IOERR
const SQLITE_IOERR = 10

/** SQLite's own words tell nobody what to do. */
const whyNot = (error: unknown): string =>
  error instanceof Error && 'errcode' in error
    ? `pins.db, the record of approvals in Sluice's data folder, can't be written (${error.message}). See that the folder can be written to and its disk has room.`
    : error instanceof SluiceError && error.code === 'DATABASE_DAMAGED'
      ? `${error.message}. Or say "sluice review --start-anew", which keeps the file under another name and asks about every server again.`
      : messageOf(error)
