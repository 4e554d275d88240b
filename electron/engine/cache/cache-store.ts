import type { CachedTool } from '../../../shared/api/cache.ts'
import { existsSync, rmSync } from 'node:fs'
import type { Database } from '../ground/database/database.ts'
import { messageOf } from '../ground/errors.ts'
import type { Logger } from '../ground/logger.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import type { Packed } from './pack-body.ts'
import { bodyOf, generationOf, isDamage, outdateIn, sharesOf, toPacked, totalsOf } from './cache-rows.ts'

export interface NewEntry {
  readonly key: string
  readonly level: CachedTool['level']
  readonly server: string
  readonly tool: string
  readonly client: string
  /** Unix milliseconds. */
  readonly created: number
  readonly expires: number
  /** Small, read without the body. */
  readonly facts: JsonObject
  readonly body: Packed
}

export interface FoundEntry {
  readonly created: number
  readonly facts: JsonObject
  body(): Packed | undefined
}

export interface CacheStoreOptions {
  readonly path: string
  /** Creates the file if missing; a damaged one may throw here or in any query. */
  readonly open: () => Database
  readonly limits: () => { readonly maxEntries: number; readonly maxBytes: number }
  readonly now: () => number
  readonly logger: Logger
}

/** Delayed, so that a hit doesn't wait for the disk. */
const NOTED_AFTER_MS = 2_000
/**
 * A server without results isn't looked up again for this long, because every call that may write asks. Results that
 * another process stores meanwhile are outdated then, or before this process reads one.
 */
const LOOKED_FOR_MS = 50
/** Share of the limit for one entry, so that it can't evict all others. */
const LARGEST_SHARE = 4
/** Evicted per step. */
const DROPPED_AT_ONCE = 64

/** Owner of cache.db. Opened on first use; a damaged file is deleted and recreated. */
export class CacheStore {
  readonly #options: CacheStoreOptions
  #database: Database | undefined
  readonly #used = new Map<string, { at: number; times: number }>()
  #noting: NodeJS.Timeout | undefined
  /** Servers without results, until this process asks for one … */
  readonly #empty = new Set<string>()
  /** … and those outdated since. */
  readonly #outdatedMeanwhile = new Set<string>()
  #looking: NodeJS.Timeout | undefined
  /** Once another process releases the lock. */
  readonly #outdatedLater = new Set<string>()
  #isClosed = false

  constructor(options: CacheStoreOptions) {
    this.#options = options
  }

  get exists(): boolean {
    return this.#database !== undefined || existsSync(this.#options.path)
  }

