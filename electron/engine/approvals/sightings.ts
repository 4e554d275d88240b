import type { Database } from '../ground/database/database.ts'
import { writePortion, type Write } from './pin-writer.ts'
import { itemKey, type PinnedKind } from './pinned-item.ts'

export interface Sighting {
  readonly kind: PinnedKind
  readonly name: string
  /** Empty without canonical form. */
  readonly hash: string
}

export const listed = <Item extends { readonly kind: PinnedKind }>(items: readonly Item[]): Item[] =>
  items.filter(({ kind }) => kind !== 'variables')

type Unread = Pick<ReadonlyMap<PinnedKind, unknown>, 'has'>

/** Characters per row. */
const ROW = 1_000
/** View of pins from before views existed. No client has it. */
const UNKNOWN_VIEW = ''

/**
 * Last listing per client capability set (`viewOf`). An item is removed when no client that was shown it still gets
 * it; absence for another client means nothing.
 */
export class Sightings {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

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

  hasMetAny(identity: string): boolean {
    return this.#database.prepare('SELECT 1 FROM views WHERE identity = ?').get(identity) !== undefined
  }

  note(identity: string, view: string, offered: readonly Sighting[], unread?: Unread): void {
    writePortion(this.compare(identity, view, offered, unread).writes, Infinity)
  }

  compare(
    identity: string,
    view: string,
    offered: readonly Sighting[],
    unread: Unread = new Map(),
  ): { readonly writes: Write[]; readonly seen: ReadonlyMap<string, ReadonlySet<string>> } {
    const rows = this.#rows(identity)
    const [gone, unknown] = [new Map<string, Sighting>(), new Map<string, Sighting>()]
    const seen: Sighting[] = []
    for (const row of rows) {
      if (row.view === view) gone.set(itemKey(row.kind, row.name), row)
      else if (row.view === UNKNOWN_VIEW) unknown.set(itemKey(row.kind, row.name), row)
      else seen.push(row)
    }
    const writes: Write[] = []
    const write = (work: () => void): void => {
      writes.push(() => {
        work()
        return ROW
      })
    }
    for (const { kind, name, hash } of offered) {
      const key = itemKey(kind, name)
      seen.push({ kind, name, hash })
      if (unknown.delete(key)) write(() => this.#remove(identity, UNKNOWN_VIEW, kind, name))
      if (gone.get(key)?.hash !== hash) write(() => this.#add(identity, view, { kind, name, hash }))
      gone.delete(key)
    }
    for (const item of gone.values()) {
      if (unread.has(item.kind)) seen.push(item)
      else write(() => this.#remove(identity, view, item.kind, item.name))
    }
    return { writes, seen: hashesOf([...seen, ...unknown.values()]) }
  }

  hasKind(identity: string, kind: PinnedKind): boolean {
    return (
      this.#database
        .prepare('SELECT 1 FROM sightings WHERE identity = ? AND kind = ? LIMIT 1')
        .get(identity, kind) !== undefined
    )
  }

  /** Hashes of each item's last listings for any capabilities, by `itemKey`. */
  all(identity: string): ReadonlyMap<string, ReadonlySet<string>> {
    return hashesOf(this.#rows(identity))
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

  #add(identity: string, view: string, { kind, name, hash }: Sighting): void {
    this.#database
      .prepare('INSERT OR REPLACE INTO sightings VALUES (?, ?, ?, ?, ?)')
      .run(identity, view, kind, name, hash)
  }

  #remove(identity: string, view: string, kind: PinnedKind, name: string): void {
    this.#database
      .prepare('DELETE FROM sightings WHERE identity = ? AND view = ? AND kind = ? AND name = ?')
      .run(identity, view, kind, name)
  }
}

function hashesOf(sightings: readonly Sighting[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  for (const { kind, name, hash } of sightings) {
    const key = itemKey(kind, name)
    const hashes = found.get(key)
    if (hashes) hashes.add(hash)
    else found.set(key, new Set([hash]))
  }
  return found
}
