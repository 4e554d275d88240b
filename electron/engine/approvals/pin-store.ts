import type { SQLInputValue } from 'node:sqlite'
import type { ServerSettings } from '../../../shared/settings.ts'
import { canonicalDefinition } from '../protocol/definition-hash.ts'
import { formerIdentityOf } from './former-launch.ts'
import { identityOf, variablesOf } from './launch.ts'
import type { Database } from '../ground/database/database.ts'
import { isOfOtherEntry, itemKey } from './pinned-item.ts'
import { MOST_WRITTEN, PinWriter, writePortion, type Unwritten, type Write } from './pin-writer.ts'
import { kindOf, readHistory, readLightPins, readPending, readWaiting, text, type Row } from './read-pins.ts'
import { RecordTally, type RecordMarks } from './record-tally.ts'
import { Sightings } from './sightings.ts'
import { Wordings } from './wordings.ts'
import type { Change, HistoryEntry, KnownServer, PendingChange, Pin } from './pin.ts'
import { pendingHash } from './pending-hash.ts'

const VERSION_MS = 50
const TAKEN_OVER = 'an earlier Sluice'
/** One transaction per write, with the write lock: processes don't overwrite each other. */
export class PinStore {
  readonly sightings: Sightings
  readonly wordings: Wordings
  readonly #database: Database
  readonly #now: () => number
  readonly #writer: PinWriter
  readonly #tally: RecordTally
  #version: { readonly count: number; readonly at: number } | undefined

  /** Throws DATABASE_DAMAGED if decisions are missing. */
  constructor(database: Database, now: () => number, marks: RecordMarks = { paths: [], of: '' }) {
    this.#database = database
    this.#tally = new RecordTally(database, marks)
    this.#tally.begin()
    this.#now = now
    this.sightings = new Sightings(database)
    this.wordings = new Wordings(database, (identity) => this.lightPinsOf(identity))
    this.#writer = new PinWriter(database, this.wordings, now)
  }

  /**
   * Grows with every decision: at once in this process, within 50 ms in others. Cached, because a file read costs a
   * tenth of a small call.
   */
  version(): number {
    const known = this.#version
    const at = performance.now()
    if (known && at - known.at < VERSION_MS) return known.count
    const count = this.#decisions()
    this.#version = { count, at }
    return count
  }

  #decisions(): number {
    return Number(this.#database.prepare('SELECT count FROM decisions').get()?.['count'])
  }

