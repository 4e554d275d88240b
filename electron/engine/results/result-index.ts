import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../ground/database/database.ts'
import type { ResultsTable } from '../ground/database/database-tables.ts'

export interface StoredResult {
  readonly id: string
  readonly owner: string
  readonly server: string
  readonly tool: string
  readonly created: number
  readonly expires: number
  readonly removed: boolean
  readonly sha256: string
  /** Original and compressed. */
  readonly size: number
  readonly storedSize: number
  readonly kind: string | undefined
  readonly mime: string | undefined
}

export interface NewRow {
  owner: string
  server: string
  tool: string
  callKey?: string | undefined
  kind?: string | undefined
  mime?: string | undefined
  sha256: string
  size: number
  storedSize: number
  created: number
  expires: number
}

/** For a helpful answer about a dropped result. */
const REMEMBERED_MS = 7 * 86_400_000
/** Per transaction: some milliseconds. */
const AT_ONCE = 100

/** Owner of `results` and `result_calls`; deletes files without rows. */
export class ResultIndex {
  readonly #database: Database
  readonly #folder: string

  constructor(database: Database, folder: string) {
    this.#database = database
    this.#folder = folder
  }

  /** Only from a row's SHA-256, never from client input. */
  pathOf(sha256: string): string {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error(`Not a SHA-256: ${sha256}`)
    return join(this.#folder, `${sha256}.zst`)
  }

  /** For AI apps; short, because a header line shows it. */
  readablePathOf(sha256: string): string {
    return this.pathOf(sha256).replace(`${sha256}.zst`, `${sha256.slice(0, 16)}.txt`)
  }

  /** Of an id in the index. */
  sentPathOf(id: string): string {
    if (!/^r_[0-9a-f]+$/.test(id)) throw new Error(`Not the id of a result: ${id}`)
    return join(this.#folder, `${id}.sent.zst`)
  }

  /** Rejects with DATABASE_LOCKED. */
  insert(row: NewRow): Promise<StoredResult> {
    return this.#database.write(() => {
      const id = this.idOf(row.owner, row.sha256)
      this.#database
        .prepare(
          `INSERT INTO results (id, owner, server, tool, created, expires, removed, sha256, size, stored_size, kind, mime)
           VALUES (?, ?, ?, ?, ?, ?, NULL, ?, ?, ?, ?, ?)
           ON CONFLICT (id) DO UPDATE SET server = excluded.server, tool = excluded.tool, created = excluded.created,
             expires = excluded.expires, removed = NULL, size = excluded.size, stored_size = excluded.stored_size,
             kind = coalesce(excluded.kind, kind), mime = coalesce(excluded.mime, mime)`,
        )
        .run(
          id,
          row.owner,
          row.server,
          row.tool,
          row.created,
          row.expires,
          row.sha256,
          row.size,
          row.storedSize,
          row.kind ?? null,
          row.mime ?? null,
        )
      if (row.callKey !== undefined) {
        this.#database
          .prepare(
            'INSERT INTO result_calls (owner, call_key, result_id) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET result_id = excluded.result_id',
          )
          .run(row.owner, row.callKey, id)
      }
      return toStored(this.#row('SELECT * FROM results WHERE id = ?', id))
    })
  }

  find(id: string, owner: string): StoredResult | undefined {
    return this.#optional('SELECT * FROM results WHERE id = ? AND owner = ?', id, owner)
  }

  /** Ids are unique across owners. */
  ownerOf(id: string): string | undefined {
    return this.#optional('SELECT * FROM results WHERE id = ?', id)?.owner
  }

  findByCall(owner: string, callKey: string, now: number): StoredResult | undefined {
    return this.#optional(
      `SELECT results.* FROM result_calls JOIN results ON results.id = result_calls.result_id
       WHERE result_calls.owner = ? AND call_key = ? AND removed IS NULL AND expires > ?`,
      owner,
      callKey,
      now,
    )
  }

