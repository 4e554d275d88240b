import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ServerSettings } from '../../../shared/settings.ts'
import type { Database } from '../ground/database/database.ts'
import { messageOf, SluiceError } from '../ground/errors.ts'
import type { Events } from '../ground/events.ts'
import { readOrNothing } from '../ground/files/read-or-nothing.ts'
import type { Logger } from '../ground/logger.ts'
import type { Verdict } from './verdict.ts'
import { ApprovalGate, type ServerOnTrial } from './approval-gate.ts'
import { pinFirstIntroduction } from './first-introduction.ts'
import { approveCompared, compareOffer, offeredPins, type ComparedOffer } from './review-offer.ts'
import { resolvePackages as resolveOn, type ResolvedPackage } from './packages/resolve-packages.ts'
import type { PackageFiles } from './packages/installs.ts'
import { createMarkWords } from './moving-words.ts'
import { PinStore } from './pin-store.ts'
import { pendingHash } from './pending-hash.ts'
import type { PendingChange } from './pin.ts'
import type { Offer } from './pinned-item.ts'
import type { RecordMarks } from './record-tally.ts'
import { summarise, warningsOf, type Noticed } from './summarise.ts'

declare module '../ground/events.ts' {
  interface EngineEvents {
    /** New pending items. */
    'approval-needed': { serverId: string; summary: string }
    'approvals-decided': { version: number }
  }
}

const POLL_MS = 300

export interface OpenApprovalsOptions {
  readonly openPins: () => Database
  readonly marks: RecordMarks
  readonly servers: () => Readonly<Record<string, ServerSettings>>
  readonly firstSight: () => 'ask' | 'trust'
  /** Caches of `npx`, `uvx` and similar. */
  readonly machine: Omit<PackageFiles, 'text' | 'names'>
  /** In a pending definition. */
  readonly scan: (change: PendingChange, foreignTools: readonly string[]) => Promise<readonly Noticed[]>
  readonly events: Events
  readonly logger: Logger
  readonly now: () => number
}

export interface Approvals {
  /** Before `check`: may pin the introduction of a server approved by an older version. */
  meetIntroduction(serverId: string, offer: Offer): Promise<void>
  check(serverId: string, offer: Offer): Verdict
  /** Yields to other work. */
  checkInTurns(serverId: string, offer: Offer): Promise<Verdict>
  settled(): Promise<void>
  /** Changes when verdicts may be outdated. */
  version(): number
  onChange(listener: () => void): () => void
  waiting(serverId: string, identity: string): Promise<Waiting>
  /** Approves exactly these hashes. Returns how many still waited. */
  approve(identity: string, hashes: readonly string[], by: string): number
}

export interface Waiting {
  readonly summary: string
  readonly hashes: readonly string[]
  readonly warnings: readonly string[]
}

/** The user's approvals while an engine runs. */
export interface OpenApprovals extends Approvals {
  /** Effective at once; returns how many still waited. */
  deny(identity: string, hashes: readonly string[], by: string): number
  askAgain(identity: string, hashes: readonly string[], by: string): number
  /** Records nothing: for a server not yet in config.json. Throws DATABASE_DAMAGED. */
  compare(serverId: string, settings: ServerSettings, offer: Offer): ComparedOffer
  /** Returns the count. Throws DATABASE_DAMAGED. */
  approveCompared(compared: ComparedOffer, by: string): number
  /** Undefined if damaged: everything is blocked … */
  readonly store: PinStore | undefined
  /** … for this reason. */
  readonly damage: string | undefined
  close(): void
}