  pinsOf(identity: string): Pin[] {
    return this.#all('SELECT kind, name, hash, definition FROM pins WHERE identity = ?', identity).map(
      (row) => ({
        kind: kindOf(row),
        name: text(row, 'name'),
        hash: text(row, 'hash'),
        definition: text(row, 'definition'),
      }),
    )
  }

  /** Definitions are read on request: a server may have 50 million characters. */
  lightPinsOf(identity: string): Pin[] {
    return readLightPins(this.#database, identity)
  }

  revoke(identity: string, hashes: ReadonlySet<string>, by: string): number {
    return this.#decide(() => {
      const chosen = this.wordings.all(identity).filter(({ hash }) => hashes.has(hash))
      for (const item of chosen) {
        this.wordings.remove(identity, item)
        this.#writer.log(identity, item, 'removed', by, item.definition, undefined)
      }
      return chosen.length
    })
  }

  servers(): KnownServer[] {
    return this.#all('SELECT identity, server_id, launch FROM servers ORDER BY last_seen DESC').map(
      (row) => ({
        identity: text(row, 'identity'),
        serverId: text(row, 'server_id'),
        launch: text(row, 'launch'),
      }),
    )
  }

  /** With denied ones: oldest listing first, by kind and name. */
  pending(identity?: string): PendingChange[] {
    return readPending(this.#database, identity)
  }

  pendingOf(serverId: string, identity: string): PendingChange[] {
    return this.pending(identity).filter((item) => !isOfOtherEntry(item, serverId))
  }

  waiting(identity: string): PendingChange[] {
    return readWaiting(this.#database, identity)
  }

  /** Approved tool names, except those listed by this server, which may be a second instance. */
  toolsOfOthers(identity: string, own: ReadonlySet<string> = new Set()): string[] {
    return this.#all(
      `SELECT DISTINCT name FROM pins WHERE kind = 'tool' AND identity != ?
       AND name NOT IN (SELECT name FROM pins WHERE kind = 'tool' AND identity = ?)
       AND name NOT IN (SELECT name FROM pending WHERE kind = 'tool' AND identity = ?) ORDER BY name`,
      identity,
      identity,
      identity,
    ).flatMap((row) => (own.has(text(row, 'name')) ? [] : [text(row, 'name')]))
  }

  history(identity?: string, limit = 200): HistoryEntry[] {
    return readHistory(this.#database, identity, limit)
  }

  /** With the write lock. Throws DATABASE_DAMAGED. */
  atomically<T>(work: () => T): T {
    return this.#tally.transaction(work)
  }

  /** Throws DATABASE_DAMAGED if decisions are missing: before judging by reading alone. */
  verify(): void {
    this.#tally.verify()
  }

  /** From a launch's former name. The launch is compared as usual: if recorded with more detail, it is pending. */
  async settled(): Promise<void> {
    await this.#database.write(() => {}).catch(() => {})
  }

  /** True if it is the first. */
  meet(identity: string, serverId: string, launch: string): boolean {
    return this.atomically(() => {
      const now = this.#now()
      const known = this.#database
        .prepare('UPDATE servers SET last_seen = ?, server_id = ? WHERE identity = ?')
        .run(now, serverId, identity)
      if (Number(known.changes) > 0) return false
      this.#run('INSERT INTO servers VALUES (?, ?, ?, ?, ?)', identity, serverId, launch, now, now)
      return true
    })
  }

  /**
   * Transfers approvals from a launch's former name. The launch is compared as usual: if recorded with more detail,
   * it is pending.
   */
  takeOver(former: string, identity: string): void {
    if (former === identity || this.isKnown(identity) || !this.isKnown(former)) return
    this.atomically(() => {
      for (const table of ['servers', 'pins', 'wordings', 'pending', 'views', 'sightings', 'history'])
        this.#run(`UPDATE ${table} SET identity = ? WHERE identity = ?`, identity, former)
    })
  }

  /** Once, for launches approved before variables were pinned. */
  takeVariables(configured: readonly (readonly [serverId: string, settings: ServerSettings])[]): void {
    const left = (): Set<string> =>
      new Set(
        this.#all('SELECT identity FROM launches_without_variables').map((row) => text(row, 'identity')),
      )
    if (left().size === 0 || configured.length === 0) return
    this.atomically(() => {
      const before = left()
      for (const [serverId, settings] of configured) {
        const identity = [identityOf(settings), formerIdentityOf(settings)].find((each) => before.has(each))
        const definition = variablesOf(serverId, settings)
        if (identity === undefined || definition === undefined) continue
        const { text: shown, hash } = canonicalDefinition(definition)
        const item = { kind: 'variables' as const, name: serverId }
        this.#writer.pin(identity, { ...item, hash, definition: shown }, TAKEN_OVER)
        this.#writer.log(identity, item, 'approved', TAKEN_OVER, undefined, shown)
      }
      this.#tally.change()
      this.#run('DELETE FROM launches_without_variables')
    })
  }

  /** For equivalent settings, if the variables are approved as they were. */
  carryVariables(serverId: string, before: ServerSettings, after: ServerSettings, by: string): void {
    const identity = identityOf(before)
    const [was, is] = [variablesOf(serverId, before), variablesOf(serverId, after)]
    if (was === undefined || is === undefined || identity !== identityOf(after)) return
    const pinned = { kind: 'variables' as const, name: serverId }
    const [old, next] = [canonicalDefinition(was), canonicalDefinition(is)]
    this.atomically(() => {
      const item = { ...pinned, hash: old.hash, definition: old.text }
      const pins = this.wordings.pinsFor(identity, [item])
      if (!pins.some(({ kind, hash }) => kind === 'variables' && hash === old.hash)) return
      this.#tally.change()
      this.#writer.pin(identity, { ...pinned, hash: next.hash, definition: next.text }, by)
      this.#writer.log(identity, pinned, 'approved', by, old.text, next.text)
    })
  }

  /** Whether only other entries with this launch have had variables. */
  isNewEntry(identity: string, serverId: string): boolean {
    const names = this.#all(
      `SELECT name FROM pins WHERE identity = ? AND kind = 'variables'
       UNION SELECT name FROM history WHERE identity = ? AND kind = 'variables'`,
      identity,
      identity,
    ).map((row) => text(row, 'name'))
    return names.length > 0 && !names.includes(serverId)
  }

  isKnown(identity: string): boolean {
    return this.#database.prepare('SELECT 1 FROM servers WHERE identity = ?').get(identity) !== undefined
  }

  /** Replaces all pending changes, or these; denials of the same item stay. */
  setPending(
    identity: string,
    changes: readonly (Pin & { readonly change: Change })[],
    instead: ReadonlyMap<string, PendingChange> = this.#waitingByKey(identity),
  ): void {
    this.atomically(() => {
      this.#tally.change()
      writePortion(this.#writer.pending(identity, changes, instead), Infinity)
    })
  }

  get writes(): Pick<PinWriter, 'pending' | 'trust'> {
    return this.#writer
  }

  /** One transaction's portion; returns the rest. `isCounted`: changes pins or pending items. */
  writePortion(writes: readonly Write[], isCounted: boolean): Unwritten | undefined {
    return this.atomically(() => {
      const done = writePortion(writes, MOST_WRITTEN)
      const isWhole = done === writes.length
      // Parts count, too; the mark files follow with the last.
      if (isCounted) this.#tally.change(isWhole)
      return isWhole ? undefined : { writes: writes.slice(done), isCounted, decisions: this.#decisions() }
    })
  }

  /** Unless a decision was made meanwhile. */
  writeOn({ writes, isCounted, decisions }: Unwritten): Unwritten | undefined {
    return this.atomically(() =>
      this.#decisions() === decisions ? this.writePortion(writes, isCounted) : undefined,
    )
  }

  /** Whether a first sight is unfinished: its launch, written last, isn't pinned. */
  hasBegunTrust(identity: string): boolean {
    return this.#writer.hasBegunTrust(identity)
  }

  /** Removes what it has pinned. */
  forgetTrust(identity: string): void {
    this.atomically(() => {
      this.#tally.change()
      this.#writer.forgetTrust(identity)
    })
  }

  approve(identity: string, hashes: ReadonlySet<string>, by: string): PendingChange[] {
    return this.#decide(() => {
      const chosen = this.pending(identity).filter((item) => hashes.has(pendingHash(item)))
      for (const item of chosen) {
        this.#writer.stopWaiting(identity, item)
        if (item.change === 'removed') {
          this.#writer.unpin(identity, item)
          this.#writer.log(identity, item, 'removed', by, item.before, undefined)
        } else {
          this.#writer.pin(identity, item, by)
          this.#writer.log(identity, item, 'approved', by, item.before, item.definition)
        }
      }
      return chosen
    })
  }

  /** Items with these hashes stay blocked, without questions until they change. */
  deny(identity: string, hashes: ReadonlySet<string>, by: string): PendingChange[] {
    return this.#setDenied(identity, hashes, { by, at: this.#now(), action: 'denied' })
  }

  /** Takes a denial back: items wait again. */
  askAgain(identity: string, hashes: ReadonlySet<string>, by: string): PendingChange[] {
    return this.#setDenied(identity, hashes, { by, at: null, action: 'seen' })
  }

  #setDenied(
    identity: string,
    hashes: ReadonlySet<string>,
    { by, at, action }: { by: string; at: number | null; action: HistoryEntry['action'] },
  ): PendingChange[] {
    return this.#decide(() => {
      const chosen = this.pending(identity).filter((item) => hashes.has(pendingHash(item)))
      for (const item of chosen) {
        this.#run(
          'UPDATE pending SET denied_at = ? WHERE identity = ? AND kind = ? AND name = ?',
          at,
          identity,
          item.kind,
          item.name,
        )
        this.#writer.log(identity, item, action, by, item.before, item.definition)
      }
      return chosen
    })
  }

  /** Not a decision, because no other verdict was shown. */
  trustAtFirstSight(identity: string, pins: readonly Pin[]): void {
    this.atomically(() => {
      this.#tally.change()
      writePortion(this.#writer.trust(identity, pins), Infinity)
    })
  }

  close(): void {
    this.#database.close()
  }

  #decide<T>(work: () => T): T {
    try {
      return this.atomically(() => {
        this.#tally.change()
        this.#run('UPDATE decisions SET count = count + 1')
        return work()
      })
    } finally {
      this.#version = undefined
    }
  }

  #waitingByKey(identity: string): Map<string, PendingChange> {
    return new Map(this.waiting(identity).map((item) => [itemKey(item.kind, item.name), item]))
  }

  #all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#database.prepare(sql).all(...values)
  }

  #run(sql: string, ...values: SQLInputValue[]): void {
    this.#database.prepare(sql).run(...values)
  }
}
