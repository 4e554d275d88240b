import type { Database } from '../database.ts'
import { itemKey, type PinnedKind } from './pinned-item.ts'

export interface Sighting {
  readonly kind: PinnedKind
  readonly name: string
  /** Empty for what has no canonical form. */
  readonly hash: string
}

/** The view of what was pinned before views were kept. No client has it. */
const UNKNOWN_VIEW = ''

/**
 * What each server offered last to clients of each set of capabilities (`viewOf`). A thing is gone when nobody who was
 * offered it is offered it any more: that another client is not offered it says nothing.
 */
export class Sightings {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** Whether this server was ever asked with these capabilities, noting that it is now. */
  meet(identity: string, view: string, now: number): boolean {
    return (
      Number(
        this.#database.prepare('INSERT OR IGNORE INTO views VALUES (?, ?, ?)').run(identity, view, now)
          .changes,
      ) === 0
    )
  }

  hasMet(identity: string, view: string): boolean {
    return (
      this.#database.prepare('SELECT 1 FROM views WHERE identity = ? AND view = ?').get(identity, view) !==
      undefined
    )
  }

  /** Whether this server was asked with any capabilities before. */
  hasMetAny(identity: string): boolean {
    return this.#database.prepare('SELECT 1 FROM views WHERE identity = ?').get(identity) !== undefined
  }

  /** Makes this what `view` is offered, in place of what it was offered before; of kinds that were not read that stays. */
  note(
    identity: string,
    view: string,
    offered: readonly Sighting[],
    unread: Pick<ReadonlyMap<PinnedKind, unknown>, 'has'> = new Map(),
  ): void {
    const rows = this.#rows(identity)
    const keysOf = (wanted: string): Map<string, Sighting> =>
      new Map(rows.filter((row) => row.view === wanted).map((row) => [itemKey(row.kind, row.name), row]))
    const [before, unknown] = [keysOf(view), keysOf(UNKNOWN_VIEW)]
    for (const { kind, name, hash } of offered) {
      const key = itemKey(kind, name)
      if (unknown.has(key)) this.#remove(identity, UNKNOWN_VIEW, kind, name)
      if (before.get(key)?.hash !== hash) {
        this.#database
          .prepare('INSERT OR REPLACE INTO sightings VALUES (?, ?, ?, ?, ?)')
          .run(identity, view, kind, name, hash)
      }
      before.delete(key)
    }
    for (const { kind, name } of before.values())
      if (!unread.has(kind)) this.#remove(identity, view, kind, name)
  }

  /** Whether this server was ever seen with anything of this kind. */
  hasKind(identity: string, kind: PinnedKind): boolean {
    return (
      this.#database
        .prepare('SELECT 1 FROM sightings WHERE identity = ? AND kind = ? LIMIT 1')
        .get(identity, kind) !== undefined
    )
  }

  /** Hashes under which clients of any capabilities were offered each thing last, by `itemKey`. */
  all(identity: string): ReadonlyMap<string, ReadonlySet<string>> {
    const found = new Map<string, Set<string>>()
    for (const { kind, name, hash } of this.#rows(identity)) {
      const key = itemKey(kind, name)
      const hashes = found.get(key) ?? new Set()
      found.set(key, hashes.add(hash))
    }
    return found
  }

  #rows(identity: string): (Sighting & { readonly view: string })[] {
    return this.#database
      .prepare('SELECT view, kind, name, hash FROM sightings WHERE identity = ?')
      .all(identity)
      .map((row) => ({
        view: String(row['view']),
        kind: String(row['kind']) as PinnedKind,
        name: String(row['name']),
        hash: String(row['hash']),
      }))
  }

  #remove(identity: string, view: string, kind: PinnedKind, name: string): void {
    this.#database
      .prepare('DELETE FROM sightings WHERE identity = ? AND view = ? AND kind = ? AND name = ?')
      .run(identity, view, kind, name)
  }
}