export function openApprovals(options: OpenApprovalsOptions): OpenApprovals {
  const { events, logger } = options
  const { store, damage } = openStore(options)
  const listeners = new Set<() => void>()
  const resolvePackages = (settings: ServerSettings): ResolvedPackage[] => {
    // A server's variables may configure its package manager; placeholders aren't resolved here.
    const own = Object.entries(settings.env ?? {}).filter(([, value]) => !value.includes('${'))
    const env = { ...options.machine.env, ...Object.fromEntries(own) }
    return resolveOn(settings, { ...options.machine, env, text: readOrNothing, names: readNames })
  }
  const soundStore = (): PinStore => {
    if (store) return store
    throw new SluiceError('DATABASE_DAMAGED', damage ?? 'The record of your approvals is damaged.')
  }
  const serverSettings = (serverId: string): ServerSettings | undefined => {
    const servers = options.servers()
    return Object.hasOwn(servers, serverId) ? servers[serverId] : undefined
  }
  const settle = store && settleOnce(store, Object.entries(options.servers()), logger)
  settle?.()
  const gate = new ApprovalGate({
    store,
    ...(settle ? { settle } : {}),
    ...(damage === undefined ? {} : { damage }),
    firstSight: options.firstSight,
    resolvePackages,
    homeDir: options.machine.homeDir,
    logger,
    now: options.now,
    onPending: (serverId, changes) =>
      events.emit('approval-needed', { serverId, summary: summarise(serverId, changes) }),
  })
  const onTrial = (serverId: string, offer: Offer): ServerOnTrial => {
    const settings = serverSettings(serverId)
    if (settings) return { serverId, settings, offer }
    throw new SluiceError('SERVER_UNKNOWN', `There is no server "${serverId}" in config.json any more.`)
  }
  let seen = store?.version()
  const look = (): void => {
    const version = store?.version()
    if (version === seen) return
    seen = version
    events.emit('approvals-decided', { version: gate.version() })
    for (const listener of listeners) listener()
  }
  const polling = setInterval(() => {
    try {
      look()
    } catch (error) {
      logger.debug('approvals could not be looked at', { error: messageOf(error) })
    }
  }, POLL_MS)
  polling.unref()
  return {
    store,
    damage,
    meetIntroduction: async (serverId, offer) => {
      const settings = serverSettings(serverId)
      if (!store || !settings) return
      try {
        await pinFirstIntroduction({ ...options, store, resolvePackages }, serverId, settings, offer)
      } catch (error) {
        // Unpinned: nothing passes.
        logger.warn('The introduction of a server could not be checked.', {
          server: serverId,
          cause: messageOf(error),
        })
      }
    },
    check: (serverId, offer) => gate.check(onTrial(serverId, offer)),
    checkInTurns: async (serverId, offer) => gate.checkInTurns(onTrial(serverId, offer)),
    settled: () => store?.settled() ?? Promise.resolve(),
    version: () => gate.version(),
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    waiting: async (serverId, identity) => {
      const pending = store?.pendingOf(serverId, identity) ?? []
      const changes = pending.filter((item) => item.deniedAt === undefined)
      const foreign = store?.toolsOfOthers(identity) ?? []
      const found = await Promise.all(changes.map((change) => options.scan(change, foreign)))
      return {
        summary: summarise(serverId, changes),
        hashes: changes.map(pendingHash),
        warnings: warningsOf(changes, found),
      }
    },
    approve: (identity, hashes, by) => {
      const approved = store?.approve(identity, new Set(hashes), by) ?? []
      look()
      return approved.length
    },
    deny: (identity, hashes, by) => {
      const denied = store?.deny(identity, new Set(hashes), by) ?? []
      look()
      return denied.length
    },
    askAgain: (identity, hashes, by) => {
      const waiting = store?.askAgain(identity, new Set(hashes), by) ?? []
      look()
      return waiting.length
    },
    compare: (serverId, settings, offer) => {
      const now = options.now()
      const markWords = createMarkWords({ folder: offer.folder, home: options.machine.homeDir, now })
      const offered = offeredPins(serverId, settings, offer, resolvePackages(settings), markWords)
      return compareOffer(soundStore(), serverId, offered, now, markWords)
    },
    approveCompared: (compared, by) => {
      const approved = approveCompared(soundStore(), compared, { by, now: options.now() })
      look()
      return approved
    },
    close: () => {
      clearInterval(polling)
      gate.close()
      store?.close()
    },
  }
}

/** With the settings of the start: later edits are changes. */
function settleOnce(
  store: PinStore,
  configured: readonly (readonly [string, ServerSettings])[],
  logger: Logger,
): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    try {
      store.takeVariables(configured)
      isDone = true
    } catch (error) {
      // The next check retries; until then these variables wait.
      logger.debug('Variables of approved launches could not be taken over.', { cause: messageOf(error) })
    }
  }
}

/** Repairs a damaged record. */
export const START_ANEW =
  '"sluice review --reset" keeps the damaged file under another name and asks about every server again.'

/** An unreadable record blocks everything, because a new one would forget denials. */
function openStore(options: OpenApprovalsOptions): { store?: PinStore; damage?: string } {
  const { openPins, now, marks, logger } = options
  let database: Database | undefined
  try {
    database = openPins()
    return { store: new PinStore(database, now, marks) }
  } catch (error) {
    database?.close()
    const damage = `The record of your approvals (pins.db) can't be used: ${messageOf(error)}. Everything is blocked until it is repaired: ${START_ANEW}`
    logger.error(damage)
    return { damage }
  }
}

const readNames = (folder: string): string[] => {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}

export const pinsPath = (dataDir: string): string => join(dataDir, 'pins.db')

/**
 * That pins exist, and the number of decisions: if pins are missing or fewer, everything is blocked. The names sort
 * before the pins', so that a copy in name order isn't behind them.
 */
export const pinsMarks = (dataDir: string): RecordMarks => ({
  paths: [join(dataDir, 'approvals.begun'), join(dataDir, 'pins.begun')],
  of: pinsPath(dataDir),
})
