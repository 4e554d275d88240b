import { setImmediate } from 'node:timers/promises'
import type { ServerSettings } from '../../../shared/settings.ts'
import { messageOf, SluiceError } from '../ground/errors.ts'
import { isDatabaseFailure, isUnwritable, sqliteCodeOf } from '../ground/files/explain-file-failure.ts'
import type { Logger } from '../ground/logger.ts'
import { canonicalDefinition, markedForm, viewOf } from '../protocol/definition-hash.ts'
import { formerIdentityOf } from './former-launch.ts'
import { identityOf } from './launch.ts'
import type { ResolvedPackage } from './packages/resolve-packages.ts'
import type { PinStore } from './pin-store.ts'
import type { Change, PendingChange, Pin } from './pin.ts'
import type { Unwritten } from './pin-writer.ts'
import { changesOf, firstSeen, pinnable } from './compare-offer.ts'
import { inTurns } from '../ground/steps.ts'
import { createMarkWords, type MarkWords } from './moving-words.ts'
import {
  isOfOtherEntry,
  itemKey,
  itemsOf,
  itemsOfLaunch,
  type Offer,
  type OfferedItem,
} from './pinned-item.ts'
import { listed } from './sightings.ts'
import { everythingBlocked, trustedForNow, unfinished, verdictOf, type Verdict } from './verdict.ts'

export interface ServerOnTrial {
  readonly serverId: string
  readonly settings: ServerSettings
  readonly offer: Offer
}

export interface ApprovalGateOptions {
  /** Unreadable pins: undefined, everything is blocked; `damage` has the reason. */
  readonly store: PinStore | undefined
  readonly damage?: string
  readonly firstSight: () => 'ask' | 'trust'
  readonly resolvePackages: (settings: ServerSettings) => readonly ResolvedPackage[]
  readonly homeDir?: string | undefined
  readonly settle?: () => void
  readonly logger: Logger
  readonly now: () => number
  readonly onPending: (serverId: string, changes: readonly PendingChange[]) => void
}

/** Before its differences must be written. */
const MOST_ROUNDS = 10

/** Fails closed: blocks what can't be compared. */
export class ApprovalGate {
  readonly #options: ApprovalGateOptions
  readonly #markWords = new WeakMap<Offer, MarkWords>()
  readonly #offered = new WeakMap<Offer, ReturnType<typeof pinnable>>()
  /** New changes written so far, to notify the user once about all. */
  readonly #unnotified = new Map<string, Map<string, string>>()
  /** One check per launch at a time: what one sees first isn't new to the next. */
  readonly #turns = new Map<string, Promise<unknown>>()
  #isClosed = false

  constructor(options: ApprovalGateOptions) {
    this.#options = options
  }

  version(): number {
    return this.#options.store?.version() ?? -1
  }

  /** Stops checks. */
  close(): void {
    this.#isClosed = true
  }

  /**
   * Yields to other work. Nothing passes until all is written: if the process ends earlier, the server stays blocked
   * or its first sight continues.
   */
  async checkInTurns(server: ServerOnTrial): Promise<Verdict> {
    const name = launchName(server.settings)
    const turn = (this.#turns.get(name) ?? Promise.resolve()).then(() => this.#checkInTurns(server))
    const ended = turn
      .catch(() => {})
      .finally(() => {
        if (this.#turns.get(name) === ended) this.#turns.delete(name)
      })
    this.#turns.set(name, ended)
    return turn
  }

  async #checkInTurns(server: ServerOnTrial): Promise<Verdict> {
    if (this.#options.store) await this.#settleForms(server)
    for (let round = 1; ; round++) {
      if (this.#isClosed) return everythingBlocked('Sluice is ending.')
      const verdict = this.check(server)
      // If other processes keep changing the record, it stays blocked and is checked again soon.
      if (verdict.unwritten === undefined || round >= MOST_ROUNDS) return verdict
      await this.#writeDown(verdict.unwritten)
    }
  }

  async #writeDown(unwritten: Unwritten): Promise<void> {
    const { store, firstSight, logger } = this.#options
    const sight = firstSight()
    try {
      for (let rest: Unwritten | undefined = unwritten; rest;) {
        await setImmediate()
        if (this.#isClosed || firstSight() !== sight) return
        rest = store?.writeOn(rest)
      }
    } catch (error) {
      // The next check reports it.
      logger.debug('What a server offers could not be written down.', { cause: messageOf(error) })
    }
  }

  async #settleForms({ serverId, offer }: ServerOnTrial): Promise<void> {
    const markWords = this.#markWordsFor(offer)
    try {
      await inTurns(itemsOf(offer), ({ definition }) => {
        try {
          markedForm(definition, markWords)
        } catch {
          // The check gives each reason.
        }
      })
    } catch (error) {
      this.#options.logger.debug('An offer is too large to be checked.', {
        server: serverId,
        cause: messageOf(error),
      })
    }
  }