  delete(id: string, owner: string | undefined): boolean {
    return this.#database.transaction(() => {
      const rows = this.#rows(
        'SELECT * FROM results WHERE id = ? AND owner = coalesce(?, owner)',
        id,
        owner ?? null,
      )
      for (const row of rows) {
        this.#database.prepare('DELETE FROM results WHERE id = ?').run(row.id)
        this.#dropFiles(row)
      }
      return rows.some((row) => row.removed === null)
    })
  }

  /** Dropped long ago, in batches; 0 when done. */
  forget(now: number): Promise<number> {
    return this.#database.write(() => {
      const sql = `DELETE FROM results WHERE rowid IN (SELECT rowid FROM results WHERE removed < ? LIMIT ${AT_ONCE})`
      return Number(this.#database.prepare(sql).run(now - REMEMBERED_MS).changes)
    })
  }

  /** In batches; 0 when done. */
  expire(now: number): Promise<number> {
    return this.#database.write(() => {
      const rows = this.#rows(
        `SELECT * FROM results WHERE removed IS NULL AND expires <= ? LIMIT ${AT_ONCE}`,
        now,
      )
      for (const row of rows) this.#remove(row, now)
      return rows.length
    })
  }

  get bytes(): number {
    return Number(this.#database.prepare('SELECT bytes FROM result_totals').get()?.['bytes'] ?? 0)
  }

  /** In batches, oldest first, while over the limit; never `keep` (a SHA-256). */
  async evict(maxBytes: number, keep: string | undefined, now: number): Promise<number> {
    if (this.bytes <= maxBytes) return 0
    return this.#database.write(() => {
      let evicted = 0
      while (evicted < AT_ONCE && this.bytes > maxBytes) {
        const oldest = this.#rows(
          'SELECT * FROM results WHERE removed IS NULL AND sha256 <> ? ORDER BY created, id DESC LIMIT 1',
          keep ?? '',
        )[0]
        if (!oldest) break
        this.#remove(oldest, now)
        evicted++
      }
      return evicted
    })
  }

  holds(sha256: string): boolean {
    return this.#rows('SELECT * FROM results WHERE sha256 = ? AND removed IS NULL LIMIT 1', sha256).length > 0
  }

  holdsId(id: string): boolean {
    return this.#rows('SELECT * FROM results WHERE id = ? AND removed IS NULL', id).length > 0
  }

  #remove(row: ResultsTable, now: number): void {
    this.#database.prepare('UPDATE results SET removed = ? WHERE id = ?').run(now, row.id)
    this.#dropFiles(row)
  }

  /** With the write lock, so that no other process reuses the content meanwhile. */
  #dropFiles({ id, sha256 }: ResultsTable): void {
    rmSync(this.sentPathOf(id), { force: true })
    if (this.holds(sha256)) return
    rmSync(this.pathOf(sha256), { force: true })
    rmSync(this.readablePathOf(sha256), { force: true })
  }

  /**
   * Equal results have the same id and header, which keeps clients' prompt cache valid. Longer only if a shorter one
   * is taken.
   */
  idOf(owner: string, sha256: string): string {
    const known = this.#optional('SELECT * FROM results WHERE owner = ? AND sha256 = ?', owner, sha256)
    if (known) return known.id
    const digest = createHash('sha256').update(`${owner}\0${sha256}`).digest('hex')
    for (let length = 6; length < digest.length; length++) {
      const id = `r_${digest.slice(0, length)}`
      if (!this.#optional('SELECT * FROM results WHERE id = ?', id)) return id
    }
    throw new Error('No free id was found')
  }

  #optional(sql: string, ...values: (string | number | null)[]): StoredResult | undefined {
    const row = this.#rows(sql, ...values)[0]
    return row && toStored(row)
  }

  #row(sql: string, ...values: (string | number | null)[]): ResultsTable {
    const row = this.#rows(sql, ...values)[0]
    if (!row) throw new Error('The row just written is not there')
    return row
  }

  #rows(sql: string, ...values: (string | number | null)[]): ResultsTable[] {
    // Whole rows of a STRICT table.
    return this.#database.prepare(sql).all(...values) as unknown as ResultsTable[]
  }
}

export const toStored = (row: ResultsTable): StoredResult => ({
  id: row.id,
  owner: row.owner,
  server: row.server,
  tool: row.tool,
  created: row.created,
  expires: row.expires,
  removed: row.removed !== null,
  sha256: row.sha256,
  size: row.size,
  storedSize: row.stored_size,
  kind: row.kind ?? undefined,
  mime: row.mime ?? undefined,
})
