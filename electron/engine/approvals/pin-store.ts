import type { SQLInputValue, SQLOutputValue } from 'node:sqlite'
import type { Database } from '../database.ts'
import type { PinnedKind } from './pinned-item.ts'
import { forgetOldSeen } from './forget-old-seen.ts'
import { RecordTally, type RecordMarks } from './record-tally.ts'
import { Sightings } from './sightings.ts'
import { Wordings } from './wordings.ts'

export interface Pin {
  readonly kind: PinnedKind
  readonly name: string
  readonly hash: string
  /** Canonical JSON, with marks for words that are others in another place (moving-words.ts). */
  readonly definition: string
  /** The hash of what the server said word for word, where marks stand in it. */
  readonly literal?: string | undefined
}

export type Change = 'new' | 'changed' | 'removed'

/** Something that waits for the user's word. */
export interface PendingChange extends Pin {
  readonly identity: string
  readonly serverId: string
  readonly change: Change
  /** Unix milliseconds. */
  readonly at: number
  readonly deniedAt: number | undefined
  /** The approved definition it differs from; undefined where it is new. */
  readonly before: string | undefined
}

export interface HistoryEntry {
  readonly at: number
  readonly identity: string
  readonly serverId: string
  readonly kind: PinnedKind
  readonly name: string
  readonly action: 'seen' | 'approved' | 'denied' | 'trusted at first sight' | 'removed'
  readonly by: string
  readonly before: string | undefined
  readonly after: string | undefined
}

export interface KnownServer {
  readonly identity: string
  readonly serverId: string
  readonly launch: string
}

/** The longest definition in a row of the history that says only that something was seen. Decisions have the whole. */
const LONGEST_SEEN = 20_000
const VERSION_MS = 50

type Row = Record<string, SQLOutputValue>
const text = (row: Row, key: string): string => String(row[key])
const optionalText = (row: Row, key: string): string | undefined => {
  const value = row[key]
  return value === null || value === undefined ? undefined : String(value)
}
const shortOnly = (definition: string | undefined): string | undefined =>
  definition !== undefined && definition.length <= LONGEST_SEEN ? definition : undefined
const kindOf = (row: Row): PinnedKind => text(row, 'kind') as PinnedKind

/**
 * Owns pins.db. Every write is one transaction with the write lock held, so two processes lose nothing of each other's.
 */
export class PinStore {
  readonly sightings: Sightings
  readonly wordings: Wordings
  readonly #database: Database
  readonly #now: () => number
  readonly #tally: RecordTally
  #version: { readonly count: number; readonly at: number } | undefined

  /** Throws DATABASE_DAMAGED where decisions are missing. */
  constructor(database: Database, now: () => number, marks: RecordMarks = { paths: [], of: '' }) {
    this.#database = database
    this.#now = now
    this.#tally = new RecordTally(database, marks)
    this.#tally.begin()
    this.sightings = new Sightings(database)
    this.wordings = new Wordings(database, (identity) => this.pinsOf(identity))
  }