  find(key: string): FoundEntry | undefined {
    if (!this.exists) return undefined
    this.#lookAgain()
    return this.#guarded((database) => {
      const row = database.prepare('SELECT created, facts FROM entries WHERE key = ?').get(key)
      if (!row) return undefined
      return {
        created: Number(row['created']),
        facts: JSON.parse(String(row['facts'])) as JsonObject,
        body: () => this.#guarded((open) => toPacked(bodyOf(open, key))),
      }
    })
  }

  use(key: string): void {
    const known = this.#used.get(key)
    this.#used.set(key, { at: this.#options.now(), times: (known?.times ?? 0) + 1 })
    this.#noting ??= setTimeout(() => this.#noteUses(), NOTED_AFTER_MS).unref()
  }

  /** How often a server's results may have changed, counted from the first request. */
  generation(server: string): number {
    this.#lookAgain()
    return this.#guarded((database) => {
      const count = generationOf(database, server)
      if (count !== undefined) return count
      database.transaction(() =>
        database.prepare('INSERT INTO generations VALUES (?, 0) ON CONFLICT DO NOTHING').run(server),
      )
      return generationOf(database, server) ?? 0
    })
  }

  /**
   * False if too large. With `generation`, stores only if unchanged, so that results requested before a change aren't
   * kept after it.
   */
  put(entry: NewEntry, generation?: number): boolean {
    const { maxEntries, maxBytes } = this.#options.limits()
    const facts = JSON.stringify(entry.facts)
    const bytes = entry.body.bytes.length + facts.length + entry.key.length
    if (bytes > maxBytes / LARGEST_SHARE) return false
    return this.#guarded((database) =>
      database.transaction(() => {
        if (generation !== undefined && generationOf(database, entry.server) !== generation) return false
        database.prepare('DELETE FROM entries WHERE key = ?').run(entry.key)
        database
          .prepare(
            `INSERT INTO entries (key, level, server, tool, client, created, expires, used, bytes, facts, packing, body)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          )
          .run(
            entry.key,
            entry.level,
            entry.server,
            entry.tool,
            entry.client,
            entry.created,
            entry.expires,
            this.#options.now(),
            bytes,
            facts,
            entry.body.packing,
            entry.body.bytes,
          )
        this.#makeRoom(database, maxEntries, maxBytes)
        return true
      }),
    )
  }

  delete(key: string): void {
    this.#guarded((database) =>
      database.transaction(() => database.prepare('DELETE FROM entries WHERE key = ?').run(key)),
    )
  }

  /**
   * Also those in progress. Shortened forms stay, because they depend on content, not time. Returns the number of
   * deleted results.
   */
  outdate(server: string): number {
    if (this.#empty.has(server)) {
      this.#outdatedMeanwhile.add(server)
      return 0
    }
    const outdated = this.#outdateNow(server)
    this.#empty.add(server)
    this.#looking ??= setTimeout(() => this.#lookLater(), LOOKED_FOR_MS).unref()
    return outdated
  }

  #outdateNow(server: string): number {
    if (!this.exists) return 0
    return this.#guarded((database) => {
      // Nothing was ever stored.
      if (generationOf(database, server) === undefined) return 0
      try {
        return database.transaction(() => outdateIn(database, server))
      } catch (error) {
        this.#outdateLater(database, server)
        throw error
      }
    })
  }

  /** Before a result is read or asked for. */
  #lookAgain(): void {
    this.#empty.clear()
    for (const server of this.#outdatedMeanwhile) {
      this.#outdateNow(server)
      this.#outdatedMeanwhile.delete(server)
    }
  }

  #lookLater(): void {
    clearTimeout(this.#looking)
    this.#looking = undefined
    try {
      this.#lookAgain()
    } catch (error) {
      this.#options.logger.warn('Old results could not be taken out of a new cache.', {
        cause: messageOf(error),
      })
    }
  }

  /** Other processes use these results, too: delete as soon as possible. */
  #outdateLater(database: Database, server: string): void {
    if (this.#outdatedLater.has(server)) return
    this.#outdatedLater.add(server)
    database
      .write(() => outdateIn(database, server), { patienceMs: Infinity })
      .catch((error: unknown) =>
        this.#options.logger.warn('Old results could not be taken out of the cache.', {
          server,
          cause: messageOf(error),
        }),
      )
      .finally(() => this.#outdatedLater.delete(server))
  }

  clear(server?: string, tool?: string): number {
    if (!this.exists) return 0
    return this.#guarded((database) => {
      const gone = database.transaction(() => {
        database
          .prepare('UPDATE generations SET count = count + 1 WHERE server = coalesce(?, server)')
          .run(server ?? null)
        return Number(
          database
            .prepare('DELETE FROM entries WHERE server = coalesce(?, server) AND tool = coalesce(?, tool)')
            .run(server ?? null, tool ?? null).changes,
        )
      })
      // Also erases from disk; if others are reading, the space is reused.
      if (gone > 0) {
        try {
          database.prepare('VACUUM').run()
          database.eraseDeleted()
        } catch (error) {
          this.#options.logger.debug('the cache could not be made smaller', { cause: messageOf(error) })
        }
      }
      return gone
    })
  }

  /** By server, tool and level. */
  list(server?: string): CachedTool[] {
    if (!this.exists) return []
    this.#noteUses()
    return this.#guarded((database) => sharesOf(database, server, this.#options.now()))
  }

  totals(): { readonly entries: number; readonly bytes: number } {
    if (!this.exists) return { entries: 0, bytes: 0 }
    return this.#guarded(totalsOf)
  }

  /** And those above changed limits. */
  sweep(): void {
    if (!this.exists) return
    const { maxEntries, maxBytes } = this.#options.limits()
    this.#guarded((database) =>
      database.transaction(() => {
        database.prepare('DELETE FROM entries WHERE expires <= ?').run(this.#options.now())
        this.#makeRoom(database, maxEntries, maxBytes)
      }),
    )
  }

  /** Idempotent. */
  close(): void {
    if (this.#isClosed) return
    this.#lookLater()
    this.#noteUses()
    this.#isClosed = true
    this.#database?.close()
  }

  /** Longest unused first. */
  #makeRoom(database: Database, maxEntries: number, maxBytes: number): void {
    let { entries, bytes } = totalsOf(database)
    if (entries <= maxEntries && bytes <= maxBytes) return
    // Write recent uses before evicting.
    this.#writeUses(database)
    while (entries > maxEntries || bytes > maxBytes) {
      const oldest = database
        .prepare('SELECT rowid AS id, bytes FROM entries ORDER BY used, rowid LIMIT ?')
        .all(DROPPED_AT_ONCE)
      if (oldest.length === 0) return
      for (const row of oldest) {
        if (entries <= maxEntries && bytes <= maxBytes) return
        database.prepare('DELETE FROM entries WHERE rowid = ?').run(Number(row['id']))
        entries -= 1
        bytes -= Number(row['bytes'])
      }
    }
  }

  #noteUses(): void {
    clearTimeout(this.#noting)
    this.#noting = undefined
    if (this.#used.size === 0 || this.#isClosed) return
    try {
      this.#guarded((database) => database.transaction(() => this.#writeUses(database)))
    } catch (error) {
      this.#options.logger.debug('uses of the cache could not be noted', { cause: messageOf(error) })
    }
  }

  #writeUses(database: Database): void {
    const note = database.prepare('UPDATE entries SET used = ?, hits = hits + ? WHERE key = ?')
    for (const [key, { at, times }] of this.#used) note.run(at, times, key)
    this.#used.clear()
  }

  /** Recreates a damaged file, which loses nothing important, and repeats the query. */
  #guarded<T>(query: (database: Database) => T): T {
    if (this.#isClosed) throw new Error('the cache is closed')
    try {
      return query((this.#database ??= this.#options.open()))
    } catch (error) {
      if (!isDamage(error)) throw error
      this.#options.logger.warn('The cache was damaged and has been reset.', { cause: messageOf(error) })
      this.#database?.close()
      this.#database = undefined
      for (const suffix of ['', '-wal', '-shm']) rmSync(this.#options.path + suffix, { force: true })
      return query((this.#database = this.#options.open()))
    }
  }
}