  #markWordsFor(offer: Offer): MarkWords {
    const known = this.#markWords.get(offer)
    if (known) return known
    const { homeDir: home, now } = this.#options
    const markWords = createMarkWords({ folder: offer.folder, home, now: now() })
    this.#markWords.set(offer, markWords)
    return markWords
  }

  check(server: ServerOnTrial): Verdict {
    const { store, damage } = this.#options
    if (!store) return everythingBlocked(damage ?? 'The record of approvals is damaged.')
    try {
      // Other processes decide before or after.
      return store.atomically(() => {
        this.#options.settle?.()
        return this.#check(store, server)
      })
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

  /** On a full disk approved unchanged definitions pass; unapproved servers don't. */
  #checkByReading(store: PinStore, server: ServerOnTrial, cause: unknown): Verdict {
    const { serverId } = server
    try {
      store.verify()
      const { identity, fit, unfit, markWords } = this.#read(server)
      const pins = store.wordings.pinsFor(identity, fit, markWords.isSameHere)
      if (pins.length > 0) {
        const waiting = waitingOf(store, identity, serverId)
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
      // Reading fails, too: the first reason is the better one.
    }
    return { ...this.#blocked(serverId, cause), isProvisional: true }
  }

  #read({ serverId, settings, offer }: ServerOnTrial) {
    const launched = itemsOfLaunch(serverId, settings, this.#options.resolvePackages(settings))
    const markWords = this.#markWordsFor(offer)
    return {
      launch: launched[0]?.definition,
      identity: identityOf(settings),
      markWords,
      ...this.#pinnable(launched, offer, markWords),
    }
  }

  /** A listing is immutable: when checked again only the launch may differ. */
  #pinnable(
    launched: readonly OfferedItem[],
    offer: Offer,
    markWords: MarkWords,
  ): ReturnType<typeof pinnable> {
    const own = pinnable(launched, markWords)
    const known = this.#offered.get(offer) ?? pinnable(itemsOf(offer), markWords)
    this.#offered.set(offer, known)
    return { fit: [...own.fit, ...known.fit], unfit: known.unfit }
  }

  #check(store: PinStore, server: ServerOnTrial): Verdict {
    const { serverId, offer } = server
    const { launch, identity, fit, unfit, markWords } = this.#read(server)
    const { isSameHere } = markWords
    store.takeOver(formerIdentityOf(server.settings), identity)
    store.meet(identity, serverId, canonicalDefinition(launch).text)
    const view = viewOf(offer.announced)
    const trusts = this.#options.firstSight() === 'trust'
    const hasBegun = store.hasBegunTrust(identity)
    // First sight covers a whole listing: later tools would count as new.
    if (trusts && offer.unread?.has('tool') && (hasBegun || isNew(store, identity)))
      return trustedForNow(identity, fit, markWords)
    if (hasBegun && !trusts) store.forgetTrust(identity)
    const waiting = waitingOf(store, identity, serverId)
    let approved = store.wordings.pinsFor(identity, fit, isSameHere)
    const first = trusts ? firstSeen(store, { identity, view, fit, approved, waiting }) : []
    if (first.length > 0) {
      const rest = store.writePortion(store.writes.trust(identity, first), true)
      if (rest) return unfinished(identity, serverId, rest)
      approved = store.wordings.pinsFor(identity, fit, isSameHere)
    }
    const sighted = store.sightings.compare(identity, view, listed([...fit, ...unfit.values()]), offer.unread)
    const changes = changesOf(fit, approved, waiting, sighted.seen)
    const isSame = isWaiting(changes, waiting)
    if (!isSame) this.#noteUnnotified(identity, changes, waiting)
    const pendingWrites = isSame ? [] : store.writes.pending(identity, changes, waiting)
    const rest = store.writePortion([...sighted.writes, ...pendingWrites], !isSame)
    store.sightings.meet(identity, view, this.#options.now())
    if (rest) return unfinished(identity, serverId, rest)
    const pending = isSame ? [...waiting.values()] : [...waitingOf(store, identity, serverId).values()]
    this.#tell(identity, serverId, pending, approved.length > 0)
    return verdictOf({ identity, serverId, pins: approved, pending, unfit, markWords })
  }

  #noteUnnotified(
    identity: string,
    changes: readonly (Pin & { readonly change: Change })[],
    waiting: ReadonlyMap<string, PendingChange>,
  ): void {
    const unnotified = this.#unnotified.get(identity) ?? new Map<string, string>()
    this.#unnotified.set(identity, unnotified)
    for (const { kind, name, hash, change } of changes) {
      const key = itemKey(kind, name)
      if (change !== 'removed' && waiting.get(key)?.hash !== hash) unnotified.set(key, hash)
    }
  }

  #tell(identity: string, serverId: string, pending: readonly PendingChange[], isKnown: boolean): void {
    const unnotified = this.#unnotified.get(identity)
    if (!unnotified) return
    this.#unnotified.delete(identity)
    if (pending.length === 0) return
    const fresh = pending.filter(({ kind, name, hash }) => unnotified.get(itemKey(kind, name)) === hash)
    if (fresh.length > 0) this.#options.onPending(serverId, fresh)
    this.#options.logger.info(
      isKnown ? 'server offers something else than approved' : 'server waits for approval',
      { server: serverId, changes: pending.length },
    )
  }
}