  /**
   * Grows with every decision: at once in this process, after 50 ms at most in another. Every call asks for it, and to look
   * into the file takes a tenth of what a small call does.
   */
  version(): number {
    const known = this.#version
    const at = performance.now()
    if (known && at - known.at < VERSION_MS) return known.count
    const count = Number(this.#database.prepare('SELECT count FROM decisions').get()?.['count'])
    this.#version = { count, at }
    return count
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

  /** Takes the approval of these wordings back: what is offered under them waits again. Returns how many there were. */
  revoke(identity: string, hashes: ReadonlySet<string>, by: string): number {
    return this.#decide(() => {
      const chosen = this.wordings.all(identity).filter(({ hash }) => hashes.has(hash))
      for (const item of chosen) {
        this.wordings.remove(identity, item)
        this.#log(identity, item, 'removed', by, item.definition, undefined)
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

  /** What waits for a decision, denied things included: oldest offer first, each by kind and name. */
  pending(identity?: string): PendingChange[] {
    const rows = this.#all(
      `SELECT p.*, s.server_id, pins.definition AS before FROM pending p
       JOIN servers s ON s.identity = p.identity
       LEFT JOIN pins ON pins.identity = p.identity AND pins.kind = p.kind AND pins.name = p.name
       WHERE (? IS NULL OR p.identity = ?) ORDER BY s.server_id, p.at, p.kind, p.name`,
      identity ?? null,
      identity ?? null,
    )
    return rows.map((row) => ({
      identity: text(row, 'identity'),
      serverId: text(row, 'server_id'),
      kind: kindOf(row),
      name: text(row, 'name'),
      change: text(row, 'change') as Change,
      hash: text(row, 'hash'),
      definition: text(row, 'definition'),
      literal: optionalText(row, 'literal'),
      at: Number(row['at']),
      deniedAt: row['denied_at'] === null ? undefined : Number(row['denied_at']),
      before: optionalText(row, 'before'),
    }))
  }

  /** Names of the approved tools of all other servers, but for those that this one offers, too: it may be a second instance. */
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
    const rows = this.#all(
      'SELECT * FROM history WHERE (? IS NULL OR identity = ?) ORDER BY id DESC LIMIT ?',
      identity ?? null,
      identity ?? null,
      limit,
    )
    return rows.map((row) => ({
      at: Number(row['at']),
      identity: text(row, 'identity'),
      serverId: text(row, 'server_id'),
      kind: kindOf(row),
      name: text(row, 'name'),
      action: text(row, 'action') as HistoryEntry['action'],
      by: text(row, 'done_by'),
      before: optionalText(row, 'before'),
      after: optionalText(row, 'after'),
    }))
  }

  /** Reads and writes of `work` in one transaction, with the write lock held. Throws DATABASE_DAMAGED like `verify`. */
  atomically<T>(work: () => T): T {
    return this.#tally.transaction(work)
  }

  /** Throws DATABASE_DAMAGED where decisions are missing: before judging by reading alone. */
  verify(): void {
    this.#tally.verify()
  }

  /** Waits half a second at most for the lock of another process. */
  async settled(): Promise<void> {
    await this.#database.write(() => {}).catch(() => {})
  }

  /** Notes that the server was seen. True when it never was before. */
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
   * What was approved under the name that a launch had in an earlier Sluice belongs to the name that it has now. Its launch
   * is compared like any other: where it is written down with more than before, it waits.
   */
  takeOver(former: string, identity: string): void {
    if (former === identity || this.isKnown(identity) || !this.isKnown(former)) return
    this.atomically(() => {
      for (const table of ['servers', 'pins', 'wordings', 'pending', 'views', 'sightings', 'history'])
        this.#run(`UPDATE ${table} SET identity = ? WHERE identity = ?`, identity, former)
    })
  }

  isKnown(identity: string): boolean {
    return this.#database.prepare('SELECT 1 FROM servers WHERE identity = ?').get(identity) !== undefined
  }

  /** Makes these what waits for the server's user, in place of what waited before; a denial of the same thing stands. */
  setPending(identity: string, changes: readonly (Pin & { readonly change: Change })[]): void {
    this.atomically(() => {
      this.#tally.change()
      const before = new Map(this.pending(identity).map((item) => [`${item.kind} ${item.name}`, item]))
      this.#run('DELETE FROM pending WHERE identity = ?', identity)
      // One time for one offer: the order in which its items are asked about is not left to the clock's ticks.
      const seen = this.#now()
      for (const { kind, name, change, hash, definition, literal } of changes) {
        const known = before.get(`${kind} ${name}`)
        const same = known?.hash === hash && known.change === change
        this.#run(
          'INSERT INTO pending (identity, kind, name, change, hash, definition, at, denied_at, literal) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
          identity,
          kind,
          name,
          change,
          hash,
          definition,
          same ? known.at : seen,
          same ? (known.deniedAt ?? null) : null,
          literal ?? null,
        )
        if (!same)
          this.#log(
            identity,
            { kind, name },
            'seen',
            'sluice',
            shortOnly(this.#pinned(identity, kind, name)),
            shortOnly(definition),
          )
      }
      forgetOldSeen(this.#database, identity)
    })
  }

  /** Pins what waits under these hashes; others stay. Returns what was approved. */
  approve(identity: string, hashes: ReadonlySet<string>, by: string): PendingChange[] {
    return this.#decide(() => {
      const chosen = this.pending(identity).filter((item) => hashes.has(pendingHash(item)))
      for (const item of chosen) {
        this.#run(
          'DELETE FROM pending WHERE identity = ? AND kind = ? AND name = ?',
          identity,
          item.kind,
          item.name,
        )
        if (item.change === 'removed') {
          this.#run(
            'DELETE FROM pins WHERE identity = ? AND kind = ? AND name = ?',
            identity,
            item.kind,
            item.name,
          )
          this.#log(identity, item, 'removed', by, item.before, undefined)
        } else {
          this.#pin(identity, item, by)
          this.#log(identity, item, 'approved', by, item.before, item.definition)
        }
      }
      return chosen
    })
  }

  /** What waits under these hashes stays blocked and is not asked about again until it changes. */
  deny(identity: string, hashes: ReadonlySet<string>, by: string): PendingChange[] {
    return this.#decide(() => {
      const chosen = this.pending(identity).filter((item) => hashes.has(pendingHash(item)))
      for (const item of chosen) {
        this.#run(
          'UPDATE pending SET denied_at = ? WHERE identity = ? AND kind = ? AND name = ?',
          this.#now(),
          identity,
          item.kind,
          item.name,
        )
        this.#log(identity, item, 'denied', by, item.before, item.definition)
      }
      return chosen
    })
  }

  /** Pins what nobody was offered before. No decision: nobody saw another verdict of it. */
  trustAtFirstSight(identity: string, pins: readonly Pin[]): void {
    this.atomically(() => {
      this.#tally.change()
      for (const pin of pins) {
        this.#pin(identity, pin, 'first sight')
        this.#log(identity, pin, 'trusted at first sight', 'settings', undefined, pin.definition)
      }
    })
  }

  close(): void {
    this.#database.close()
  }

  #pinned(identity: string, kind: PinnedKind, name: string): string | undefined {
    const row = this.#database
      .prepare('SELECT definition FROM pins WHERE identity = ? AND kind = ? AND name = ?')
      .get(identity, kind, name)
    return row ? String(row['definition']) : undefined
  }

  #pin(identity: string, { kind, name, hash, definition, literal }: Pin, by: string): void {
    this.wordings.keep(identity, { kind, name, hash, definition, literal }, by, this.#now())
    this.#run(
      'INSERT OR REPLACE INTO pins VALUES (?, ?, ?, ?, ?, ?, ?)',
      identity,
      kind,
      name,
      hash,
      definition,
      this.#now(),
      by,
    )
  }

  #log(
    identity: string,
    { kind, name }: Pick<Pin, 'kind' | 'name'>,
    action: HistoryEntry['action'],
    by: string,
    before: string | undefined,
    after: string | undefined,
  ): void {
    const server = this.#database.prepare('SELECT server_id FROM servers WHERE identity = ?').get(identity)
    this.#run(
      'INSERT INTO history (at, identity, server_id, kind, name, action, done_by, before, after) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      this.#now(),
      identity,
      server ? String(server['server_id']) : '',
      kind,
      name,
      action,
      by,
      before ?? null,
      after ?? null,
    )
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

  #all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#database.prepare(sql).all(...values)
  }

  #run(sql: string, ...values: SQLInputValue[]): void {
    this.#database.prepare(sql).run(...values)
  }
}

/** What names one pending change for approving: of its definition, and of its absence where it was removed. */
export const pendingHash = (item: { readonly change: Change; readonly hash: string }): string =>
  item.change === 'removed' ? `removed-${item.hash}` : item.hash