/** The check blocks unnamed ones. */
function launchName(settings: ServerSettings): string {
  try {
    return identityOf(settings)
  } catch {
    return ''
  }
}

const isWaiting = (
  changes: readonly (Pin & { readonly change: Change })[],
  waiting: ReadonlyMap<string, PendingChange>,
): boolean =>
  waiting.size === changes.length &&
  changes.every(({ kind, name, hash, change }) => {
    const other = waiting.get(itemKey(kind, name))
    return other?.hash === hash && other.change === change
  })

/** Nothing approved or denied. */
const isNew = (store: PinStore, identity: string): boolean =>
  store.lightPinsOf(identity).length === 0 &&
  store.waiting(identity).every(({ deniedAt }) => deniedAt === undefined)

const waitingOf = (store: PinStore, identity: string, serverId: string): Map<string, PendingChange> =>
  new Map(
    store
      .waiting(identity)
      .filter((item) => !isOfOtherEntry(item, serverId))
      .map((item) => [itemKey(item.kind, item.name), item]),
  )

/** The folder's fault, not the server's: not writable, locked, or a failing disk. */
const isWriteFailure = (error: unknown): boolean =>
  isUnwritable(error) ||
  (error instanceof SluiceError && error.code === 'DATABASE_LOCKED') ||
  ((sqliteCodeOf(error) ?? 0) & 0xff) === SQLITE_IOERR
const SQLITE_IOERR = 10

/** SQLite's own words give no advice. */
const whyNot = (error: unknown): string =>
  error instanceof Error && 'errcode' in error && !isDatabaseFailure(error)
    ? `pins.db, the record of approvals in Sluice's data folder, can't be written (${error.message}). See that the folder can be written to and its disk has room.`
    : error instanceof SluiceError && error.code === 'DATABASE_DAMAGED'
      ? `${error.message}. Or say "sluice review --reset", which keeps the file under another name and asks about every server again.`
      : messageOf(error)
